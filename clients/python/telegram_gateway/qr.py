"""The QR code of a login: as text for a terminal, as a data URI for a page, and as the link in it."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import List

from ._core.qr_reading import read_text

# ISO/IEC 18004: light modules around the code. A terminal's own background is no part of it.
_MARGIN_MODULES = 4
# The dark row on top of a finder pattern has so many modules.
_FINDER_MODULES = 7

Modules = List[List[bool]]


class Qr:
    """A QR code as the gateway has it in ``qrcode``: base64 of a PNG. It logs an account in: show it, don't log it."""

    def __init__(self, base64_png: str) -> None:
        self.base64_png = base64_png

    def __repr__(self) -> str:
        return "<Qr>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Qr) and other.base64_png == self.base64_png

    def __hash__(self) -> int:
        return hash(self.base64_png)

    @property
    def png(self) -> bytes:
        """The picture's file."""
        return base64.b64decode(self.base64_png)

    @property
    def data_uri(self) -> str:
        """The picture as the address of an ``<img>``."""
        return f"data:image/png;base64,{self.base64_png}"

    @property
    def modules(self) -> Modules:
        """The code without its margin, row by row; True is dark."""
        return _modules(_pixels(self.png))

    @property
    def link(self) -> str:
        """What a phone reads in it: a link that opens Telegram and accepts the login."""
        return read_text(self.modules)

    def to_text(self, is_dark: bool = True) -> str:
        """Lines for a terminal, two rows of modules each. ``is_dark`` is whether the terminal writes light on dark."""
        modules = self.modules
        width = len(modules) + 2 * _MARGIN_MODULES
        light_row = [False] * width
        side = [False] * _MARGIN_MODULES
        rows = [light_row] * _MARGIN_MODULES + [side + row + side for row in modules] + [light_row] * _MARGIN_MODULES
        if len(rows) % 2 == 1:
            rows.append(light_row)
        blocks = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
        lines = []
        for upper, lower in zip(rows[::2], rows[1::2]):
            # What is written shines on a dark terminal: there the light modules are.
            lines.append("".join(blocks[(one != is_dark, other != is_dark)] for one, other in zip(upper, lower)))
        return "\n".join(lines)


def _pixels(png: bytes) -> Modules:
    """The dark pixels of a PNG of one bit a pixel, grey, without filters: as the gateway makes it."""
    if png[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("the QR code is no PNG")
    width = height = 0
    packed = b""
    at = 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        content = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", content[:10])
            if (bits, colour) != (1, 0):
                raise ValueError("the QR code has other than black and white pixels")
        elif kind == b"IDAT":
            packed += content
        at += length + 12
    data = zlib.decompress(packed)
    stride = 1 + (width + 7) // 8
    rows = []
    for y in range(height):
        line = data[y * stride : (y + 1) * stride]
        if line[0] != 0:
            raise ValueError("the QR code has filtered rows")
        rows.append([not line[1 + (x >> 3)] >> (7 - (x & 7)) & 1 for x in range(width)])
    return rows


def _modules(pixels: Modules) -> Modules:
    """One value a module: the code's upper left corner is dark for seven modules."""
    top = next(y for y, row in enumerate(pixels) if any(row))
    first = pixels[top]
    left = first.index(True)
    right = next((x for x in range(left, len(first)) if not first[x]), len(first))
    scale = (right - left) // _FINDER_MODULES
    size = (len(pixels) - 2 * top) // scale
    middle = scale // 2
    return [
        [pixels[top + y * scale + middle][left + x * scale + middle] for x in range(size)] for y in range(size)
    ]
