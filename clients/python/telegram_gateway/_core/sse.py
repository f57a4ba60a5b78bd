"""Server-sent events (WHATWG HTML, 9.2.6), from bytes as they come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional


@dataclass(frozen=True)
class ServerSentEvent:
    """One event. ``id`` is None if the event names none."""

    type: str
    data: str
    id: Optional[str]


class EventParser:
    """Parses one stream. ``retry_seconds`` is what the server wishes between connections, if it says so."""

    def __init__(self) -> None:
        self.retry_seconds: Optional[float] = None
        self._rest = b""
        self._data: List[str] = []
        self._type = ""
        self._id: Optional[str] = None

    def feed(self, chunk: bytes) -> List[ServerSentEvent]:
        """The events that are whole now. An event that the stream's end cuts off is dropped, as the standard has it."""
        text = self._rest + chunk
        # A CR at the end may be half of a CRLF.
        held = text.endswith(b"\r")
        lines = (text[:-1] if held else text).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._rest = lines.pop() + (b"\r" if held else b"")
        return [event for event in map(self._line, lines) if event is not None]

    def _line(self, raw: bytes) -> Optional[ServerSentEvent]:
        line = raw.decode("utf8", "replace")
        if line == "":
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._type = value
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isdigit():
            self.retry_seconds = int(value) / 1000
        return None

    def _dispatch(self) -> Optional[ServerSentEvent]:
        data, kind, event_id = self._data, self._type, self._id
        self._data, self._type, self._id = [], "", None
        return ServerSentEvent(kind or "message", "\n".join(data), event_id) if data else None
