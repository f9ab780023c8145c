import pytest

from ginservice import __version__
from players.services import make_guest

ENDS = [("<header", "</header>"), ("<footer", "</footer>")]


def test_the_start_page_shows_three_ways_in_and_every_game(client):
    page = client.get("/")
    text = page.content.decode()
    assert page.status_code == 200
    for way in ("/api/docs/", "/admin/", "make demo", "Gin Rummy", "easy"):
        assert way in text


def test_the_start_page_names_the_host_it_was_asked_by_and_the_version(client):
    text = client.get("/", headers={"host": "localhost:8001"}).content.decode()
    assert "curl -X POST http://localhost:8001/api/v1/players/guest" in text
    assert "make demo BASE_URL=http://localhost:8001" in text
    assert __version__ in text


@pytest.mark.parametrize("path", ["/tables", "/docs/", "/docs/api.md", "/problems", "/api/docs/"])
def test_every_page_has_the_bar_and_the_foot_of_the_start_page(client, path):
    def around(path):
        text = client.get(path).content.decode()
        return [text.partition(a)[2].partition(b)[0] for a, b in ENDS]

    assert around(path) == around("/")
    assert 'href="/sign-in"' in around("/")[0]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/tables", "/docs/", "/api/docs/"])
def test_every_page_says_who_is_signed_in(client, path):
    client.force_login(make_guest())
    assert '<a href="/me" title="My matches">My matches</a>' in client.get(path).content.decode()


def test_a_page_that_is_not_there_leads_on(client):
    page = client.get("/nothing", headers={"accept": "text/html"})
    text = page.content.decode()
    assert page.status_code == 404
    for way in ('href="/"', 'href="/docs/"', 'href="/api/docs/"', 'href="/sign-in"'):
        assert way in text


def test_the_start_page_links_to_the_page_about_fairness(client):
    assert 'href="/docs/fairness.md"' in client.get("/").content.decode()
