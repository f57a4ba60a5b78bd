import base64
import hashlib
import json
import struct
import unittest
from typing import Any, Dict, List, Optional

from telegram_gateway import errors
from telegram_gateway._core.effects import Close, Lost, NotSent, Open, Opened, Write
from telegram_gateway._core.feeds import reader_feed
from telegram_gateway._core.requests import Access
from telegram_gateway._core.retry import RetryPolicy
from telegram_gateway._core.sse import EventParser
from telegram_gateway._core.streams import SseReading, WebSocketReading
from telegram_gateway._core.websocket import Closed, ProtocolError, TextMessage, WebSocket

from .playing import Stage

OPEN = Opened(200, {}, "source")
ACCESS = Access(session_id="id-1", secret="secret-1")


def event(seq: Optional[int]) -> bytes:
    data: Dict[str, Any] = {"type": "message"} if seq is None else {"type": "message", "seq": seq}
    name = "" if seq is None else f"id: {seq}\n"
    return f"{name}event: message\ndata: {json.dumps(data)}\n\n".encode()


def refused(status: int, code: str) -> List[Any]:
    body = json.dumps({"statusCode": status, "message": code}).encode()
    return [Opened(status, {"x-error-code": code}, "source"), body, b""]


class AParser(unittest.TestCase):
    def test_reads_the_same_however_the_bytes_are_cut(self) -> None:
        text = "retry: 2000\r\n\r\n: hi\n\nid: 7\nevent: é\ndata: a\ndata:b\n\rdata: c\r\n\r\nid\ndata: ü\n\n".encode()
        whole = EventParser().feed(text)
        self.assertEqual([(one.id, one.type, one.data) for one in whole], [("7", "é", "a\nb"), (None, "message", "c"), ("", "message", "ü")])
        for size in range(1, 9):
            parser = EventParser()
            found = [one for at in range(0, len(text), size) for one in parser.feed(text[at : at + size])]
            self.assertEqual(found, whole)
            self.assertEqual(parser.retry_seconds, 2.0)

    def test_drops_what_the_end_cuts_off(self) -> None:
        self.assertEqual(EventParser().feed(b"data: a\n"), [])


class AStream(unittest.TestCase):
    def reading(self, stage: Stage, after: Optional[str] = None, **policy: float) -> SseReading:
        feed = reader_feed("desk", ["message"], "all", False)
        return SseReading(stage.caller(ACCESS, RetryPolicy(**policy)), feed, after)

    def opens(self, stage: Stage) -> List[Dict[str, str]]:
        return [effect.request.headers for effect in stage.effects if isinstance(effect, Open)]

    def test_goes_on_behind_the_last_event_of_a_broken_connection(self) -> None:
        stage = Stage(OPEN, event(3) + event(4)[:20], Lost("reset"), NotSent("refused"), OPEN, event(4), b"", OPEN, event(5))
        reading = self.reading(stage, "2")
        self.assertEqual([stage.run(reading.next())["seq"] for _ in range(3)], [3, 4, 5])
        places = [headers["last-event-id"] for headers in self.opens(stage)]
        self.assertEqual(places, ["2", "3", "3", "4"])
        first = next(effect for effect in stage.effects if isinstance(effect, Open))
        self.assertEqual(first.request.target, "/session/messages/stream?reader=desk&events=message&chats=all")

    def test_keeps_its_place_over_what_has_none(self) -> None:
        stage = Stage(OPEN, event(3) + event(None), Lost("reset"), OPEN, event(4))
        reading = self.reading(stage)
        self.assertEqual([stage.run(reading.next()).get("seq") for _ in range(3)], [3, None, 4])
        self.assertEqual([headers.get("last-event-id") for headers in self.opens(stage)], [None, "3"])

    def test_connects_again_for_as_long_as_it_takes_once_it_was_open(self) -> None:
        stage = Stage(OPEN, event(1), b"", *[NotSent("refused")] * 50, OPEN, event(2))
        reading = self.reading(stage)
        self.assertEqual([stage.run(reading.next())["seq"] for _ in range(2)], [1, 2])
        self.assertEqual(max(stage.waits), 8.0)

    def test_that_never_opens_is_an_error(self) -> None:
        stage = Stage(*[NotSent("refused")] * 50)
        with self.assertRaises(errors.ConnectionFailedError):
            stage.run(self.reading(stage, max_seconds=10).next())

    def test_waits_as_long_as_the_server_wishes(self) -> None:
        stage = Stage(OPEN, b"retry: 3000\n\n" + event(1), b"", OPEN, event(2))
        reading = self.reading(stage)
        stage.run(reading.next())
        stage.run(reading.next())
        self.assertEqual(stage.waits, [3.0])

    def test_ends_with_the_session(self) -> None:
        stage = Stage(OPEN, event(1), b"", *refused(404, "session_not_found"))
        reading = self.reading(stage)
        stage.run(reading.next())
        self.assertIsNone(stage.run(reading.next()))

    def test_of_a_session_that_never_was_is_an_error(self) -> None:
        stage = Stage(*refused(404, "session_not_found"))
        with self.assertRaises(errors.SessionNotFoundError):
            stage.run(self.reading(stage).next())

    def test_that_is_refused_is_an_error_and_closed(self) -> None:
        stage = Stage(OPEN, event(1), b"", *refused(401, "invalid_api_key"))
        reading = self.reading(stage)
        stage.run(reading.next())
        with self.assertRaises(errors.InvalidApiKeyError):
            stage.run(reading.next())
        self.assertEqual(sum(isinstance(effect, Close) for effect in stage.effects), 2)


