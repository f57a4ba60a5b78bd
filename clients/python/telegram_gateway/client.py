"""The blocking client."""

from __future__ import annotations

import ssl
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Dict, Generator, Iterator, Optional, Sequence, Type, Union

from ._core.address import Address, address_of
from ._core.calls import Caller
from ._core.feeds import audit_feed, reader_feed, sessions_feed, upload
from ._core.login import LoginSteps, Secret, wait_for_login
from ._core.requests import Access, Arguments
from ._core.retry import RetryPolicy
from ._core.streams import Feed, Reading, SseReading, WebSocketReading
from ._drivers import Driver
from ._settings import DEFAULT_URL, VERSION, transport_of
from ._sync_operations import GatewayOperations, SessionOperations
from .events import Chats, Event, EventType
from .qr import Qr
from .types import AuditEntry, CreatedSession, UploadFileResult
from .types import Session as SessionState


class _Calls:
    """Makes the calls of the generated operations."""

    _driver: Driver
    _caller: Caller
    _address: Address

    def _call(self, operation: str, arguments: Arguments) -> Any:
        return self._driver.run(self._caller.call(operation, arguments))

    def _pages(self, operation: str, cursor: str, arguments: Arguments) -> Iterator[Any]:
        at: Any = None
        while True:
            docs, at = self._driver.run(self._caller.page(operation, cursor, arguments, at))
            yield from docs
            if at is None:
                return

    def _stream(self, feed: Feed, after: Optional[object], websocket: bool = False) -> Generator[Any, None, None]:
        place = None if after is None else str(after)
        reading: Reading
        if websocket:
            reading = WebSocketReading(self._caller, feed, place, self._address.host, self._address.prefix)
        else:
            reading = SseReading(self._caller, feed, place)
        try:
            while True:
                event = self._driver.run(reading.next())
                if event is None:
                    return
                yield event
        finally:
            self._driver.run(reading.close())


class Session(_Calls, SessionOperations):
    """One session: an account that is logged in, or is about to be.

    :ivar id: names the session
    :ivar session_id: the session's secret, for your database; None if a key is used instead
    :ivar created: what the gateway answered when it was created here; else None
    """

    def __init__(
        self,
        driver: Driver,
        caller: Caller,
        address: Address,
        created: Optional[CreatedSession] = None,
    ) -> None:
        self._driver = driver
        self._caller = caller
        self._address = address
        self.id = caller.access.session_id or ""
        self.session_id = caller.access.secret
        self.created = created

    def __repr__(self) -> str:
        return f"Session({self.id!r})"

    def wait_for_login(
        self,
        on_qr: Optional[Callable[[Qr], Any]] = None,
        *,
        password: Secret = None,
        code: Secret = None,
        timeout: Optional[float] = None,
    ) -> SessionState:
        """Waits until the account is connected, and answers the session's state.

        :param on_qr: gets each new QR code: ``lambda qr: print(qr.to_text())``
        :param password: the two-step password, or a function that gets the hint and returns it
        :param code: of a login by phone: a function that gets where the code was sent and returns it
        :param timeout: seconds; without it as long as the session waits (3 minutes for a QR code)
        :raises LoginExpiredError: the session is deleted
        :raises PasswordNeededError, CodeNeededError: one is needed, and was not given
        :raises InvalidPasswordError, InvalidCodeError: it is wrong
        """
        state: SessionState = self._driver.run(wait_for_login(self._caller, LoginSteps(on_qr, password, code, timeout)))
        return state

    def qr(self) -> Optional[Qr]:
        """The QR code of now; None if there is none."""
        base64_png = self.get_state()["qrcode"]
        return Qr(base64_png) if base64_png else None

    def upload(self, file: Union[bytes, str, Path], name: Optional[str] = None) -> UploadFileResult:
        """Uploads bytes, or the file of a path; its ``id`` is what ``file`` of a media object takes, for an hour.

        POST /file
        """
        result: UploadFileResult = self._driver.run(upload(self._caller, file, name))
        return result

    def events(
        self,
        reader: str,
        *,
        events: Optional[Sequence[EventType]] = None,
        chats: Optional[Chats] = None,
        after: Optional[int] = None,
        websocket: bool = False,
    ) -> Generator[Event, None, None]:
        """What happens in the account, without an endpoint: now and later, over connections that break, until the session
        is deleted. ``close()`` of what this returns ends it.

        GET /session/messages/stream, or the WebSocket /session/messages

        :param reader: the name under which the gateway keeps the place. One program at a time uses it
        :param events: types of events; left out: as before, at first those of messages
        :param chats: left out: as before, at first ``private``
        :param after: the ``seq`` of the last event that you have; left out: where the gateway believes this reader to be
        :param websocket: acknowledges each event once the next one is asked for, so that a program which starts again goes
            on behind it. Server-sent events acknowledge only when they connect again
        """
        return self._stream(reader_feed(reader, events, chats, websocket), after, websocket)

    def stream_events(self, *, after: Optional[int] = None) -> Generator[AuditEntry, None, None]:
        """What happens to the session and why: all of the past after ``after``, and what comes.

        GET /session/stream
        """
        return self._stream(audit_feed(), after)


class Gateway(_Calls, GatewayOperations):
    """A gateway. Its methods may be used by several threads.

    :param base_url: where it is
    :param api_key: the owner's key, or another one
    :param retry: how long a call is tried again
    :param timeout: seconds for connecting and for each read; a send takes up to 240
    :param http: ``httpx``, ``stdlib``, or None: httpx where it is installed
    :param ssl_context: for https with an authority of your own
    """

    def __init__(
        self,
        base_url: str = DEFAULT_URL,
        api_key: Optional[str] = None,
        *,
        retry: RetryPolicy = RetryPolicy(),
        timeout: float = 300.0,
        http: Optional[str] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._address = address_of(base_url)
        self._driver = Driver(transport_of(self._address, http, ssl_context))
        agent = f"telegram-gateway-python/{VERSION}"
        self._caller = Caller(Access(api_key=api_key), retry=retry, timeout=timeout, user_agent=agent)

    def __repr__(self) -> str:
        return f"Gateway({self._address.base!r})"

    def __enter__(self) -> "Gateway":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the kept connections."""
        self._driver.transport.close()

    def session(self, id: str, session_id: Optional[str] = None) -> Session:
        """A session that was created before: by its ``id`` and secret, or by its ``id`` and the gateway's ``api_key``."""
        return self._session(id, session_id, None)

    def _session_of(self, created: Any) -> Session:
        return self._session(created["id"], created["sessionId"], created)

    def _session(self, id: str, secret: Optional[str], created: Optional[CreatedSession]) -> Session:
        access = replace(self._caller.access, session_id=id, secret=secret)
        return Session(self._driver, replace(self._caller, access=access), self._address, created)

    def stream_sessions(self, *, after: Optional[str] = None, all: bool = False) -> Generator[Dict[str, Any], None, None]:
        """What changes in any session, from now on. ``all`` has every event, also those that change nothing of a list.

        GET /sessions/stream
        """
        return self._stream(sessions_feed(all), after)

    def stream_events_of(self, id: str, *, after: Optional[int] = None) -> Generator[AuditEntry, None, None]:
        """What happens to a session and why.

        GET /sessions/{id}/stream
        """
        return self._stream(audit_feed(id), after)
