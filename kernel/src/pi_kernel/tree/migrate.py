"""Older formats brought up to date in memory; the file stays as it is.

Version 1 was a plain sequence without ids, version 2 called custom messages `hookMessage`.
"""

from collections.abc import Iterator, Sequence
from typing import Any


def chained(records: Sequence[tuple[int, dict[str, Any]]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Numbered version 1 records, each the child of the one before; ids are positions and so the same each time."""
    ids = [f"{position:08x}" for position in range(1, len(records) + 1)]
    for (number, record), entry_id, parent in zip(records, ids, [None, *ids], strict=False):
        kept = record.pop("firstKeptEntryIndex", None)  # counts from the header, which is 0
        if record.get("type") == "compaction" and isinstance(kept, int) and 1 <= kept <= len(ids):
            record["firstKeptEntryId"] = ids[kept - 1]
        yield number, {**renamed(record), "id": entry_id, "parentId": parent}


def renamed(record: dict[str, Any]) -> dict[str, Any]:
    """A record with the role that version 3 gives to messages of extensions."""
    message = record.get("message")
    if isinstance(message, dict) and message.get("role") == "hookMessage":
        return {**record, "message": {**message, "role": "custom"}}
    return record
