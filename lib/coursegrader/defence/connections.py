"""The connections of the browser room: the oldest makes room for a new one, so none keeps others out."""

from __future__ import annotations

import resource

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.web import Application

IDLE, BODY = 30, 10  # seconds: for the next request to come, and for the rest of it
PER_ADDRESS = 300  # a whole class may come from one
FILES, OTHERS = 4096, 100  # that may be open, and how many of them are no connections


class Connections(HTTPServer):
    """A server that closes the oldest connection where there are too many, of one address or of all."""

    def initialize(self, application: Application) -> None:  # type: ignore[override]
        super().initialize(
            application,
            max_body_size=100_000,
            max_buffer_size=200_000,
            idle_connection_timeout=IDLE,
            body_timeout=BODY,
        )
        self.address_of: dict[IOStream, str] = {}  # the oldest first
        self.most = _most_files() - OTHERS

    def handle_stream(self, stream: IOStream, address: tuple) -> None:
        own = [one for one, of in self.address_of.items() if of == address[0]]
        if len(own) >= PER_ADDRESS:
            self._close(own[0])
        elif len(self.address_of) >= self.most:
            self._close(next(iter(self.address_of)))
        self.address_of[stream] = address[0]
        super().handle_stream(stream, address)

    def on_close(self, server_conn) -> None:
        self.address_of.pop(server_conn.stream, None)
        super().on_close(server_conn)

    def _close(self, stream: IOStream) -> None:
        del self.address_of[stream]  # now, since many connections may be taken before it is told
        stream.close()


def _most_files() -> int:
    """Of this process, after asking for as many as it may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return FILES if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ValueError, OSError):
        return soft
    return wanted
