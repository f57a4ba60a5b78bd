"""All four ways to HTTP against a real server, which breaks where it is told to."""

import asyncio
import socketserver
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

from telegram_gateway._core.address import address_of
from telegram_gateway._core.effects import Lost, NotSent
from telegram_gateway._core.requests import Request
from telegram_gateway._settings import async_transport_of, transport_of
from telegram_gateway._transport.base import has_httpx

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Error-Code: none\r\n\r\n{}"


class Server(socketserver.ThreadingTCPServer):
    """Answers each request with the next of its answers; ``None`` closes the connection instead."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, *answers: Optional[bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self.answers = list(answers)
        self.requests: List[Any] = []
        self.connections = 0
        self.closed = threading.Semaphore(0)
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/tg/"

    def __exit__(self, *_: Any) -> None:
        self.shutdown()
        self.server_close()


class Connection(socketserver.StreamRequestHandler):
    server: Server

    def handle(self) -> None:
        self.server.connections += 1
        while True:
            first = self.rfile.readline()
            if not first:
                break
            headers: Dict[str, str] = {}
            while True:
                line = self.rfile.readline().strip()
                if not line:
                    break
                name, _, value = line.decode().partition(":")
                headers[name.lower()] = value.strip()
            body = self.rfile.read(int(headers.get("content-length", "0")))
            self.server.requests.append((first.decode().rsplit(" ", 1)[0], headers, body))
            answer = self.server.answers.pop(0)
            if answer is not None:
                self.wfile.write(answer)
            if answer is None or b"\r\n\r\n" not in answer or b"Connection: close" in answer:
                break
        self.server.closed.release()


def request(verb: str = "GET", body: Any = None) -> Request:
    return Request(verb, "/session?a=b", {"id": "id-1"}, body, 30.0)


class Blocking:
    """The asynchronous transport, called as if it were the other one."""

    def __init__(self, transport: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._transport = transport

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            return self._loop.run_until_complete(getattr(self._transport, name)(*arguments))

        return call

    def run(self, pending: Any) -> Any:
        return self._loop.run_until_complete(pending)

    def source(self, source: Any) -> "Blocking":
        other = Blocking(source)
        other._loop.close()
        other._loop = self._loop
        return other

    def close(self) -> None:
        self._loop.run_until_complete(self._transport.close())
        self._loop.close()


class Transports:
    """What each of them does."""

    kind = ""
    is_async = False

    def transport(self, url: str) -> Any:
        place = address_of(url)
        made: Any = async_transport_of(place, self.kind, None) if self.is_async else transport_of(place, self.kind, None)
        transport = Blocking(made) if self.is_async else made
        self.addCleanup(transport.close)  # type: ignore[attr-defined]
        return transport

    def source(self, transport: Any, source: Any) -> Any:
        return transport.source(source) if self.is_async else source

    def end(self, transport: Any, source: Any) -> None:
        transport.run(source.close()) if self.is_async else source.close()

    def test_sends_the_request_and_keeps_the_connection(self: Any) -> None:
        with Server(OK, OK) as server:
            transport = self.transport(server.url)
            for _ in range(2):
                answer = transport.exchange(request("POST", b'{"a":1}'))
            self.assertEqual((answer.status, answer.headers["x-error-code"], answer.body), (200, "none", b"{}"))
            first, headers, body = server.requests[0]
            self.assertEqual((first, body, headers["id"]), ("POST /tg/session?a=b", b'{"a":1}', "id-1"))
            self.assertEqual(headers["host"], f"127.0.0.1:{server.server_address[1]}")
            self.assertEqual(server.connections, 1)

    def test_sends_the_file_of_a_path(self: Any) -> None:
        with Server(OK) as server, tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file"
            path.write_bytes(bytes(range(256)) * 1000)
            self.transport(server.url).exchange(request("POST", path))
            self.assertEqual(server.requests[0][2], path.read_bytes())
            self.assertNotIn("transfer-encoding", server.requests[0][1])

    def test_does_not_use_a_connection_that_was_closed(self: Any) -> None:
        with Server(OK + b"", None, OK) as server:
            transport = self.transport(server.url)
            transport.exchange(request())
            with self.assertRaises(Lost):
                transport.exchange(request())
            self.assertEqual(transport.exchange(request()).status, 200)

    def test_says_that_nothing_was_sent(self: Any) -> None:
        with Server() as server:
            url = server.url
        with self.assertRaises(NotSent):
            self.transport(url).exchange(request())
        with self.assertRaises(NotSent):
            self.transport(url).connect(30.0)

    def test_says_that_the_response_was_lost(self: Any) -> None:
        for broken in (None, b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{}", b"nonsense\r\n"):
            with Server(broken) as server:
                with self.assertRaises(Lost):
                    self.transport(server.url).exchange(request())

    def test_reads_a_stream_as_it_comes(self: Any) -> None:
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        with Server(head + b"3\r\na: \r\n1\r\nb\r\n0\r\n\r\n") as server:
            transport = self.transport(server.url)
            opened = transport.open(request())
            source = self.source(transport, opened.source)
            self.assertEqual(opened.status, 200)
            parts = []
            while True:
                part = source.read()
                if part == b"":
                    break
                parts.append(part)
            self.assertEqual(b"".join(parts), b"a: b")
            self.end(transport, opened.source)

    def test_notices_that_a_stream_breaks(self: Any) -> None:
        head = b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        with Server(head + b"3\r\na: \r\n") as server:
            transport = self.transport(server.url)
            opened = transport.open(request())
            source = self.source(transport, opened.source)
            self.assertEqual(source.read(), b"a: ")
            try:
                self.assertEqual(source.read(), b"")
            except Lost:
                pass
            self.end(transport, opened.source)

    def test_ends_a_stream_that_is_closed(self: Any) -> None:
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        with Server(head + b"1\r\na\r\n") as server:
            transport = self.transport(server.url)
            opened = transport.open(request())
            self.assertEqual(self.source(transport, opened.source).read(), b"a")
            self.end(transport, opened.source)
            self.assertTrue(server.closed.acquire(timeout=60))

    def test_opens_a_connection_for_another_protocol(self: Any) -> None:
        with Server(b"HTTP/1.1 101 Switching\r\n\r\n") as server:
            transport = self.transport(server.url)
            connected = transport.connect(30.0)
            source = self.source(transport, connected)
            source.write(b"GET / HTTP/1.1\r\n\r\n")
            self.assertEqual(source.read(), b"HTTP/1.1 101 Switching\r\n\r\n")
            self.end(transport, connected)
            self.assertTrue(server.closed.acquire(timeout=60))


class StandardLibrary(Transports, unittest.TestCase):
    kind = "stdlib"


class StandardLibraryInThreads(Transports, unittest.TestCase):
    kind = "stdlib"
    is_async = True


@unittest.skipUnless(has_httpx(), "httpx is not installed")
class WithHttpx(Transports, unittest.TestCase):
    kind = "httpx"


@unittest.skipUnless(has_httpx(), "httpx is not installed")
class WithAsyncHttpx(Transports, unittest.TestCase):
    kind = "httpx"
    is_async = True


class AnAddress(unittest.TestCase):
    def test_is_taken_apart(self) -> None:
        place = address_of("https://gateway.example/tg/")
        self.assertEqual((place.is_secure, place.port, place.host, place.prefix), (True, 443, "gateway.example", "/tg"))
        self.assertEqual(place.base, "https://gateway.example/tg")
        self.assertEqual(address_of("http://[::1]:3000").hostname, "::1")

    def test_that_is_none_is_an_error(self) -> None:
        for url in ("gateway.example", "ftp://a", "http://", "http://user:secret@a", "http://a/?b"):
            with self.assertRaises(ValueError):
                address_of(url)
