import json
import unittest
from typing import Any

from telegram_gateway import errors
from telegram_gateway._core.effects import Lost, NotSent
from telegram_gateway._core.requests import NOT_GIVEN, Access, Arguments, Request, nullable, target_of
from telegram_gateway._core.retry import RetryPolicy

from .playing import Stage, error, response

TEXT = Arguments(body={"username": "bob", "type": "text", "text": "Hello", "replyTo": None})
SENT = response(200, {"messageId": "14"})


def body_of(request: Request) -> Any:
    assert isinstance(request.body, bytes)
    return json.loads(request.body)


OWNER = Access(session_id="id-1", secret="secret-1", api_key="key-1")


class ARequest(unittest.TestCase):
    def test_has_what_was_given_and_nothing_else(self) -> None:
        stage = Stage(SENT)
        self.assertEqual(stage.run(stage.caller(OWNER).call("sendMessage", TEXT)), {"messageId": "14"})
        (request,) = stage.requests
        self.assertEqual((request.verb, request.target), ("POST", "/message"))
        self.assertEqual(body_of(request), {"username": "bob", "type": "text", "text": "Hello"})
        self.assertEqual(request.headers["content-type"], "application/json")

    def test_escapes_paths_and_joins_lists(self) -> None:
        self.assertEqual(target_of("/user/{userId}", {"userId": "@a/b"}, {}), "/user/%40a%2Fb")
        query = {"messageIds": ["1", "2"], "forEveryone": True, "topic": None}
        self.assertEqual(target_of("/message", {}, query), "/message?messageIds=1%2C2&forEveryone=true")

    def test_sends_null_only_where_it_was_given(self) -> None:
        for given, body in ((None, {"pace": None}), (NOT_GIVEN, {})):
            stage = Stage(response(200, {}))
            stage.run(stage.caller(OWNER).call("changeSession", Arguments(body={"pace": nullable(given)})))
            self.assertEqual(body_of(stage.requests[0]), body)

    def test_proves_itself_as_its_operation_wants(self) -> None:
        by_key = Access(session_id="id-1", api_key="key-1")
        names = {"id", "session-id", "x-api-key"}
        for access, operation, expected in (
            (OWNER, "getSession", {"id", "session-id"}),
            (by_key, "getSession", {"id", "x-api-key"}),
            (OWNER, "exportLogin", names),
            (OWNER, "callMethod", {"id", "x-api-key"}),
            (OWNER, "listKeys", {"x-api-key"}),
            (OWNER, "ready", set()),
        ):
            stage = Stage(response(200, {}))
            stage.run(stage.caller(access).call(operation, Arguments(path={"method": "help.getConfig"})))
            self.assertEqual(names & set(stage.requests[0].headers), expected, operation)


