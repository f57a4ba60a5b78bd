"""A call of the API as data: what is asked for, the request that says it, and what a response means."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Union
from urllib.parse import quote, urlencode

# What is sent: bytes, or the file of a path.
Body = Union[bytes, Path, None]


class NotGiven:
    """The default where ``None`` means something: the interface has ``null`` there."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


class _Null:
    """A ``null`` that is sent."""


NOT_GIVEN = NotGiven()
NULL = _Null()


def nullable(value: Any) -> Any:
    """A value that may be ``None`` on purpose."""
    if isinstance(value, NotGiven):
        return None
    return NULL if value is None else value


@dataclass(frozen=True)
class Operation:
    """An operation of the API. ``access`` is ``none``, ``key``, ``session``, ``both`` or ``id-key``."""

    verb: str
    path: str
    access: str
    is_keyed: bool

    @property
    def is_repeatable(self) -> bool:
        """Whether doing it twice is doing it once (RFC 9110, 9.2.2); with a key it is in any case."""
        return self.verb in ("GET", "PUT", "DELETE")


@dataclass(frozen=True)
class Arguments:
    """What a call is given, under the names of the interface. ``None`` means: left out."""

    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Optional[Mapping[str, Any]] = None
    idempotency_key: Optional[str] = None


@dataclass(frozen=True)
class Request:
    """One HTTP request. ``target`` is path and query; ``timeout`` is in seconds, for connecting and for each read."""

    verb: str
    target: str
    headers: Dict[str, str]
    body: Body = None
    timeout: float = 300.0


@dataclass(frozen=True)
class Response:
    """An HTTP response; the names of headers are in lower case."""

    status: int
    headers: Dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Access:
    """Who asks: a session's two headers, a key, or both."""

    session_id: Optional[str] = None
    secret: Optional[str] = None
    api_key: Optional[str] = None

    def headers(self, kind: str) -> Dict[str, str]:
        """The headers that prove it to an operation of this kind of access."""
        headers: Dict[str, str] = {}
        if kind in ("session", "both", "id-key") and self.session_id is not None:
            headers["id"] = self.session_id
        has_secret = kind in ("session", "both") and self.secret is not None
        if has_secret:
            headers["session-id"] = str(self.secret)
        if self.api_key is not None and kind != "none" and not (kind == "session" and has_secret):
            headers["x-api-key"] = self.api_key
        return headers


def request_of(operation: Operation, arguments: Arguments, headers: Mapping[str, str], timeout: float) -> Request:
    """The request of a call."""
    all_headers = {"accept": "application/json", **headers}
    body: Body = None
    if arguments.body is not None:
        body = json.dumps(_given(arguments.body), separators=(",", ":")).encode()
        all_headers["content-type"] = "application/json"
    if arguments.idempotency_key is not None:
        all_headers["idempotency-key"] = arguments.idempotency_key
    target = target_of(operation.path, arguments.path, arguments.query)
    return Request(operation.verb, target, all_headers, body, timeout)


def target_of(path: str, places: Mapping[str, str], query: Mapping[str, Any]) -> str:
    """Path and query. Lists are joined with commas."""
    for name, value in places.items():
        path = path.replace("{" + name + "}", quote(str(value), safe=""))
    pairs = {name: _text(value) for name, value in query.items() if value is not None}
    return path + ("?" + urlencode(pairs) if pairs else "")


def parsed(response: Response) -> Any:
    """The JSON of a response. @raises ValueError if it is none"""
    return json.loads(response.body) if response.body else None


def _given(body: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: None if value is NULL else value for name, value in body.items() if value is not None}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(str(one) for one in value)
    return str(value)
