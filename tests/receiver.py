"""A server that webhooks are told at, and that verifies what it is told."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import standardwebhooks


class Receiver:
    """Answers with `status`, not at all if that is 0; `got` has what came, and `bad` what was not
    rightly signed.
    """

    def __init__(self) -> None:
        self.status, self.secret = 204, ""
        self.headers: dict[str, str] = {}
        self.got: list[dict[str, Any]] = []
        self.ids: list[str] = []
        self.bad: list[Any] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if not (status := receiver.take(dict(self.headers), body)):
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?a=1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, headers: dict[str, str], body: bytes) -> int:
        """Write a message down; the status to answer."""
        try:
            standardwebhooks.Webhook(self.secret).verify(body, headers)
        except Exception as error:
            self.bad.append(error)
        self.ids.append(headers["webhook-id"])
        self.got.append(json.loads(body))
        return self.status

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
