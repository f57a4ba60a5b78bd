"""Prints `SEQ TEXT` of each message that comes to a reader, until the session is deleted: GATEWAY, SESSION, WAY."""

import asyncio
import json
import os

from telegram_gateway import AsyncGateway, Gateway
from telegram_gateway.events import Event

URL = os.environ["GATEWAY"]
SESSION = json.loads(os.environ["SESSION"])
WAY, _, KIND = os.environ["WAY"].partition(" ")
READER = f"{WAY}-{KIND}"


def show(event: Event) -> None:
    if event["type"] == "message":
        print(f"came {event['seq']} {event['data']['text']}", flush=True)


def blocking() -> None:
    with Gateway(URL) as gateway:
        session = gateway.session(SESSION["id"], SESSION["session-id"])
        for event in session.events(READER, websocket=KIND == "websocket"):
            show(event)


async def asynchronous() -> None:
    async with AsyncGateway(URL) as gateway:
        session = gateway.session(SESSION["id"], SESSION["session-id"])
        async for event in session.events(READER, websocket=KIND == "websocket"):
            show(event)


if WAY == "blocking":
    blocking()
else:
    asyncio.run(asynchronous())
print("the stream has ended", flush=True)
