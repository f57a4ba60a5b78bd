"""The client's side of a WebSocket (RFC 6455): handshake and frames, as bytes in and out. No extensions."""

from __future__ import annotations

import base64
import hashlib
import os
import struct
from dataclasses import dataclass
from typing import Callable, Dict, List, Mapping, Tuple, Union

_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_TEXT, _BINARY, _CLOSE, _PING, _PONG = 1, 2, 8, 9, 10
# A response's head and an envelope are far smaller: more is no gateway.
_MAX_HEAD_BYTES = 64 * 1024
_MAX_MESSAGE_BYTES = 64 * 1024 * 1024


class ProtocolError(Exception):
    """The other side does not speak the protocol."""


@dataclass(frozen=True)
class TextMessage:
    """A whole message."""

    text: str


@dataclass(frozen=True)
class Closed:
    """The other side closes."""

    code: int
    reason: str


Received = Union[TextMessage, Closed]


class WebSocket:
    """The state of one connection. ``outgoing`` has what is to be written after each ``feed``."""

    def __init__(self, random: Callable[[int], bytes] = os.urandom) -> None:
        self._random = random
        self._nonce = base64.b64encode(random(16)).decode()
        self._buffer = b""
        self._parts: List[bytes] = []
        self.outgoing = b""

    def handshake(self, host: str, target: str, headers: Mapping[str, str]) -> bytes:
        """The request that opens it."""
        lines = {
            "Host": host,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": self._nonce,
            "Sec-WebSocket-Version": "13",
            **headers,
        }
        for name, value in lines.items():
            if any(ord(letter) < 32 or ord(letter) > 126 for letter in name + value):
                raise ValueError(f"the header {name} has a character that no header may have")
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"GET {target} HTTP/1.1\r\n{head}\r\n".encode()

    def accept(self, chunk: bytes) -> "Tuple[int, Dict[str, str], bytes] | None":
        """Reads the response: status, headers and what came behind them; None while it is not whole."""
        self._buffer += chunk
        head, found, rest = self._buffer.partition(b"\r\n\r\n")
        if not found:
            if len(self._buffer) > _MAX_HEAD_BYTES:
                raise ProtocolError("the response has no end of its headers")
            return None
        first, *lines = head.decode("latin1").split("\r\n")
        words = first.split(" ", 2)
        if len(words) < 2 or not words[1].isdigit():
            raise ProtocolError("the response is no HTTP")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        status = int(words[1])
        if status == 101:
            expected = base64.b64encode(hashlib.sha1((self._nonce + _GUID).encode()).digest()).decode()
            if headers.get("sec-websocket-accept") != expected:
                raise ProtocolError("the response is not to this handshake")
            self._buffer = b""
        return status, headers, rest

    def feed(self, chunk: bytes) -> List[Received]:
        """The messages that are whole now. Pings are answered in ``outgoing``."""
        self._buffer += chunk
        received: List[Received] = []
        while True:
            frame = self._frame()
            if frame is None:
                return received
            is_last, opcode, payload = frame
            if opcode == _PING:
                self.outgoing += self._framed(_PONG, payload)
            elif opcode == _CLOSE:
                self.outgoing += self._framed(_CLOSE, payload[:2])
                code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005
                received.append(Closed(code, payload[2:].decode("utf8", "replace")))
            elif opcode in (_TEXT, _BINARY, 0):
                self._parts.append(payload)
                if sum(map(len, self._parts)) > _MAX_MESSAGE_BYTES:
                    raise ProtocolError("a message is too long")
                if is_last:
                    received.append(TextMessage(b"".join(self._parts).decode("utf8")))
                    self._parts = []
            elif opcode != _PONG:
                raise ProtocolError(f"unknown kind of frame: {opcode}")

    def text(self, message: str) -> bytes:
        """A message as a frame."""
        return self._framed(_TEXT, message.encode())

    def ping(self) -> bytes:
        """Asks whether the other side is there."""
        return self._framed(_PING, b"")

    def closing(self) -> bytes:
        """Says that this side closes, as it should."""
        return self._framed(_CLOSE, struct.pack(">H", 1000))

    def _frame(self) -> "Tuple[bool, int, bytes] | None":
        data = self._buffer
        if len(data) < 2:
            return None
        if data[0] & 0x70 or data[1] & 0x80:
            raise ProtocolError("a frame has extensions, or is masked")
        length, at = data[1] & 0x7F, 2
        for marker, size, kind in ((126, 2, ">H"), (127, 8, ">Q")):
            if data[1] & 0x7F == marker:
                if len(data) < at + size:
                    return None
                (length,) = struct.unpack(kind, data[at : at + size])
                at += size
        if length > _MAX_MESSAGE_BYTES:
            raise ProtocolError("a frame is too long")
        if len(data) < at + length:
            return None
        self._buffer = data[at + length :]
        return bool(data[0] & 0x80), data[0] & 0x0F, data[at : at + length]

    def _framed(self, opcode: int, payload: bytes) -> bytes:
        size = len(payload)
        if size < 126:
            head = struct.pack(">BB", 0x80 | opcode, 0x80 | size)
        elif size < 65536:
            head = struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, size)
        else:
            head = struct.pack(">BBQ", 0x80 | opcode, 0x80 | 127, size)
        mask = self._random(4)
        return head + mask + bytes(value ^ mask[place % 4] for place, value in enumerate(payload))
