"""An endpoint for webhooks: TOKEN=secret PORT=8080 python3 examples/receiver.py"""

import json
import os
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

from telegram_gateway.events import Event
from telegram_gateway.webhooks import WsgiWebhook


def handle(event: Event) -> None:
    """Called once for each event. What takes longer than a few seconds belongs into a queue."""
    if event["type"] == "message":
        print(event["data"]["user"]["name"], json.dumps(event["data"]["text"]), flush=True)
    else:
        print(event["type"], flush=True)


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


application = WsgiWebhook(os.environ["TOKEN"], handle)
with make_server("127.0.0.1", int(os.environ.get("PORT", "8080")), application, handler_class=Quiet) as server:
    print(f"listening on {server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)