def frame(payload: bytes, opcode: int = 1, is_last: bool = True) -> bytes:
    size = len(payload)
    if size < 126:
        length = struct.pack(">B", size)
    else:
        length = struct.pack(">BH", 126, size) if size < 65536 else struct.pack(">BQ", 127, size)
    return bytes([(0x80 if is_last else 0) | opcode]) + length + payload


def accepted(handshake: bytes) -> bytes:
    key = next(line[19:] for line in handshake.decode().split("\r\n") if line.startswith("Sec-WebSocket-Key: "))
    digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
    return b"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n"


class AFrame(unittest.TestCase):
    def test_is_read_however_the_bytes_are_cut(self) -> None:
        texts = ["", "é" * 60, "b" * 126, "c" * 70_000]
        data = b"".join(frame(text.encode()) for text in texts)
        data += frame(b"in ", 1, False) + frame(b"", 9) + frame(b"two", 0) + frame(struct.pack(">H", 1001) + b"bye", 8)
        expected = [*map(TextMessage, texts), TextMessage("in two"), Closed(1001, "bye")]
        for size in (1, 7, 1000, len(data)):
            socket = WebSocket()
            found = [one for at in range(0, len(data), size) for one in socket.feed(data[at : at + size])]
            self.assertEqual(found, expected)
            # A pong and a close were answered, both masked.
            self.assertEqual((socket.outgoing[0], socket.outgoing[1] & 0x80), (0x8A, 0x80))

    def test_is_masked_as_the_standard_has_it(self) -> None:
        # RFC 6455, 5.7.
        socket = WebSocket(random=lambda count: bytes([0x37, 0xFA, 0x21, 0x3D] * 4)[:count])
        self.assertEqual(socket.text("Hello").hex(" "), "81 85 37 fa 21 3d 7f 9f 4d 51 58")
        self.assertEqual(socket.text("a" * 200)[:4].hex(" "), "81 fe 00 c8")
        self.assertEqual(len(socket.text("a" * 70_000)), 70_000 + 14)

    def test_that_no_server_sends_is_an_error(self) -> None:
        for bad in (b"\xc1\x00", b"\x81\x80", b"\x83\x00", b"\x81\x7f" + b"\xff" * 8):
            with self.assertRaises(ProtocolError):
                WebSocket().feed(bad)

    def test_of_a_handshake_of_someone_else_is_an_error(self) -> None:
        with self.assertRaises(ProtocolError):
            WebSocket().accept(accepted(WebSocket().handshake("h", "/", {})))
        with self.assertRaises(ProtocolError):
            WebSocket().accept(b"nonsense\r\n\r\n")

    def test_has_no_header_that_ends_a_line(self) -> None:
        with self.assertRaises(ValueError):
            WebSocket().handshake("h", "/", {"session-id": "a\r\nb: c"})


class SocketStage(Stage):
    """A stage whose server accepts each handshake; ``None`` as a reply of a read is that."""

    def _reply(self, effect: Any) -> Any:
        if isinstance(effect, Write) and effect.data.startswith(b"GET "):
            self.handshake = effect.data
        reply = super()._reply(effect)
        return accepted(self.handshake) if reply == "accept" else reply

    def acknowledged(self) -> List[int]:
        """What was written in text frames, unmasked."""
        found = []
        for effect in self.effects:
            if isinstance(effect, Write) and effect.data[0] == 0x81:
                mask, payload = effect.data[2:6], effect.data[6:]
                found.append(json.loads(bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload)))["ack"])
        return found


def envelope(seq: Optional[int]) -> bytes:
    return frame(json.dumps({"type": "chat.typing"} if seq is None else {"type": "message", "seq": seq}).encode())


class ASocket(unittest.TestCase):
    def reading(self, stage: Stage, after: Optional[str] = None) -> WebSocketReading:
        feed = reader_feed("desk", None, None, True)
        return WebSocketReading(stage.caller(ACCESS), feed, after, "gateway.example", "/tg")

    def test_acknowledges_what_was_dealt_with_and_goes_on_behind_it(self) -> None:
        stage = SocketStage("s", "accept", envelope(3) + envelope(None) + envelope(4), Lost("reset"), "s", "accept", envelope(5))
        reading = self.reading(stage)
        self.assertEqual([stage.run(reading.next()).get("seq") for _ in range(4)], [3, None, 4, 5])
        self.assertEqual(stage.acknowledged(), [3, 4])
        self.assertTrue(stage.handshake.startswith(b"GET /tg/session/messages?reader=desk&after=4 HTTP/1.1\r\nHost: gateway.example\r\n"))

    def test_hands_out_what_came_before_the_close(self) -> None:
        stage = SocketStage("s", "accept", envelope(3) + frame(b"", 8), b"", "s", "accept", envelope(4))
        reading = self.reading(stage)
        self.assertEqual([stage.run(reading.next())["seq"] for _ in range(2)], [3, 4])

    def test_that_is_refused_is_the_error_of_the_response(self) -> None:
        body = b'{"statusCode":400,"message":"a session has up to 5 readers"}'
        head = f"HTTP/1.1 400 Bad\r\ncontent-length: {len(body)}\r\nx-error-code: invalid_request\r\n\r\n".encode()
        stage = SocketStage("s", head, body)
        with self.assertRaises(errors.InvalidRequestError) as raised:
            stage.run(self.reading(stage).next())
        self.assertEqual(raised.exception.message, "a session has up to 5 readers")

    def test_ends_with_the_session(self) -> None:
        gone = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nx-error-code: session_not_found\r\n\r\n"
        stage = SocketStage("s", "accept", envelope(3) + frame(b"", 8), b"", "s", gone)
        reading = self.reading(stage)
        stage.run(reading.next())
        self.assertIsNone(stage.run(reading.next()))
