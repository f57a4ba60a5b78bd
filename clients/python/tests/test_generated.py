import unittest
from pathlib import Path
from typing import get_type_hints

import telegram_gateway
from telegram_gateway import AsyncGateway, AsyncSession, Gateway, Session, errors, events, types
from telegram_gateway._core.error_classes import ERROR_CLASSES
from telegram_gateway._core.operations import OPERATIONS

DOCUMENT = Path(__file__).resolve().parents[3] / "docs/openapi.json"


@unittest.skipUnless(DOCUMENT.exists(), "the API document is not part of the package")
class WhatIsGenerated(unittest.TestCase):
    def test_is_what_the_documents_say(self) -> None:
        from generator.__main__ import stale

        self.assertEqual(stale(), [], "python3 -m generator writes them")

    def test_has_every_operation_of_the_document_but_what_is_written_by_hand(self) -> None:
        import json

        document = json.loads(DOCUMENT.read_text("utf8"))
        names = {one["operationId"] for path in document["paths"].values() for one in path.values()}
        missing = {name for name in names - set(OPERATIONS) if "Linked" not in name}
        # By hand: upload, events, stream_events, stream_events_of, stream_sessions. For pages and monitoring: the others.
        self.assertEqual(
            missing,
            {"uploadFile", "readMessages", "streamMessages", "streamEvents", "streamEventsOf", "streamSessions"}
            | {"getMedia", "metrics", "consoleConfig", "setWebhookByPost"},
        )


class TheTwoClients(unittest.TestCase):
    def test_have_the_same_methods(self) -> None:
        for blocking, other in ((Gateway, AsyncGateway), (Session, AsyncSession)):
            names = {name for name in dir(blocking) if not name.startswith("_")}
            self.assertEqual(names, {name for name in dir(other) if not name.startswith("_")})
        self.assertGreater(len([name for name in dir(Session) if not name.startswith("_")]), 90)

    def test_do_not_show_a_secret(self) -> None:
        gateway = Gateway(api_key="secret-key")
        self.assertNotIn("secret", repr(gateway) + repr(gateway.session("id-1", "secret-1")))


class TheTypes(unittest.TestCase):
    def test_are_all_there_when_they_are_asked_for(self) -> None:
        for module in (types, events):
            named = [value for value in vars(module).values() if hasattr(value, "__total__")]
            self.assertGreater(len(named), 30)
            for value in named:
                get_type_hints(value)

    def test_of_errors_have_one_for_each_code(self) -> None:
        for code, kind in ERROR_CLASSES.items():
            self.assertIs(getattr(errors, kind.__name__), kind, code)
            self.assertTrue(issubclass(kind, telegram_gateway.ApiError))
