"""What a plugin author tests with: fakes that keep the contract of pi, a plugin host, contract tests to subclass."""

from pi_testkit.answers import build_message
from pi_testkit.context import FakeToolContext
from pi_testkit.host import DiscoveryRefused, PluginHost, PluginsFailed
from pi_testkit.provider import FAKE_MODEL, FakeProvider
from pi_testkit.script import Call, Emit, End, Fail, Hold, Raise, Say, Think, Turn
from pi_testkit.session import FakeSession, Said, plain_answer
from pi_testkit.settings import FakeSettings

__all__ = [
    "FAKE_MODEL",
    "Call",
    "DiscoveryRefused",
    "Emit",
    "End",
    "Fail",
    "FakeProvider",
    "FakeSession",
    "FakeSettings",
    "FakeToolContext",
    "Hold",
    "PluginHost",
    "PluginsFailed",
    "Raise",
    "Said",
    "Say",
    "Think",
    "Turn",
    "build_message",
    "plain_answer",
]
