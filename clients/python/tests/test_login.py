import unittest
from typing import Any, Dict, List

from telegram_gateway import Qr, errors
from telegram_gateway._core.login import LoginSteps, Secret, wait_for_login

from .playing import Stage, error, response


def state(**fields: Any) -> Any:
    known: Dict[str, Any] = {"isConnected": False, "isPasswordRequired": False, "isCodeRequired": False, "qrcode": ""}
    return response(200, {**known, "passwordHint": "", "codeSentTo": "", **fields})


CONNECTED = state(isConnected=True)
PASSWORD = state(isPasswordRequired=True, passwordHint="a pet")


class ALogin(unittest.TestCase):
    def test_shows_each_code_once_and_ends_connected(self) -> None:
        stage = Stage(state(), state(qrcode="a"), state(qrcode="a"), state(qrcode="b"), state(), CONNECTED)
        shown: List[Qr] = []
        result = stage.run(wait_for_login(stage.caller(), LoginSteps(on_qr=shown.append)))
        self.assertTrue(result["isConnected"])
        self.assertEqual([qr.base64_png for qr in shown], ["a", "b"])
        self.assertEqual(stage.waits, [0.5, 2.0, 2.0, 2.0, 2.0])

    def test_gives_the_password_when_it_is_asked_for(self) -> None:
        hints: List[str] = []

        def ask(hint: str) -> str:
            hints.append(hint)
            return "hunter2"

        given: List[Secret] = ["hunter2", ask]
        for password in given:
            stage = Stage(PASSWORD, response(200, {"id": "1"}), CONNECTED)
            stage.run(wait_for_login(stage.caller(), LoginSteps(password=password)))
            self.assertEqual(stage.requests[1].target, "/session/password")
            self.assertEqual(stage.requests[1].body, b'{"password":"hunter2"}')
        self.assertEqual(hints, ["a pet"])

    def test_gives_the_code_when_it_is_asked_for(self) -> None:
        stage = Stage(state(isCodeRequired=True, codeSentTo="sms"), response(200, {}), CONNECTED)
        stage.run(wait_for_login(stage.caller(), LoginSteps(code=lambda sent_to: f"12345 by {sent_to}")))
        self.assertEqual(stage.requests[1].body, b'{"code":"12345 by sms"}')

    def test_says_what_is_missing(self) -> None:
        stage = Stage(PASSWORD)
        with self.assertRaises(errors.PasswordNeededError) as raised:
            stage.run(wait_for_login(stage.caller(), LoginSteps()))
        self.assertEqual(raised.exception.hint, "a pet")
        stage = Stage(state(isCodeRequired=True, codeSentTo="app"))
        with self.assertRaises(errors.CodeNeededError) as needed:
            stage.run(wait_for_login(stage.caller(), LoginSteps()))
        self.assertEqual(needed.exception.sent_to, "app")

    def test_does_not_guess_a_password(self) -> None:
        stage = Stage(PASSWORD, error(400, "invalid_password"))
        with self.assertRaises(errors.InvalidPasswordError):
            stage.run(wait_for_login(stage.caller(), LoginSteps(password="wrong")))

    def test_that_took_too_long_has_an_error_of_its_own(self) -> None:
        stage = Stage(state(qrcode="a"), error(404, "session_not_found"))
        with self.assertRaises(errors.LoginExpiredError):
            stage.run(wait_for_login(stage.caller(), LoginSteps()))

    def test_waits_no_longer_than_it_is_told(self) -> None:
        stage = Stage(*[state(qrcode="a")] * 9)
        with self.assertRaises(errors.LoginTimeoutError):
            stage.run(wait_for_login(stage.caller(), LoginSteps(timeout=5)))
        self.assertEqual(stage.waits, [2.0, 2.0])
