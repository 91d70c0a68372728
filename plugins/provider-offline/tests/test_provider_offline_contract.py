"""The offline provider keeps the contract of providers, when it understands and when it plays a script."""

import json
from pathlib import Path

import pytest
from pi_api.messages import UserMessage
from pi_api.provider import Request, ToolSchema
from pi_provider_offline.provider import MODEL, OfflineProvider
from pi_testkit.contracts import ProviderContract

LS = ToolSchema("ls", "List a directory.", {"type": "object", "properties": {}})


def write_script(folder: Path, **script: object) -> str:
    path = folder / "script.json"
    path.write_text(json.dumps(script), encoding="utf-8")
    return str(path)


def asking(text: str, **fields: object) -> Request:
    return Request(MODEL, "You are pi.", (UserMessage(text, 0),), (LS,), **fields)  # type: ignore[arg-type]


class TestUnderstanding(ProviderContract):
    @pytest.fixture
    def provider(self) -> OfflineProvider:
        return OfflineProvider(env={})

    @pytest.fixture
    def good_request(self) -> Request:
        return asking("what is in this directory?")

    @pytest.fixture
    def bad_request(self, tmp_path: Path) -> Request:
        return asking("hello", options={"script": str(tmp_path / "missing.json")})


class TestPlaying(ProviderContract):
    @pytest.fixture
    def provider(self, tmp_path: Path) -> OfflineProvider:
        turns = [{"thinking": "hm", "text": "I look.", "toolCalls": [{"name": "ls", "arguments": {"path": "src"}}]}]
        return OfflineProvider(env={"PI_OFFLINE_SCRIPT": write_script(tmp_path, turns=turns)})

    @pytest.fixture
    def good_request(self) -> Request:
        return asking("anything")

    @pytest.fixture
    def bad_request(self, tmp_path: Path) -> Request:
        (tmp_path / "other").mkdir()
        failing = write_script(tmp_path / "other", turns=[{"text": "so", "failure": {"kind": "overloaded"}}])
        return asking("anything", options={"script": failing})
