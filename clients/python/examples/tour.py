"""The README's tour: GATEWAY=http://127.0.0.1:3000 SANDBOX=http://127.0.0.1:4400 python3 examples/tour.py"""

import json
import os
import urllib.request
from typing import Any, Optional

from telegram_gateway import Gateway, Qr

SANDBOX = os.environ.get("SANDBOX", "http://127.0.0.1:4400")


def sandbox(path: str, body: Optional[object] = None) -> Any:
    """What the sandbox's control API answers: it plays Telegram and the phones."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SANDBOX + path, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def scan(qr: Qr) -> None:
    """Ann scans the code with her phone."""
    print(qr.to_text())
    sandbox("/qr/scan", {"link": qr.link, "userId": "1001"})


with Gateway(os.environ.get("GATEWAY", "http://127.0.0.1:3000"), http=os.environ.get("HTTP")) as gateway:
    session = gateway.create_session(label="Support desk")
    state = session.wait_for_login(scan)
    print(f"connected as {state['name']}, +{state['phone']}")

    sent = session.send_text("Hello **Bob**", username="bob", parse_mode="markdown")
    seen = sandbox("/accounts/1002/messages?peer=1001&limit=1")
    print(f"message {sent['messageId']} is there: {seen[0]['text']}")

    input("kill the gateway, start it again, and press return: ")
    state = session.wait_for_login()
    print(f"connected again as {state['name']}")
