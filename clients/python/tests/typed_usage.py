"""For mypy --strict: what is right has no error, and what is wrong has the one that is named behind it."""

from typing import AsyncIterator, Iterator

from telegram_gateway import AsyncSession, Gateway, Session
from telegram_gateway.events import Event
from telegram_gateway.types import Chat, SendMessageResult


def right(session: Session) -> str:
    session.send_text("Hello", username="bob", parse_mode="markdown")
    session.send({"type": "text", "username": "bob", "text": "Hello"})
    session.send({"type": "location", "user": "1002", "location": {"latitude": 52.5, "longitude": 13.4}})
    session.send_poll({"question": "Tea?", "options": ["Yes", "No"]}, group="-1003001")
    session.change(label="Desk", pace=None)
    chats: Iterator[Chat] = session.iter_chats(archived=False)
    for event in session.events("desk", events=["message", "message.read"], chats=["1002"]):
        kind = of(event)
    return kind + next(chats)["name"]


def of(event: Event) -> str:
    if event["type"] == "message":
        return event["data"]["text"]
    if event["type"] == "message.read":
        return event["data"]["upTo"]
    return event["type"]


async def also_right(session: AsyncSession) -> SendMessageResult:
    chats: AsyncIterator[Chat] = session.iter_chats()
    async for chat in chats:
        await session.read_chat(user=chat["id"])
    state = await session.wait_for_login(lambda qr: print(qr.to_text()))
    return await session.send_text(state["name"], username="bob")


def wrong(gateway: Gateway, session: Session) -> None:
    session.send_text("Hello", parse_mode="latex", username="bob")  # type: ignore[arg-type]
    session.send_text(username="bob")  # type: ignore[call-arg]
    session.send_text("Hello", user=1002)  # type: ignore[arg-type]
    session.send({"type": "text", "username": "bob"})  # type: ignore[arg-type]
    session.get_state()["qr"]  # type: ignore[typeddict-item]
    session.list_sessions()  # type: ignore[attr-defined]
    session.events("desk", events=["messages"])  # type: ignore[list-item]
    gateway.issue_key("acme", ["everything"])  # type: ignore[list-item]
