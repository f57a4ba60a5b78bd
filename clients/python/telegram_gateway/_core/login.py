"""Waiting until a session is connected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional, Union

from ..qr import Qr
from .api_error import ApiError, CodeNeededError, LoginExpiredError, LoginTimeoutError, PasswordNeededError
from .calls import Caller
from .effects import Ask, Steps, Wait
from .requests import Arguments

# A new session has its QR code after a moment; then the interface recommends 2 to 3 seconds.
_FIRST_POLL_SECONDS = 0.5
_POLL_SECONDS = 2.0

# A text, or a function that is asked for it once it is needed.
Secret = Union[str, Callable[[str], Any], None]


@dataclass(frozen=True)
class LoginSteps:
    """What the user does of a login.

    :ivar on_qr: gets each new ``Qr``
    :ivar password: the two-step password, or a function that gets the hint and returns it
    :ivar code: a function that gets where the login code was sent and returns it
    :ivar timeout: seconds; None: as long as the session lives
    """

    on_qr: Optional[Callable[[Qr], Any]] = None
    password: Secret = None
    code: Secret = None
    timeout: Optional[float] = None


def wait_for_login(caller: Caller, user: LoginSteps) -> Steps[Any]:
    """Answers the session's state once it is connected. @raises LoginError, GatewayError"""
    started = caller.clock()
    shown = ""
    while True:
        try:
            state = yield from caller.call("getSession", Arguments())
        except ApiError as error:
            if error.code == "session_not_found":
                raise LoginExpiredError("the session is deleted: its login took too long") from error
            raise
        if state["isConnected"]:
            return state
        if state["isPasswordRequired"]:
            if user.password is None:
                raise PasswordNeededError(state["passwordHint"])
            password = yield from _secret(user.password, state["passwordHint"])
            # A wrong one is an error: guessing would cost waits of Telegram's.
            yield from caller.call("submitPassword", Arguments(body={"password": password}))
            continue
        if state["isCodeRequired"]:
            if user.code is None:
                raise CodeNeededError(state["codeSentTo"])
            code = yield from _secret(user.code, state["codeSentTo"])
            yield from caller.call("submitLoginCode", Arguments(body={"code": code}))
            continue
        if state["qrcode"] and state["qrcode"] != shown:
            shown = state["qrcode"]
            if user.on_qr is not None:
                yield Ask(user.on_qr, (Qr(shown),))
        pause = _POLL_SECONDS if shown else _FIRST_POLL_SECONDS
        if user.timeout is not None and caller.clock() - started + pause > user.timeout:
            raise LoginTimeoutError(f"the session is not connected after {user.timeout:g} s")
        yield Wait(pause)


def _secret(given: Secret, argument: str) -> Steps[str]:
    if callable(given):
        answer = yield Ask(given, (argument,))
        return str(answer)
    return str(given)
