"""The errors that everything here raises; one class for each code is in ``error_classes``."""

from __future__ import annotations

from typing import Optional


class GatewayError(Exception):
    """Anything that goes wrong between this program and the gateway.

    :ivar code: a stable name for the kind of error (docs/errors.md); ``connection_failed`` without a response
    :ivar retry_after: seconds after which the same call may succeed, if the gateway says so
    """

    code: str = "gateway_error"
    retry_after: Optional[float] = None


class ConnectionFailedError(GatewayError):
    """No response: the gateway was not reached, or the connection broke.

    :ivar was_sent: whether the gateway may have got the request, and done it
    """

    code = "connection_failed"

    def __init__(self, message: str, was_sent: bool) -> None:
        super().__init__(message)
        self.was_sent = was_sent


class ApiError(GatewayError):
    """The gateway's response is an error.

    :ivar status: of the HTTP response
    :ivar message: for people; of several faults in one request each has a line
    :ivar request_id: names the request in the gateway's log
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        retry_after: Optional[float] = None,
        request_id: str = "",
    ) -> None:
        super().__init__(f"{message} ({status}, {code})")
        self.status = status
        self.code = code
        self.message = message
        self.retry_after = retry_after
        self.request_id = request_id


class LoginError(GatewayError):
    """A login that cannot go on."""


class LoginExpiredError(LoginError):
    """The QR code was not scanned in time, or the password or code not given: the session is deleted."""

    code = "login_expired"


class PasswordNeededError(LoginError):
    """The account has a two-step password, and none was given.

    :ivar hint: what the account's owner wrote down for it; may be empty
    """

    code = "password_needed"

    def __init__(self, hint: str) -> None:
        super().__init__("the account has a password: give it to wait_for_login, or to submit_password")
        self.hint = hint


class CodeNeededError(LoginError):
    """Telegram has sent a login code, and none was given.

    :ivar sent_to: ``app``, ``sms``, ``call``, ``email`` or ``fragment``
    """

    code = "code_needed"

    def __init__(self, sent_to: str) -> None:
        super().__init__("a login code was sent: give it to wait_for_login, or to submit_login_code")
        self.sent_to = sent_to


class LoginTimeoutError(LoginError):
    """The session was not connected within the given time. It goes on: wait again."""

    code = "login_timeout"
