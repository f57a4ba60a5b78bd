"""Receiving webhooks: a function that verifies a request, and endpoints for WSGI and ASGI that are made of it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import inspect
import json
import re
import threading
import time
from collections import OrderedDict
from typing import Any, Awaitable, Callable, Dict, Iterable, List, Mapping, MutableMapping, Optional, Tuple, Union

from .events import Event

# Standard Webhooks: a request that is older was sent again by someone else.
TOLERANCE_SECONDS = 300
# An event is at most some kilobytes; more is none of the gateway's.
MAX_BODY_BYTES = 4 * 1024 * 1024
# What comes twice comes soon after: a lost response, a restart.
REMEMBERED_EVENTS = 10_000

# The standard's form of a key: base64 behind `whsec_`. Any other token is the key as it is.
_STANDARD_TOKEN = re.compile(r"whsec_((?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?)\Z", re.ASCII)

Headers = Union[Mapping[str, str], Iterable[Tuple[str, str]]]
Handler = Callable[[Event], Any]


class WebhookVerificationError(Exception):
    """The request is not the gateway's, or is too old. Respond with 400."""


def verify(
    token: str,
    headers: Headers,
    body: bytes,
    *,
    tolerance: float = TOLERANCE_SECONDS,
    now: Callable[[], float] = time.time,
) -> Event:
    """The event of a webhook's request. Signatures are those of Standard Webhooks.

    :param token: as it was set
    :param headers: of the request, in any case
    :param body: its bytes as they came: parsed and written again they have another signature
    :param tolerance: seconds that the request's time may be away from ``now``
    :raises WebhookVerificationError: it is not from this webhook
    """
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    known = {name.lower(): value for name, value in pairs}
    try:
        event_id, sent, signatures = (known[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise WebhookVerificationError(f"the header {missing.args[0]} is missing") from None
    if not sent.isascii() or not sent.isdigit():
        raise WebhookVerificationError("webhook-timestamp is no time")
    expected = hmac.new(_key(token), f"{event_id}.{sent}.".encode() + body, hashlib.sha256).digest()
    given = [signature[3:] for signature in signatures.split(" ") if signature.startswith("v1,")]
    if not any(hmac.compare_digest(base64.b64encode(expected), one.encode()) for one in given):
        raise WebhookVerificationError("the signature is wrong")
    if abs(now() - int(sent)) > tolerance:
        raise WebhookVerificationError("the request is too old, or this machine's clock is wrong")
    try:
        event: Event = json.loads(body)
    except ValueError:
        raise WebhookVerificationError("the body is no JSON") from None
    return event


def _key(token: str) -> bytes:
    if not token:
        raise ValueError("a webhook without a token cannot be verified")
    found = _STANDARD_TOKEN.match(token)
    return token.encode() if found is None else base64.b64decode(found[1])


class SeenEvents:
    """Remembers the IDs of events in memory, the newest ones: an event may come twice. After a restart it knows none.

    Programs that may do nothing twice keep the IDs in their database, beside what they do.
    """

    def __init__(self, limit: int = REMEMBERED_EVENTS) -> None:
        self._limit = limit
        self._states: "OrderedDict[str, bool]" = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, event_id: str) -> Optional[bool]:
        """Begins with an event: True. False: it is done. None: it is being dealt with."""
        with self._lock:
            is_done = self._states.get(event_id)
            if is_done is None:
                self._states[event_id] = False
                while len(self._states) > self._limit:
                    self._states.popitem(last=False)
                return True
            return False if is_done else None

    def end(self, event_id: str, is_done: bool) -> None:
        """It is dealt with, or has to come again."""
        with self._lock:
            if is_done:
                self._states[event_id] = True
            else:
                self._states.pop(event_id, None)


class _Endpoint:
    """What both kinds of endpoint decide."""

    def __init__(self, token: str, handle: Handler, seen: Optional[SeenEvents]) -> None:
        _key(token)
        self._token = token
        self._handle = handle
        self._seen = seen if seen is not None else SeenEvents()

    def _begin(self, method: str, headers: Headers, body: bytes) -> Tuple[int, Optional[Event]]:
        """The status to respond with, or 0 and the event that has to be dealt with."""
        if method != "POST":
            return 405, None
        try:
            event = verify(self._token, headers, body)
        except WebhookVerificationError:
            return 400, None
        begun = self._seen.begin(event["id"])
        if begun is None:
            # The first request of it is still being dealt with: the gateway asks again.
            return 503, None
        return (0, event) if begun else (204, None)


class WsgiWebhook(_Endpoint):
    """An endpoint for any WSGI server: ``application = WsgiWebhook(token, handle)``.

    ``handle(event)`` is called once for each event. The gateway waits 10 seconds for it: put what takes longer into a
    queue. What it raises is passed on to the server, and the gateway sends the event again.
    """

    def __init__(self, token: str, handle: Handler, seen: Optional[SeenEvents] = None) -> None:
        super().__init__(token, handle, seen)

    def __call__(self, environ: Dict[str, Any], start_response: Callable[..., Any]) -> List[bytes]:
        length = str(environ.get("CONTENT_LENGTH") or "0")
        size = int(length) if length.isdigit() else 0
        if size > MAX_BODY_BYTES:
            return _respond(start_response, 413)
        body = environ["wsgi.input"].read(size)
        headers = {
            name[5:].replace("_", "-").lower(): value for name, value in environ.items() if name.startswith("HTTP_")
        }
        status, event = self._begin(environ["REQUEST_METHOD"], headers, body)
        if event is not None:
            is_done = False
            try:
                self._handle(event)
                is_done = True
            finally:
                self._seen.end(event["id"], is_done)
            status = 204
        return _respond(start_response, status)


_REASONS = {
    204: "No Content",
    400: "Bad Request",
    405: "Method Not Allowed",
    413: "Content Too Large",
    503: "Service Unavailable",
}


def _respond(start_response: Callable[..., Any], status: int) -> List[bytes]:
    headers = [] if status == 204 else [("content-length", "0")]
    start_response(f"{status} {_REASONS[status]}", headers)
    return []


class AsgiWebhook(_Endpoint):
    """An endpoint for any ASGI server or framework: ``app.mount("/telegram", AsgiWebhook(token, handle))``.

    ``handle(event)`` may be asynchronous; one that is not runs in a thread. Else as ``WsgiWebhook``.
    """

    def __init__(self, token: str, handle: Handler, seen: Optional[SeenEvents] = None) -> None:
        super().__init__(token, handle, seen)

    async def __call__(
        self,
        scope: MutableMapping[str, Any],
        receive: Callable[[], Awaitable[MutableMapping[str, Any]]],
        send: Callable[[MutableMapping[str, Any]], Awaitable[None]],
    ) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        if scope["type"] != "http":
            raise ValueError(f"a webhook is no {scope['type']}")
        body = await _body(receive)
        if body is None:
            await _respond_asgi(send, 413)
            return
        headers = [(name.decode("latin1"), value.decode("latin1")) for name, value in scope["headers"]]
        status, event = self._begin(scope["method"], headers, body)
        if event is not None:
            is_done = False
            try:
                await self._deal_with(event)
                is_done = True
            finally:
                self._seen.end(event["id"], is_done)
            status = 204
        await _respond_asgi(send, status)

    async def _deal_with(self, event: Event) -> None:
        if inspect.iscoroutinefunction(self._handle):
            await self._handle(event)
            return
        answer = await asyncio.get_running_loop().run_in_executor(None, self._handle, event)
        if inspect.isawaitable(answer):
            await answer


async def _live(receive: Callable[[], Awaitable[Any]], send: Callable[[MutableMapping[str, Any]], Awaitable[None]]) -> None:
    """Start and end of the server: nothing has to be done."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


async def _body(receive: Callable[[], Awaitable[MutableMapping[str, Any]]]) -> Optional[bytes]:
    """The request's body; None if it is too large."""
    parts: List[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b"".join(parts)
        part = message.get("body", b"")
        size += len(part)
        if size > MAX_BODY_BYTES:
            return None
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


async def _respond_asgi(send: Callable[[MutableMapping[str, Any]], Awaitable[None]], status: int) -> None:
    headers = [] if status == 204 else [(b"content-length", b"0")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
