"""Logs Ann in and prints the session's two headers as JSON: GATEWAY, SANDBOX."""

import json
import os
import urllib.request

from telegram_gateway import Gateway, Qr


def scan(qr: Qr) -> None:
    """Ann scans the code with her phone."""
    body = json.dumps({"link": qr.link, "userId": "1001"}).encode()
    request = urllib.request.Request(os.environ["SANDBOX"] + "/qr/scan", body, {"content-type": "application/json"})
    urllib.request.urlopen(request).close()


with Gateway(os.environ["GATEWAY"]) as gateway:
    session = gateway.create_session()
    session.wait_for_login(scan)
    print(json.dumps({"id": session.id, "session-id": session.session_id}))
