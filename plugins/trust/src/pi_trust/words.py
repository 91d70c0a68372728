"""How decisions are given and told, on the command line and in a session."""

from pathlib import Path

from pi_trust.trust import ProjectTrust

ANSWERS: dict[str, bool | None] = {"yes": True, "no": False, "forget": None}


def standing(trust: ProjectTrust, cwd: Path) -> str:
    """What is decided about a directory, by which folder, and what it is about."""
    found, covered = trust.deciding(cwd), trust.evidence(cwd)
    lines = [f"{cwd}: {_verdict(found, covered)}"]
    if covered:
        lines.append("what trust is about here:")
        lines += [f"  {path}" for path in covered]
    if found is None and covered:
        lines.append("decide with `pi trust yes` or `pi trust no`")
    return "\n".join(lines)


def decided(trust: ProjectTrust, cwd: Path, answer: bool | None) -> str:
    """What a new decision comes to; a folder above may still decide after one was forgotten."""
    if answer is not None:
        return f"{cwd} and everything below it is {'trusted' if answer else 'not trusted'}."
    found = trust.deciding(cwd)
    return f"{cwd}: {_verdict(found, trust.evidence(cwd))}."


def _verdict(found: tuple[Path, bool] | None, covered: list[Path]) -> str:
    if found is not None:
        folder, trusted = found
        return f"{'trusted' if trusted else 'not trusted'} (decided for {folder})"
    return "not decided, so not trusted" if covered else "not decided, and nothing here needs trust"
