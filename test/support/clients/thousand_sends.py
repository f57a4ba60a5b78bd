"""Sends texts to USERNAME with several hands, prints `TEXT ID` for each: GATEWAY, SESSION (JSON), COUNT, WAY."""

import asyncio
import json
import os
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from telegram_gateway import AsyncGateway, Gateway, RetryPolicy

URL = os.environ["GATEWAY"]
SESSION = json.loads(os.environ["SESSION"])
TEXTS = [f"text {number}" for number in range(int(os.environ["COUNT"]))]
RECIPIENT = os.environ["USERNAME"]
HANDS = 8
# A gateway that is killed again and again on a slow machine is away for longer than others.
RETRY = RetryPolicy(max_seconds=600)
WAY, _, HTTP = os.environ["WAY"].partition(" ")


PRINTING = Lock()


def show(text: str, message_id: str) -> None:
    with PRINTING:
        print(f"sent {text} {message_id}", flush=True)


def blocking() -> None:
    with Gateway(URL, retry=RETRY, http=HTTP) as gateway, ThreadPoolExecutor(HANDS) as hands:
        session = gateway.session(SESSION["id"], SESSION["session-id"])

        def send(text: str) -> None:
            show(text, session.send_text(text, username=RECIPIENT)["messageId"])

        list(hands.map(send, TEXTS))


async def asynchronous() -> None:
    async with AsyncGateway(URL, retry=RETRY, http=HTTP) as gateway:
        session = gateway.session(SESSION["id"], SESSION["session-id"])
        texts = iter(TEXTS)

        async def hand() -> None:
            for text in texts:
                sent = await session.send_text(text, username=RECIPIENT)
                show(text, sent["messageId"])

        await asyncio.gather(*(hand() for _ in range(HANDS)))


if WAY == "blocking":
    blocking()
else:
    asyncio.run(asynchronous())