class AFailedCall(unittest.TestCase):
    def test_is_repeated_under_one_key(self) -> None:
        stage = Stage(Lost("reset"), error(500, "session_not_connected"), NotSent("refused"), SENT)
        stage.run(stage.caller().call("sendMessage", TEXT))
        self.assertEqual([request.headers["idempotency-key"] for request in stage.requests], ["key-1"] * 4)
        self.assertEqual(stage.waits, [0.25, 0.5, 1.0])

    def test_has_a_new_key_for_each_call_and_keeps_a_given_one(self) -> None:
        stage = Stage(SENT, SENT, SENT)
        caller = stage.caller()
        stage.run(caller.call("sendMessage", TEXT))
        stage.run(caller.call("sendMessage", TEXT))
        stage.run(caller.call("sendMessage", Arguments(body=TEXT.body, idempotency_key="order-4711")))
        keys = [request.headers["idempotency-key"] for request in stage.requests]
        self.assertEqual(keys, ["key-1", "key-2", "order-4711"])

    def test_waits_as_long_as_the_gateway_says(self) -> None:
        stage = Stage(error(429, "pace_reached", 17), SENT)
        stage.run(stage.caller().call("sendMessage", TEXT))
        self.assertEqual(stage.waits, [17.0])

    def test_understands_a_date_as_retry_after(self) -> None:
        # 1,800,000,000 s after the epoch, and 30 s more.
        refused = response(503, {"message": "away"}, {"retry-after": "Fri, 15 Jan 2027 08:00:30 GMT"})
        stage = Stage(refused, SENT)
        stage.run(stage.caller().call("sendMessage", TEXT))
        self.assertEqual(stage.waits, [30.0])

    def test_ends_where_the_wait_is_longer_than_there_is_time(self) -> None:
        stage = Stage(error(429, "telegram_wait", 3600))
        with self.assertRaises(errors.TelegramWaitError) as raised:
            stage.run(stage.caller().call("sendMessage", TEXT))
        self.assertEqual(raised.exception.retry_after, 3600.0)
        self.assertEqual(stage.waits, [])

    def test_ends_after_the_time_of_its_policy(self) -> None:
        stage = Stage(*[NotSent("refused")] * 100)
        with self.assertRaises(errors.ConnectionFailedError) as raised:
            stage.run(stage.caller(retry=RetryPolicy(max_seconds=10)).call("sendMessage", TEXT))
        self.assertFalse(raised.exception.was_sent)
        self.assertEqual(stage.waits, [0.25, 0.5, 1.0, 2.0, 4.0])

    def test_is_one_try_without_time(self) -> None:
        stage = Stage(NotSent("refused"))
        with self.assertRaises(errors.ConnectionFailedError):
            stage.run(stage.caller(retry=RetryPolicy(max_seconds=0)).call("getSession", Arguments()))
        self.assertEqual(len(stage.requests), 1)

    def test_that_may_have_been_carried_out_is_not_repeated_without_a_key(self) -> None:
        for failure in (Lost("reset"), error(503, "store_unavailable", 1), error(500, "session_not_connected")):
            stage = Stage(failure)
            with self.assertRaises(errors.GatewayError):
                stage.run(stage.caller().call("createSession", Arguments(body={})))
            self.assertEqual(len(stage.requests), 1)

    def test_that_was_certainly_not_carried_out_is_repeated_without_a_key(self) -> None:
        stage = Stage(NotSent("refused"), error(503, "starting", 1), error(503, "overloaded", 5), response(200, {}))
        stage.run(stage.caller().call("createSession", Arguments(body={})))
        self.assertEqual(stage.waits, [0.25, 1.0, 5.0])

    def test_that_no_repetition_helps_is_an_error_at_once(self) -> None:
        for refused in (error(400, "chat_not_found"), error(500, "outcome_unknown"), error(500, "internal_error")):
            stage = Stage(refused)
            with self.assertRaises(errors.ApiError) as raised:
                stage.run(stage.caller().call("sendMessage", TEXT))
            self.assertEqual(raised.exception.code, refused.headers["x-error-code"])
            self.assertEqual(stage.waits, [])


class AnError(unittest.TestCase):
    def test_is_of_the_class_of_its_code(self) -> None:
        stage = Stage(error(400, "chat_not_found"))
        with self.assertRaises(errors.ChatNotFoundError) as raised:
            stage.run(stage.caller().call("sendMessage", TEXT))
        found = raised.exception
        self.assertEqual((found.status, found.code, found.message), (400, "chat_not_found", "chat not found"))
        self.assertEqual((found.retry_after, found.request_id), (None, "r-1"))
        self.assertIsInstance(found, errors.GatewayError)

    def test_with_an_unknown_code_or_none_has_its_status(self) -> None:
        for refused, code in (
            (error(418, "brewing"), "brewing"),
            (response(404), "status_404"),
            (response(404, [1]), "status_404"),
        ):
            stage = Stage(refused)
            with self.assertRaises(errors.ApiError) as raised:
                stage.run(stage.caller().call("sendMessage", TEXT))
            self.assertIs(type(raised.exception), errors.ApiError)
            self.assertEqual(raised.exception.code, code)


class APage(unittest.TestCase):
    def test_names_the_next_one_until_the_end(self) -> None:
        for last in ("", 0, "b"):
            stage = Stage(response(200, {"docs": [1], "after": "b"}), response(200, {"docs": [2], "after": last}))
            caller = stage.caller()
            self.assertEqual(stage.run(caller.page("listChats", "after", Arguments(), None)), ([1], "b"))
            self.assertEqual(stage.run(caller.page("listChats", "after", Arguments(), "b")), ([2], None))
            self.assertEqual([request.target for request in stage.requests], ["/chat", "/chat?after=b"])
