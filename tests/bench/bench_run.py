"""One question: with the offline model and one tool call, and with a real provider up to its first byte."""

import sys
import tempfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tests.bench.frame import Contender, measure, table
from tests.installed import new_user, pi_command

BARE = "python -c pass"
QUESTION = "how many Python files are there"


class Refusing(BaseHTTPRequestHandler):
    """Answers every request at once with an error, so that a client's run ends at the provider's first byte."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        body = b'{"type":"error","error":{"type":"invalid_request_error","message":"enough"}}'
        self.send_response(400)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


def tables(rounds: int) -> Iterator[str]:
    """Measure both beside bare Python; the real provider is a loopback server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        with tempfile.TemporaryDirectory(prefix="pi-bench-") as folder:
            yield table("pi -p", measure(contenders(Path(folder), server.server_address[1]), rounds), BARE)
    finally:
        server.shutdown()


def contenders(folder: Path, port: int) -> list[Contender]:
    """Bare Python, the offline model, Anthropic's provider."""
    project, home = folder / "project", folder / "home"
    project.mkdir()
    home.mkdir()
    for name in ("one.py", "two.py"):
        (project / name).touch()
    env = new_user(home)
    real = env | {"ANTHROPIC_API_KEY": "sk-bench", "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}"}
    pi = str(pi_command())
    ask = [pi, "--no-session", "-p", QUESTION]
    return [
        Contender(BARE, [sys.executable, "-c", "pass"], env, project),
        Contender("pi -p, offline model, one tool call", ask, env, project),
        Contender("pi -p, Anthropic, to the first byte", ask, real, project, status=1),
    ]
