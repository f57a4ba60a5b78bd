"""One call of the API: with its retries, to its result or its error."""

from __future__ import annotations

import random
import time
import uuid
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Any, Callable, List, Mapping, Optional, Tuple

from .api_error import ApiError, ConnectionFailedError, GatewayError
from .effects import Exchange, NotSent, Steps, TransportError, Wait
from .error_classes import ERROR_CLASSES
from .operations import OPERATIONS
from .requests import Access, Arguments, Request, Response, parsed, request_of
from .retry import RetryPolicy


@dataclass(frozen=True)
class Caller:
    """Makes calls of one kind of access. Clock and chance can be replaced.

    :ivar timeout: seconds for connecting, and for each read; a send takes up to 240
    """

    access: Access = field(default_factory=Access)
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    timeout: float = 300.0
    user_agent: str = "telegram-gateway-python"
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    chance: Callable[[], float] = random.random
    new_key: Callable[[], str] = lambda: str(uuid.uuid4())

    def call(self, name: str, arguments: Arguments) -> Steps[Any]:
        """Makes the call of an operation, answers its JSON. @raises GatewayError"""
        operation = OPERATIONS[name]
        if operation.is_keyed and arguments.idempotency_key is None:
            arguments = replace(arguments, idempotency_key=self.new_key())
        request = request_of(operation, arguments, self.headers(operation.access), self.timeout)
        is_repeatable = operation.is_repeatable or arguments.idempotency_key is not None
        response = yield from self.exchange(request, is_repeatable)
        try:
            return parsed(response)
        except ValueError:
            raise ApiError(response.status, "no_json", "the response is no JSON") from None

    def exchange(self, request: Request, is_repeatable: bool) -> Steps[Response]:
        """Sends a request until it succeeds, or no other try helps. @raises GatewayError"""
        started = self.clock()
        attempts = 0
        while True:
            attempts += 1
            try:
                response: Response = yield Exchange(request)
                if response.status < 400:
                    return response
                failure: GatewayError = error_of(response, self.now())
            except TransportError as lost:
                failure = unreached(lost)
            elapsed = self.clock() - started
            delay = self.retry.delay(failure, attempts, elapsed, is_repeatable, self.chance())
            if delay is None:
                raise failure
            yield Wait(delay)

    def page(self, name: str, cursor: str, arguments: Arguments, at: Any) -> Steps[Tuple[List[Any], Any]]:
        """One page of a list, and the cursor of the next one: None at the end."""
        query = {**arguments.query, cursor: at}
        answer = yield from self.call(name, replace(arguments, query=query))
        following = answer[cursor]
        # An empty text and 0 mean the end, and so does a cursor that stays where it was.
        return answer["docs"], following if following and following != at else None

    def headers(self, kind: str) -> Mapping[str, str]:
        """The headers of a request with this kind of access."""
        return {"user-agent": self.user_agent, **self.access.headers(kind)}


def unreached(lost: TransportError) -> ConnectionFailedError:
    """The error of a request without a response."""
    return ConnectionFailedError(str(lost) or type(lost).__name__, was_sent=not isinstance(lost, NotSent))


def error_of(response: Response, now: float) -> ApiError:
    """The error that a response is. What comes from something in between has no code: the status is its name."""
    try:
        body = parsed(response)
        message = str(body["message"])
    except (ValueError, KeyError, TypeError):
        message = f"status {response.status}"
    code = response.headers.get("x-error-code", f"status_{response.status}")
    kind = ERROR_CLASSES.get(code, ApiError)
    retry_after = _seconds(response.headers.get("retry-after"), now)
    return kind(response.status, code, message, retry_after, response.headers.get("x-request-id", ""))


def _seconds(text: Optional[str], now: float) -> Optional[float]:
    """``Retry-After``: seconds, or a date (RFC 9110, 10.2.3)."""
    if text is None:
        return None
    if text.strip().isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (TypeError, ValueError):
        return None



