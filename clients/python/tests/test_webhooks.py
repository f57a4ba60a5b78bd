import asyncio
import base64
import hashlib
import hmac
import io
import json
import threading
import time
import unittest
from typing import Any, Dict, List, Optional, Tuple
from wsgiref.util import setup_testing_defaults

from telegram_gateway.webhooks import AsgiWebhook, SeenEvents, WebhookVerificationError, WsgiWebhook, verify

TOKEN = "secret"


def signed(body: bytes, key: bytes = b"secret", at: Optional[int] = None, event_id: str = "e-1") -> Dict[str, str]:
    sent = str(int(time.time()) if at is None else at)
    digest = hmac.new(key, f"{event_id}.{sent}.".encode() + body, hashlib.sha256).digest()
    return {
        "Webhook-Id": event_id,
        "Webhook-Timestamp": sent,
        "Webhook-Signature": "v1," + base64.b64encode(digest).decode(),
    }


def event(event_id: str = "e-1") -> bytes:
    return json.dumps({"id": event_id, "seq": 1, "type": "message", "data": {"text": "é"}}).encode()


class ARequest(unittest.TestCase):
    def test_that_is_signed_is_its_event(self) -> None:
        found = verify(TOKEN, signed(event()), event())
        self.assertEqual(found["type"], "message")
        self.assertEqual(verify(TOKEN, list(signed(event()).items()), event())["id"], "e-1")

    def test_is_as_the_standard_has_it(self) -> None:
        # The example of Standard Webhooks' own libraries.
        token = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        body = b'{"test": 2432232314}'
        self.assertEqual(verify(token, headers, body, now=lambda: 1614265330), {"test": 2432232314})

    def test_may_have_several_signatures(self) -> None:
        headers = signed(event())
        headers["Webhook-Signature"] = "v1a,abc v1,b3RoZXI= " + headers["Webhook-Signature"]
        verify(TOKEN, headers, event())

    def test_of_anyone_else_is_refused(self) -> None:
        good = signed(event())
        cases: List[Tuple[Dict[str, str], bytes]] = [
            (signed(event(), b"other"), event()),
            (good, event() + b" "),
            ({**good, "Webhook-Id": "e-2"}, event()),
            ({**good, "Webhook-Timestamp": str(int(good["Webhook-Timestamp"]) + 1)}, event()),
            ({**good, "Webhook-Timestamp": "now"}, event()),
            ({**good, "Webhook-Timestamp": "²"}, event()),
            ({**good, "Webhook-Signature": ""}, event()),
            ({**good, "Webhook-Signature": "v1,é"}, event()),
            ({**good, "Webhook-Signature": good["Webhook-Signature"].replace("v1,", "v2,")}, event()),
            ({name: value for name, value in good.items() if name != "Webhook-Id"}, event()),
            (signed(b"no json"), b"no json"),
        ]
        for headers, body in cases:
            with self.assertRaises(WebhookVerificationError):
                verify(TOKEN, headers, body)

    def test_of_another_time_is_refused(self) -> None:
        for at, is_refused in ((700, False), (699, True), (1300, False), (1301, True)):
            headers = signed(event(), at=at)
            if is_refused:
                with self.assertRaises(WebhookVerificationError):
                    verify(TOKEN, headers, event(), now=lambda: 1000)
            else:
                verify(TOKEN, headers, event(), now=lambda: 1000)

    def test_is_never_verified_without_a_key(self) -> None:
        with self.assertRaises(ValueError):
            verify("", signed(event(), b""), event())
        with self.assertRaises(ValueError):
            WsgiWebhook("", print)

    def test_takes_what_is_no_base64_as_it_is(self) -> None:
        for token in ("whsec_no base64", "whsec_abc", "whsec_"):
            self.assertEqual(verify(token, signed(event(), token.encode()), event())["id"], "e-1")


def post_wsgi(app: WsgiWebhook, headers: Dict[str, str], body: bytes, method: str = "POST") -> str:
    environ: Dict[str, Any] = {"REQUEST_METHOD": method, "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)}
    environ.update({"HTTP_" + name.upper().replace("-", "_"): value for name, value in headers.items()})
    setup_testing_defaults(environ)
    said: List[str] = []
    app(environ, lambda status, _headers: said.append(status))
    return said[0]


def post_asgi(app: AsgiWebhook, headers: Dict[str, str], body: bytes, method: str = "POST") -> str:
    parts = [{"type": "http.request", "body": body[:5], "more_body": True}, {"type": "http.request", "body": body[5:]}]
    sent: List[Any] = []

    async def receive() -> Any:
        return parts.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    raw = [(name.lower().encode(), value.encode("latin1")) for name, value in headers.items()]
    asyncio.run(app({"type": "http", "method": method, "headers": raw}, receive, send))
    return str(sent[0]["status"])


class AnEndpoint(unittest.TestCase):
    def both(self, handle: Any) -> List[Tuple[Any, Any]]:
        return [(post_wsgi, WsgiWebhook(TOKEN, handle)), (post_asgi, AsgiWebhook(TOKEN, handle))]

    def test_hands_each_event_to_the_program_once(self) -> None:
        got: List[Any] = []
        for post, app in self.both(lambda found: got.append(found["data"]["text"])):
            got.clear()
            for _ in range(2):
                self.assertIn("204", post(app, signed(event()), event()))
            self.assertEqual(got, ["é"])

    def test_refuses_what_is_not_the_gateways(self) -> None:
        got: List[Any] = []
        for post, app in self.both(got.append):
            self.assertIn("400", post(app, signed(event(), b"other"), event()))
            self.assertIn("405", post(app, {}, b"", "GET"))
            self.assertIn("413", post(app, {}, b" " * (4 * 1024 * 1024 + 1)))
        self.assertEqual(got, [])

    def test_lets_an_event_come_again_that_was_not_dealt_with(self) -> None:
        tries: List[int] = []

        def handle(_event: Any) -> None:
            tries.append(1)
            if len(tries) % 2 == 1:
                raise RuntimeError("the database is away")

        for post, app in self.both(handle):
            with self.assertRaises(RuntimeError):
                post(app, signed(event()), event())
            self.assertIn("204", post(app, signed(event()), event()))
        self.assertEqual(len(tries), 4)

    def test_takes_an_asynchronous_function(self) -> None:
        got: List[Any] = []

        async def handle(found: Any) -> None:
            await asyncio.sleep(0)
            got.append(found["id"])

        self.assertIn("204", post_asgi(AsgiWebhook(TOKEN, handle), signed(event()), event()))
        self.assertEqual(got, ["e-1"])

    def test_does_not_begin_twice_with_one_event(self) -> None:
        begun, go_on = threading.Event(), threading.Event()

        def handle(_event: Any) -> None:
            begun.set()
            go_on.wait()

        app = WsgiWebhook(TOKEN, handle)
        first = threading.Thread(target=post_wsgi, args=(app, signed(event()), event()))
        first.start()
        begun.wait()
        self.assertIn("503", post_wsgi(app, signed(event()), event()))
        go_on.set()
        first.join()
        self.assertIn("204", post_wsgi(app, signed(event()), event()))

    def test_lives_with_its_server(self) -> None:
        asked = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
        sent: List[Any] = []

        async def receive() -> Any:
            return asked.pop(0)

        async def send(message: Any) -> None:
            sent.append(message["type"])

        asyncio.run(AsgiWebhook(TOKEN, print)({"type": "lifespan"}, receive, send))
        self.assertEqual(sent, ["lifespan.startup.complete", "lifespan.shutdown.complete"])


class SeenIds(unittest.TestCase):
    def test_are_bounded(self) -> None:
        seen = SeenEvents(2)
        for name in "abc":
            self.assertTrue(seen.begin(name))
            seen.end(name, True)
        self.assertEqual([seen.begin(name) for name in "cba"], [False, False, True])
