"""The streams of the API, and uploads: what both clients ask for."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import Any, Optional, Sequence, Union

from .calls import Caller
from .effects import Steps
from .requests import Request, parsed, target_of
from .streams import Feed


def reader_feed(reader: str, events: Optional[Sequence[str]], chats: Any, uses_websocket: bool) -> Feed:
    """What happens in the account of a session (EV3)."""
    path = "/session/messages" if uses_websocket else "/session/messages/stream"
    return Feed(path, {"reader": reader, "events": events, "chats": chats})


def audit_feed(session: Optional[str] = None) -> Feed:
    """What happens to a session and why (AD3): to the caller's own one, or for an operator to any."""
    if session is None:
        return Feed("/session/stream", {})
    return Feed(target_of("/sessions/{id}/stream", {"id": session}, {}), {}, "key")


def sessions_feed(is_all: bool) -> Feed:
    """What changes in any session."""
    return Feed("/sessions/stream", {"events": "all" if is_all else None}, "key")


def upload(caller: Caller, file: Union[bytes, str, Path], name: Optional[str]) -> Steps[Any]:
    """Uploads bytes or the file of a path. A file that is uploaded twice is forgotten after an hour."""
    body: Union[bytes, Path] = file if isinstance(file, bytes) else Path(file)
    shown = name if name is not None or isinstance(body, bytes) else body.name
    kind = mimetypes.guess_type(shown or "")[0] or "application/octet-stream"
    headers = {**caller.headers("session"), "accept": "application/json", "content-type": kind}
    request = Request("POST", target_of("/file", {}, {"name": shown}), headers, body, caller.timeout)
    response = yield from caller.exchange(request, is_repeatable=True)
    return parsed(response)
