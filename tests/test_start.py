from pathlib import Path

import pytest

from ginservice import __version__
from ginservice.pages import DOCUMENTS

DOCS = Path(__file__).resolve().parents[1] / "docs"


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


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_players_check_a_match_with_is_handed_out_as_it_is(client, name):
    page = client.get(f"/docs/{name}")
    assert page.status_code == 200
    assert page["Content-Type"] == "text/plain; charset=utf-8"
    assert page.content == (DOCS / name).read_bytes()


@pytest.mark.parametrize("name", ["demo.py", "none.md", "..%2Fmanage.py", "verify.py/"])
def test_nothing_else_is_handed_out(client, name):
    assert client.get(f"/docs/{name}").status_code == 404


def test_the_start_page_links_to_the_page_about_fairness(client):
    assert 'href="/docs/fairness.md"' in client.get("/").content.decode()
