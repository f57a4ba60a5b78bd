"""Reads the text of a QR code (ISO/IEC 18004) whose modules are exact: nothing has to be corrected.

Only what the gateway makes: error correction of level M, and bytes.
"""

from __future__ import annotations

from typing import Callable, Iterator, List, Tuple

Modules = List[List[bool]]

# Table 9 of the standard, level M, by version from 1: codewords of error correction a block, and blocks.
_EC_CODEWORDS = [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
    26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
]  # fmt: skip
_BLOCKS = [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
    17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
]  # fmt: skip
# Table 10: what inverts the module in this row and column.
_MASKS: List[Callable[[int, int], bool]] = [
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: (y * x) % 2 + (y * x) % 3 == 0,
    lambda y, x: ((y * x) % 2 + (y * x) % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + (y * x) % 3) % 2 == 0,
]
# The first five bits of the format are inverted by this; of them two say the level (M is 0), three the mask.
_FORMAT_MASK = 0b10101
_BYTE_MODE = 0b0100


def read_text(modules: Modules) -> str:
    """The text in a code. @raises ValueError if it is none of the gateway's"""
    size = len(modules)
    version = (size - 17) // 4
    if size != version * 4 + 17 or not 1 <= version <= 40:
        raise ValueError("no QR code has this size")
    format_bits = _number(modules[8][x] for x in range(5)) ^ _FORMAT_MASK
    if format_bits >> 3 != 0:
        raise ValueError("the QR code has another level of error correction")
    mask = _MASKS[format_bits & 7]
    bits = [modules[y][x] != mask(y, x) for y, x in _data_places(size, version)]
    codewords = [_number(bits[at : at + 8]) for at in range(0, len(bits) - 7, 8)]
    return _text(_data(codewords, version), version)


def _data_places(size: int, version: int) -> Iterator[Tuple[int, int]]:
    """Where the data are, in their order: columns in pairs from the right, upwards and downwards by turns."""
    is_function = _function_modules(size, version)
    is_upward = True
    for right in [*range(size - 1, 6, -2), *range(5, 0, -2)]:
        for step in range(size):
            y = size - 1 - step if is_upward else step
            for x in (right, right - 1):
                if not is_function[y][x]:
                    yield y, x
        is_upward = not is_upward


def _function_modules(size: int, version: int) -> Modules:
    """Where no data are: finders, timing, alignment, format and version."""
    taken = [[False] * size for _ in range(size)]

    def take(top: int, left: int, height: int, width: int) -> None:
        for y in range(top, top + height):
            taken[y][left : left + width] = [True] * width

    take(0, 0, 9, 9)
    take(0, size - 8, 9, 8)
    take(size - 8, 0, 8, 9)
    take(6, 0, 1, size)
    take(0, 6, size, 1)
    centres = _alignment_centres(version)
    last = len(centres) - 1
    for row, y in enumerate(centres):
        for column, x in enumerate(centres):
            if (row, column) not in ((0, 0), (0, last), (last, 0)):
                take(y - 2, x - 2, 5, 5)
    if version >= 7:
        take(0, size - 11, 6, 3)
        take(size - 11, 0, 3, 6)
    return taken


def _alignment_centres(version: int) -> List[int]:
    """Annex E: evenly apart, counted from the end."""
    if version == 1:
        return []
    count = version // 7 + 2
    step = 26 if version == 32 else (version * 4 + count * 2 + 1) // (count * 2 - 2) * 2
    return [6] + [version * 4 + 10 - step * place for place in range(count - 1)][::-1]


def _data(codewords: List[int], version: int) -> bytes:
    """The data codewords in their order: blocks are interleaved, the longer ones last."""
    blocks = _BLOCKS[version - 1]
    total = len(codewords)
    length = total // blocks - _EC_CODEWORDS[version - 1]
    longer = total % blocks
    parts: List[List[int]] = [[] for _ in range(blocks)]
    at = 0
    for column in range(length + 1):
        for place, part in enumerate(parts):
            if column < length or place >= blocks - longer:
                part.append(codewords[at])
                at += 1
    return bytes(value for part in parts for value in part)


def _text(data: bytes, version: int) -> str:
    """The segments of bytes, up to the terminator."""
    bits = "".join(f"{value:08b}" for value in data)
    count_bits = 8 if version < 10 else 16
    at = 0
    found = bytearray()
    while len(bits) - at >= 4 and bits[at : at + 4] != "0000":
        if int(bits[at : at + 4], 2) != _BYTE_MODE:
            raise ValueError("the QR code has other data than bytes")
        start = at + 4 + count_bits
        count = int(bits[at + 4 : start], 2)
        at = start + count * 8
        found += bytes(int(bits[start + place * 8 : start + place * 8 + 8], 2) for place in range(count))
    return found.decode()


def _number(bits: "List[bool] | Iterator[bool]") -> int:
    value = 0
    for bit in bits:
        value = value * 2 + bit
    return value
