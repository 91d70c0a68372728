"""Distributions made for a test: the files that installing a wheel would lay into a folder of the import path."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent


def lay_plugin(
    site: Path, name: str, code: str, *, requires: Sequence[str] = ("pi-kernel>=0.1,<0.2",), version: str = "1.0"
) -> str:
    """Lay the distribution `broken-NAME` with the plugin `NAME`, whose module holds `code`; give the module's name."""
    module = f"their_{name.replace('-', '_')}"
    info = site / f"broken_{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (site / f"{module}.py").write_text(dedent(code), "utf-8")
    needs = "".join(f"Requires-Dist: {requirement}\n" for requirement in requires)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: broken-{name}\nVersion: {version}\n{needs}", "utf-8")
    (info / "entry_points.txt").write_text(f"[pi.plugins]\n{name} = {module}\n", "utf-8")
    (info / "RECORD").write_text(f"{module}.py,,\n{info.name}/METADATA,,\n{info.name}/entry_points.txt,,\n", "utf-8")
    return module
