"""Plays what is around the core: each effect gets the next reply, and time passes only where the core waits."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional

from telegram_gateway._core.calls import Caller
from telegram_gateway._core.effects import Ask, Close, Effect, Exchange, Steps, T, Wait, Write
from telegram_gateway._core.requests import Access, Request, Response
from telegram_gateway._core.retry import RetryPolicy


def response(status: int, body: Any = None, headers: Optional[Dict[str, str]] = None) -> Response:
    return Response(status, headers or {}, b"" if body is None else json.dumps(body).encode())


def error(status: int, code: str, retry_after: Optional[int] = None) -> Response:
    headers = {"x-error-code": code, "x-request-id": "r-1"}
    if retry_after is not None:
        headers["retry-after"] = str(retry_after)
    return response(status, {"statusCode": status, "message": code.replace("_", " ")}, headers)


class Stage:
    """Replies in their order, and what was asked for. A reply that is an exception is raised."""

    def __init__(self, *replies: Any) -> None:
        self.replies: List[Any] = list(replies)
        self.effects: List[Effect] = []
        self.waits: List[float] = []
        self.time = 0.0
        self._keys = 0

    def caller(self, access: Access = Access(), retry: RetryPolicy = RetryPolicy()) -> Caller:
        return Caller(
            access,
            retry=retry,
            clock=lambda: self.time,
            now=lambda: 1_800_000_000 + self.time,
            chance=lambda: 0.0,
            new_key=self._new_key,
        )

    def run(self, steps: Steps[T]) -> T:
        try:
            effect = next(steps)
            while True:
                try:
                    reply = self._reply(effect)
                except Exception as failure:
                    effect = steps.throw(failure)
                else:
                    effect = steps.send(reply)
        except StopIteration as stop:
            value: T = stop.value
            return value

    @property
    def requests(self) -> List[Request]:
        return [effect.request for effect in self.effects if isinstance(effect, Exchange)]

    def _new_key(self) -> str:
        self._keys += 1
        return f"key-{self._keys}"

    def _reply(self, effect: Effect) -> Any:
        self.effects.append(effect)
        if isinstance(effect, Wait):
            self.waits.append(effect.seconds)
            self.time += effect.seconds
            return None
        if isinstance(effect, Ask):
            return effect.function(*effect.arguments)
        if isinstance(effect, (Write, Close)):
            return None
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply
