"""Which failures are worth another try, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .api_error import ApiError, ConnectionFailedError, GatewayError

# Without `Retry-After`. A session is disconnected for a moment after each restart of the gateway; a timeout of Telegram's
# leaves open what was done, which the idempotency key settles.
_PASSING_CODES = {"session_not_connected", "telegram_timeout", "request_timeout"}
# Gateways and proxies in between that have nobody behind them.
_PASSING_STATUSES = {502, 503, 504}
# The gateway says that repeating helps nothing.
_FINAL_CODES = {"outcome_unknown", "internal_error"}
# With `Retry-After` these mean that nothing was done. Others may mean that it is done and cannot be shown yet.
_REFUSED_CODES = {
    "limit_reached",
    "overloaded",
    "pace_reached",
    "session_not_active",
    "shutting_down",
    "starting",
    "telegram_wait",
    "too_many_files",
    "too_many_requests",
}


@dataclass(frozen=True)
class RetryPolicy:
    """How long a call is tried again.

    A call that can be repeated (a read, or one with an idempotency key) is tried again after a broken connection and after
    errors that pass. Any other call is tried again only if the gateway has certainly not carried it out.

    :ivar max_seconds: from the first try on; 0 means one try
    :ivar first_delay: seconds; doubled with each try, with up to a quarter of chance
    :ivar max_delay: seconds; ``Retry-After`` counts more
    """

    max_seconds: float = 60.0
    first_delay: float = 0.25
    max_delay: float = 8.0

    def backoff(self, attempts: int, fraction: float) -> float:
        """Seconds after so many failed tries; ``fraction`` (0 to 1) is the chance in it."""
        delay = min(self.max_delay, self.first_delay * 2.0 ** min(attempts - 1, 30))
        return delay * (1 + fraction / 4)

    def delay(
        self, failure: GatewayError, attempts: int, elapsed: float, is_repeatable: bool, fraction: float
    ) -> Optional[float]:
        """Seconds until the next try; None if there is none.

        :param attempts: how often it was tried, at least 1
        :param elapsed: seconds since the first try
        """
        if not _helps(failure, is_repeatable):
            return None
        delay = self.backoff(attempts, fraction)
        if failure.retry_after is not None:
            delay = max(failure.retry_after, delay if attempts > 1 else 0.0)
        return delay if elapsed + delay <= self.max_seconds else None


def _helps(failure: GatewayError, is_repeatable: bool) -> bool:
    if isinstance(failure, ConnectionFailedError):
        return is_repeatable or not failure.was_sent
    if not isinstance(failure, ApiError) or failure.code in _FINAL_CODES:
        return False
    if failure.retry_after is not None:
        return is_repeatable or failure.code in _REFUSED_CODES
    return is_repeatable and (failure.code in _PASSING_CODES or failure.status in _PASSING_STATUSES)
