"""Events as they happen, over connections that break: each goes on where the last one ended."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from typing import Any, Deque, Dict, List, Mapping, Optional, Tuple, Union

from .api_error import ApiError, GatewayError
from .calls import Caller, error_of, unreached
from .effects import Close, Connect, Lost, NotSent, Open, Opened, Read, Steps, TransportError, Wait, Write
from .requests import Request, Response, target_of
from .sse import EventParser
from .websocket import Closed, ProtocolError, TextMessage, WebSocket

# A stream has a comment every 15 s (AD3.2), a WebSocket a ping every 30 s: after two of those the connection is lost.
SILENCE_SECONDS = 75.0
_MAX_ERROR_BYTES = 64 * 1024


@dataclass(frozen=True)
class Feed:
    """Where the events come from, and the kind of access that it needs."""

    path: str
    query: Mapping[str, Any]
    access: str = "session"


class _Reading:
    """What both kinds of connection share: the place, and the tries to connect again."""

    def __init__(self, caller: Caller, feed: Feed, after: Optional[str]) -> None:
        self._caller = caller
        self._feed = feed
        self._place = after
        self._ready: Deque[Tuple[Optional[str], Any]] = deque()
        self._failures = 0
        self._wish = 0.0
        self._was_open = False
        self._started = caller.clock()

    def next(self) -> Steps[Any]:
        """The next event; None once the session is deleted. @raises GatewayError if connecting again helps nothing"""
        while not self._ready:
            try:
                if not (yield from self._receive()):
                    return None
            except TransportError as lost:
                yield from self._later(unreached(lost))
            except ProtocolError as error:
                yield from self._later(GatewayError(str(error)))
        place, event = self._ready.popleft()
        self._failures = 0
        # What is not recorded has no place.
        if place is not None:
            self._place = place
        return event

    def _receive(self) -> Steps[bool]:
        """Connects if need be, and waits for more. False: there is no more."""
        raise NotImplementedError
        yield

    def close(self) -> Steps[None]:
        raise NotImplementedError
        yield

    def _refused(self, response: Response) -> Steps[bool]:
        """What a response that opens nothing means: False: the session is gone; else it is tried again, or an error."""
        error = error_of(response, self._caller.now())
        if error.code == "session_not_found" and error.status == 404 and self._was_open:
            return False
        if error.status < 500 and error.retry_after is None:
            raise error
        yield from self._later(error)
        return True

    def _later(self, failure: GatewayError) -> Steps[None]:
        """Waits before the next connection. A stream that was open once has no end, so neither have the tries."""
        yield from self.close()
        self._failures += 1
        pause = self._caller.retry.backoff(self._failures, self._caller.chance())
        pause = max(failure.retry_after or 0.0, self._wish, pause)
        elapsed = self._caller.clock() - self._started
        if not self._was_open and elapsed + pause > self._caller.retry.max_seconds:
            raise failure
        yield Wait(pause)


class SseReading(_Reading):
    """Server-sent events. ``Last-Event-ID`` names the last event that was handed out."""

    _source: Any = None
    _parser = EventParser()

    def _receive(self) -> Steps[bool]:
        if self._source is None:
            return (yield from self._open())
        chunk: bytes = yield Read(self._source)
        if chunk == b"":
            raise Lost("the stream has ended")
        for event in self._parser.feed(chunk):
            self._ready.append((event.id, json.loads(event.data)))
        self._wish = self._parser.retry_seconds or 0.0
        return True

    def _open(self) -> Steps[bool]:
        headers: Dict[str, str] = {**self._caller.headers(self._feed.access), "accept": "text/event-stream"}
        if self._place is not None:
            headers["last-event-id"] = self._place
        request = Request("GET", target_of(self._feed.path, {}, self._feed.query), headers, None, SILENCE_SECONDS)
        opened: Opened = yield Open(request)
        self._source = opened.source
        if opened.status == 200:
            self._parser = EventParser()
            self._was_open = True
            return True
        body = yield from _read_some(opened.source)
        yield from self.close()
        return (yield from self._refused(Response(opened.status, opened.headers, body)))

    def close(self) -> Steps[None]:
        """Closes the connection; the reader's place is kept."""
        source, self._source = self._source, None
        if source is not None:
            yield Close(source)


class WebSocketReading(_Reading):
    """A WebSocket. An event is acknowledged when the next one is asked for: then it has been dealt with."""

    _source: Any = None
    _socket = WebSocket()
    _acknowledged: Optional[str] = None

    def __init__(self, caller: Caller, feed: Feed, after: Optional[str], host: str, prefix: str) -> None:
        super().__init__(caller, feed, after)
        self._host = host
        self._prefix = prefix

    def next(self) -> Steps[Any]:
        if self._source is not None and self._place is not None and self._place != self._acknowledged:
            self._acknowledged = self._place
            try:
                yield Write(self._source, self._socket.text(json.dumps({"ack": int(self._place)})))
            except TransportError:
                pass  # the read that follows finds out
        return (yield from super().next())

    def _receive(self) -> Steps[bool]:
        if self._source is None:
            return (yield from self._open())
        chunk: bytes = yield Read(self._source)
        if chunk == b"":
            raise Lost("the connection was closed")
        yield from self._take(chunk)
        return True

    def _take(self, chunk: bytes) -> Steps[None]:
        received = self._socket.feed(chunk)
        outgoing, self._socket.outgoing = self._socket.outgoing, b""
        if outgoing:
            yield Write(self._source, outgoing)
        for one in received:
            if isinstance(one, TextMessage):
                event = json.loads(one.text)
                self._ready.append((str(event["seq"]) if "seq" in event else None, event))
            elif isinstance(one, Closed) and not self._ready:
                raise Lost(f"the connection was closed ({one.code})")

    def _open(self) -> Steps[bool]:
        query = dict(self._feed.query)
        if self._place is not None:
            query["after"] = self._place
        self._socket = WebSocket()
        self._source = yield Connect(SILENCE_SECONDS)
        target = self._prefix + target_of(self._feed.path, {}, query)
        headers = self._caller.headers(self._feed.access)
        yield Write(self._source, self._socket.handshake(self._host, target, headers))
        answer = None
        while answer is None:
            chunk: bytes = yield Read(self._source)
            if chunk == b"":
                raise NotSent("the connection was closed before the handshake")
            answer = self._socket.accept(chunk)
        status, response_headers, rest = answer
        if status == 101:
            self._was_open = True
            self._acknowledged = self._place
            yield from self._take(rest)
            return True
        length = response_headers.get("content-length", "0")
        while len(rest) < min(int(length) if length.isdigit() else 0, _MAX_ERROR_BYTES):
            more: bytes = yield Read(self._source)
            if more == b"":
                break
            rest += more
        yield from self.close()
        return (yield from self._refused(Response(status, response_headers, rest)))

    def close(self) -> Steps[None]:
        """Closes the connection; the reader's place is the last event that was acknowledged."""
        source, self._source = self._source, None
        if source is not None:
            yield Close(source)


Reading = Union[SseReading, WebSocketReading]


def _read_some(source: Any) -> Steps[bytes]:
    parts: List[bytes] = []
    while sum(map(len, parts)) < _MAX_ERROR_BYTES:
        chunk: bytes = yield Read(source)
        if chunk == b"":
            break
        parts.append(chunk)
    return b"".join(parts)
