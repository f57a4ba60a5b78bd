import json
import unittest
from pathlib import Path

from telegram_gateway import Qr

# Made by the gateway's own encoder.
CODES = json.loads((Path(__file__).parent / "qr-codes.json").read_text("utf8"))


class AQrCode(unittest.TestCase):
    def test_tells_its_link(self) -> None:
        self.assertGreater(len(CODES), 3)
        for code in CODES:
            self.assertEqual(Qr(code["png"]).link, code["text"])

    def test_is_text_that_has_its_modules(self) -> None:
        for code in CODES:
            modules = Qr(code["png"]).modules
            for is_dark in (True, False):
                lines = Qr(code["png"]).to_text(is_dark).split("\n")
                self.assertEqual({len(line) for line in lines}, {len(modules) + 8})
                rows = []
                for line in lines:
                    rows.append([(letter in "▀█") != is_dark for letter in line])
                    rows.append([(letter in "▄█") != is_dark for letter in line])
                self.assertEqual([row[4:-4] for row in rows[4 : 4 + len(modules)]], modules)
                around = rows[:4] + rows[4 + len(modules) :]
                self.assertEqual({module for row in around for module in row}, {False})

    def test_is_an_address_for_a_page(self) -> None:
        self.assertEqual(Qr("aGk=").data_uri, "data:image/png;base64,aGk=")
        self.assertEqual(Qr("aGk=").png, b"hi")

    def test_does_not_show_itself_in_logs(self) -> None:
        self.assertEqual((repr(Qr("secret")), str(Qr("secret"))), ("<Qr>", "<Qr>"))

    def test_that_is_none_is_an_error(self) -> None:
        for base64_png in ("", "aGk=", "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="):
            with self.assertRaises(ValueError):
                Qr(base64_png).modules
