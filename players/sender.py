"""An HTTP POST to an address that a player has chosen: no door into the operator's network.

The name is resolved once, and only an address that is public is connected to, that very one. No
redirect is followed, no proxy asked, and all of it must be done in a few seconds: the name is found
in half of SECONDS, and the rest done in SECONDS.
"""

import ipaddress
import socket
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

SECONDS = 10.0
"""From when the address is known to the answer, however slowly that drips."""

LOOKUPS = ThreadPoolExecutor(16, "lookup")
"""A resolver cannot be told to hurry: who has waited long enough leaves it there."""

EMBEDDING = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses that lead to the IPv4 address in their last four bytes."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotSent(Exception):
    """Why there is no answer, in words for the webhook's owner."""


def checked(url: str) -> SplitResult:
    """The parts of an address that may be posted to. Raises ValueError, in words."""
    if not url.isascii() or not url.isprintable() or " " in url:
        raise ValueError("An address has printable ASCII characters without spaces.")
    parts = urlsplit(url)
    schemes = ("https", "http") if settings.WEBHOOKS_ANYWHERE else ("https",)
    if parts.scheme not in schemes or not parts.hostname:
        raise ValueError(f"An address begins with {' or '.join(schemes)}:// and a host's name.")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise ValueError("An address has no user, no password and no fragment.")
    if parts.port == 0:
        raise ValueError("There is no port 0.")
    with suppress(NotSent):
        literal = as_address(parts.hostname)
        if literal is not None and not allowed(literal):
            raise ValueError("That is no public address.")
    return parts


def as_address(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def allowed(address: Address) -> bool:
    """Whether it is public: not loopback, private, link-local, multicast or reserved."""
    if settings.WEBHOOKS_ANYWHERE:
        return True
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in EMBEDDING:
            inner = ipaddress.IPv4Address(address.packed[-4:])
        if inner is not None:
            return allowed(inner)
        if address.teredo is not None or address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def resolve(host: str, port: int) -> str:
    """One public address of the host. Raises NotSent: one that is not is never tried."""
    try:
        asked = LOOKUPS.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = asked.result(SECONDS / 2)
    except TimeoutError:
        asked.cancel()
        raise NotSent("the host's name was not found in time") from None
    except (OSError, UnicodeError):
        raise NotSent("the host's name is not known") from None
    addresses = [str(each[4][0]).partition("%")[0] for each in found]
    if not all(allowed(ipaddress.ip_address(address)) for address in addresses):
        raise NotSent("the host has an address that is not public")
    return addresses[0]


def post(url: str, body: bytes, headers: dict[str, str]) -> int:
    """The status of the answer. Raises NotSent."""
    try:
        parts = checked(url)
    except ValueError as error:
        raise NotSent(str(error)) from None
    host, secure = str(parts.hostname), parts.scheme == "https"
    kind = HTTPSConnection if secure else HTTPConnection
    port = parts.port or kind.default_port
    address = resolve(host, port)
    connection = kind(host, port, timeout=SECONDS / 2)
    watch = threading.Timer(SECONDS, cut, [connection])
    watch.start()
    try:
        connect(connection, address, secure)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, headers)
        return connection.getresponse().status
    except TimeoutError:
        raise NotSent("it did not answer in time") from None
    except ssl.SSLError as error:
        raise NotSent(f"no TLS: {error.reason or error}") from None
    except (OSError, HTTPException, ValueError) as error:
        raise NotSent(f"no answer: {type(error).__name__}") from None
    finally:
        watch.cancel()
        connection.close()


def connect(connection: HTTPConnection, address: str, secure: bool) -> None:
    """To the address that was looked at; TLS asks for the host by its name. Raises NotSent."""
    try:
        connection.sock = socket.create_connection((address, connection.port), SECONDS / 2)
    except TimeoutError:
        raise
    except OSError as error:
        raise NotSent(f"no connection: {error.strerror or error}") from None
    if secure:
        context = ssl.create_default_context()
        connection.sock = wrapped = context.wrap_socket(
            connection.sock, server_hostname=connection.host, do_handshake_on_connect=False
        )
        wrapped.do_handshake()


def cut(connection: HTTPConnection) -> None:
    with suppress(OSError):
        if connection.sock:
            connection.sock.shutdown(socket.SHUT_RDWR)
