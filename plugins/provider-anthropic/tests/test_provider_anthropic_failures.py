"""Every error answer has the class that retry, compaction and fail-over need."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pi_api.errors import ErrorKind
from pi_provider_anthropic.failures import MAX_TEXT, event_failure, response_failure

CASES = tomllib.loads((Path(__file__).parent / "failures.toml").read_text(encoding="utf-8"))["case"]
NOW = 1_000_000_000.0


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_class_is_told_by_type_status_and_text(case: dict[str, Any]) -> None:
    body = case.get("body")
    if body is None:
        body = json.dumps({"type": "error", "error": {"type": case["type"], "message": case["message"]}})
    if "status" in case:
        failure = response_failure(case["status"], case.get("headers", {}), body, NOW).failure
        assert failure.status == case["status"]
        assert str(case["status"]) in failure.message
    else:
        failure = event_failure(body).failure
        assert failure.status is None
    assert failure.kind is ErrorKind(case["kind"])
    assert failure.retry_after == case.get("wait")
    assert case.get("says", "") in failure.message
    assert case.get("message", "") in failure.message


def test_a_long_body_is_cut() -> None:
    failure = response_failure(500, {}, "x" * 100_000, NOW).failure
    assert len(failure.message) < MAX_TEXT + 200
