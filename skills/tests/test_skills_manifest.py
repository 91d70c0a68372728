"""The manifest names the folder that holds the skills."""

from importlib.metadata import entry_points
from importlib.resources import files

from pi_api import Resource


def test_the_entry_point_registers_one_folder_of_skills() -> None:
    (entry_point,) = entry_points(group="pi.plugins", name="skills")
    registered: list[Resource] = []
    entry_point.load().pi_resources(register=registered.append)
    (resource,) = registered
    assert resource.kind == "skill"
    folder = files(resource.package) / resource.directory
    assert sorted(entry.name for entry in folder.iterdir() if (entry / "SKILL.md").is_file()) == [
        "code-review",
        "git-commit",
        "write-a-plugin",
    ]
