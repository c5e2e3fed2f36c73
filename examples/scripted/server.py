"""The scripted server: on this machine only, for one conversation."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from examples.scripted.anthropic import AnthropicSpeaker
from examples.scripted.bedrock import BedrockSpeaker
from examples.scripted.cohere import CohereSpeaker
from examples.scripted.gemini import GeminiSpeaker
from examples.scripted.openai_chat import DeepSeekSpeaker, OpenAIChatSpeaker
from examples.scripted.openai_responses import OpenAIResponsesSpeaker
from examples.scripted.refusal import Refused, need_object, read_request
from examples.scripted.speaking import Speaker
from examples.scripted.turns import ScriptedTurn

#: The APIs that a server speaks; the first one whose path a request's ends with is meant.
SPEAKERS: Final[Mapping[str, Speaker]] = {
    "deepseek": DeepSeekSpeaker(),
    "openai-chat": OpenAIChatSpeaker(),
    "openai-responses": OpenAIResponsesSpeaker(),
    "anthropic": AnthropicSpeaker(),
    "gemini": GeminiSpeaker(),
    "bedrock-converse": BedrockSpeaker(),
    "cohere-v2": CohereSpeaker(),
}


#: Seconds after which a server notices that it is to stop.
_POLL: Final = 0.02


class ScriptedServer:
    """Says one turn after another, whatever the API; refuses requests that break a rule.

    Args:
        turns: What it says.
    """

    def __init__(self, turns: Sequence[ScriptedTurn]) -> None:
        self._turns = list(turns)
        self._lock = threading.Lock()
        self._number = 0
        self._sent: list[Any] = []
        #: The bodies of the requests that were taken.
        self.requests: list[dict[str, Any]] = []
        #: The same, as the bytes that came.
        self.raw: list[bytes] = []
        #: Why requests were refused.
        self.refusals: list[str] = []
        #: Where it listens, such as `http://127.0.0.1:8000`.
        self.url = ""

    def answer(self, path: str, raw: bytes) -> tuple[int, str, bytes]:
        """Answer a request: its status, the type of its content, its content."""
        speaker = _speaker_of(path)
        if speaker is None:
            return 404, *_written({"error": {"message": f"no {path}"}})
        with self._lock:
            try:
                request = dict(need_object(read_request(raw), "body"))
                speaker.check(request, self._sent)
                said, number = self._next(speaker)
            except Refused as refused:
                self.refusals.append(refused.message)
                return 400, *_written(speaker.refusal(refused))
            self.requests.append(request)
            self.raw.append(raw)
        if speaker.is_streamed(path, request):
            return 200, *_streamed(speaker.chunks(said, number))
        return 200, *_written(speaker.whole(said, number))

    def _next(self, speaker: Speaker) -> tuple[Any, int]:
        if self._number >= len(self._turns):
            raise Refused("The script has come to its end.")
        turn = self._turns[self._number]
        self._number += 1
        said = speaker.said(turn, self._number)
        self._sent.append(said)
        return said, self._number


def _written(data: Mapping[str, Any]) -> tuple[str, bytes]:
    return "application/json; charset=utf-8", json.dumps(data).encode()


def _streamed(chunks: Iterator[str] | Iterator[bytes]) -> tuple[str, bytes]:
    pieces = list(chunks)
    text = "".join(one for one in pieces if isinstance(one, str))
    if text:
        return "text/event-stream; charset=utf-8", text.encode()
    raw = b"".join(one for one in pieces if isinstance(one, bytes))
    return "application/vnd.amazon.eventstream", raw


def _speaker_of(path: str) -> Speaker | None:
    bare = path.partition("?")[0]
    return next((one for one in SPEAKERS.values() if bare.endswith(one.path)), None)


@contextmanager
def serving(turns: Sequence[ScriptedTurn]) -> Iterator[ScriptedServer]:
    """Serve a script on a free port of the loopback interface while the block runs."""
    script = ScriptedServer(turns)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, kind, body = script.answer(self.path, raw)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(_POLL,), daemon=True)
        thread.start()
        script.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield script
        finally:
            server.shutdown()
            thread.join()
