"""The gateway's address, taken apart."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Address:
    """Where the gateway is. ``host`` is what the header of that name says; ``prefix`` is a path before all others."""

    is_secure: bool
    hostname: str
    port: int
    host: str
    prefix: str

    @property
    def base(self) -> str:
        return f"{'https' if self.is_secure else 'http'}://{self.host}{self.prefix}"


def address_of(base_url: str) -> Address:
    """@raises ValueError if it is no http or https URL"""
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"no http or https URL: {base_url!r}")
    if parts.username or parts.query or parts.fragment:
        raise ValueError("the gateway's URL has no user, query or fragment: give api_key for a key")
    is_secure = parts.scheme == "https"
    port = parts.port or (443 if is_secure else 80)
    return Address(is_secure, parts.hostname, port, parts.netloc, parts.path.rstrip("/"))
