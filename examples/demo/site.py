"""A small web site on this machine, for the demo's tool that reads a page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

PAGES: Final = {
    "/timetable": "North Pier 06:30 08:00 09:30; Old Town 07:15 08:45 10:15",
    "/notices": "No bicycles on the 08:00 from North Pier.",
}


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        text = PAGES.get(self.path)
        body = (text or "there is no such page").encode()
        self.send_response(200 if text else 404)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep the demo's output clean."""


@contextmanager
def serving() -> Iterator[str]:
    """Serve the site on a free port of the loopback interface; give its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Page) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
