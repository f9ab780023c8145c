"""What a webhook's address may be: no door into the operator's network."""

import socket
import threading

import pytest

from players import sender
from tests.receiver import Receiver


@pytest.fixture
def receiver():
    one = Receiver()
    yield one
    one.close()


@pytest.fixture
def names(monkeypatch):
    """names(host=["1.2.3.4"]): what the host's name resolves to."""
    asked = []

    def resolve_to(**hosts):
        def found(host, port, **_):
            asked.append(host)
            addresses = hosts[host.replace("-", "_").partition(".")[0]]
            return [(None, None, None, "", (address, port)) for address in addresses]

        monkeypatch.setattr(socket, "getaddrinfo", found)
        return asked

    return resolve_to


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "example.org",
        "https://",
        "https://user@example.org/",
        "https://user:pass@example.org/",
        "https://example.org/#part",
        "https://example.org/a b",
        "https://exämple.org/",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://127.0.0.1/",
        "https://10.1.2.3/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[fe80::1]/",
        "",
    ],
)
def test_such_an_address_is_refused(url):
    with pytest.raises(ValueError, match=r"."):
        sender.checked(url)
    with pytest.raises(sender.NotSent):
        sender.post(url, b"{}", {})


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1"),
        *("169.254.169.254", "100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1"),
        *("255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fec0::1", "ff02::1"),
        *("2001:db8::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2001::1"),
    ],
)
def test_a_name_that_leads_to_a_private_address_is_not_called(names, monkeypatch, address):
    names(inner=[address])
    monkeypatch.setattr(socket, "create_connection", pytest.fail)

    with pytest.raises(sender.NotSent, match="not public"):
        sender.post("https://inner.example/", b"{}", {})


def test_one_private_address_among_others_is_enough(names, monkeypatch):
    names(mixed=["93.184.216.34", "10.0.0.1"])
    monkeypatch.setattr(socket, "create_connection", pytest.fail)

    with pytest.raises(sender.NotSent, match="not public"):
        sender.post("https://mixed.example/", b"{}", {})


def test_the_very_address_that_was_looked_at_is_called_and_the_name_not_asked_again(
    names, monkeypatch
):
    """A name that leads elsewhere when asked a second time gains nothing."""
    asked, called = names(rebinding=["93.184.216.34"]), []

    def refuse(address, timeout):
        called.append(address)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(socket, "create_connection", refuse)

    with pytest.raises(sender.NotSent, match="Connection refused"):
        sender.post("https://rebinding.example:8443/x", b"{}", {})
    assert called == [("93.184.216.34", 8443)]
    assert asked == ["rebinding.example"]


def test_an_unknown_name_is_told(names, monkeypatch):
    def unknown(*_, **__):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    with pytest.raises(sender.NotSent, match="not known"):
        sender.post("https://nowhere.example/", b"{}", {})


def test_where_the_operator_allows_it_any_address_is_called(receiver, settings):
    settings.WEBHOOKS_ANYWHERE = True

    assert sender.post(receiver.url, b'{"a": 1}', {"webhook-id": "1"}) == 204
    assert receiver.got == [{"a": 1}]


def test_a_redirect_is_an_answer_and_not_followed(receiver, settings):
    settings.WEBHOOKS_ANYWHERE = True
    receiver.status, receiver.headers = 302, {"Location": receiver.url}

    assert sender.post(receiver.url, b"{}", {"webhook-id": "1"}) == 302
    assert len(receiver.got) == 1


def test_no_certificate_no_message(receiver, settings):
    settings.WEBHOOKS_ANYWHERE = True

    with pytest.raises(sender.NotSent, match="no TLS"):
        sender.post(receiver.url.replace("http:", "https:"), b"{}", {})
    assert receiver.got == []


def test_a_name_that_is_not_found_in_time_is_told(monkeypatch):
    monkeypatch.setattr(sender, "SECONDS", 0.2)
    ended = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: ended.wait())

    with pytest.raises(sender.NotSent, match="not found in time"):
        sender.post("https://slow.example/", b"{}", {})
    ended.set()


def test_connecting_counts_in_the_time_that_there_is(receiver, settings, monkeypatch):
    settings.WEBHOOKS_ANYWHERE = True
    connects, running = socket.create_connection, []

    def connect(*args):
        running.extend(each for each in threading.enumerate() if isinstance(each, threading.Timer))
        return connects(*args)

    monkeypatch.setattr(socket, "create_connection", connect)

    assert sender.post(receiver.url, b"{}", {"webhook-id": "1"}) == 204
    assert len(running) == 1


@pytest.mark.parametrize("dribble", [b"", b"x"])
def test_who_does_not_answer_in_time_is_left(settings, monkeypatch, dribble):
    """Nor who answers a byte at a time, each just in time."""
    settings.WEBHOOKS_ANYWHERE = True
    monkeypatch.setattr(sender, "SECONDS", 1.0)
    ended = threading.Event()

    def serve(listener):
        with listener.accept()[0] as connection:
            while not ended.wait(0.1):
                try:
                    connection.sendall(dribble)
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        with pytest.raises(sender.NotSent):
            sender.post(f"http://127.0.0.1:{listener.getsockname()[1]}/", b"{}", {})
        ended.set()
        thread.join()
