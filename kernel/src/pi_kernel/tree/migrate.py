"""Older session formats, brought up to date in memory.

Version 1 was a plain sequence without ids, version 2 called custom messages `hookMessage`; version 4 adds record
types only.
"""

from collections.abc import Sequence
from typing import Any

from .entry import decode, encode


def modern_records(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Version 1 records as a chain of entries; ids are positions, so each reading gives the same ones."""
    ids = [f"{position:08x}" for position in range(1, len(records) + 1)]
    parents = [None, *ids]
    return [
        _named_role(_with_kept_id({**record, "id": own, "parentId": parent}, ids))
        for record, own, parent in zip(records, ids, parents, strict=False)
    ]


def modern_line(line: bytes) -> bytes:
    """A version 2 line as version 3 has it; a line that is no JSON object stays as it is."""
    record = decode(line)
    return line if record is None else encode(_named_role(record))


def _with_kept_id(record: dict[str, Any], ids: Sequence[str]) -> dict[str, Any]:
    """A version 1 compaction counts lines of the file, the header being 0."""
    index = record.pop("firstKeptEntryIndex", None)
    if record.get("type") == "compaction" and isinstance(index, int) and 1 <= index <= len(ids):
        record["firstKeptEntryId"] = ids[index - 1]
    return record


def _named_role(record: dict[str, Any]) -> dict[str, Any]:
    message = record.get("message")
    if record.get("type") == "message" and isinstance(message, dict) and message.get("role") == "hookMessage":
        record["message"] = {**message, "role": "custom"}
    return record
