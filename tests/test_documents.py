"""The docs as pages: every file, every link, every option."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from games.engine import GAMES
from games.pictures import WrongPicture
from ginservice import documents

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = sorted(path.name for path in DOCS.glob("*.md"))
every_page = pytest.mark.parametrize("name", PAGES)
every_game = pytest.mark.parametrize("game", GAMES)


class Found(HTMLParser):
    """What a page links to, what can be linked to in it, and its tables' rows."""

    def __init__(self, html):
        super().__init__()
        self.links, self.ids, self.rows = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if tag == "a" else []
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, text):
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += text.rstrip("\n")


@every_page
def test_every_page_of_the_docs_is_shown_with_its_title_and_contents(client, name):
    page = client.get(f"/docs/{name}")
    text = page.content.decode()

    assert page.status_code == 200
    assert page["Content-Type"] == "text/html; charset=utf-8"
    title = (DOCS / name).read_text().splitlines()[0].removeprefix("# ")
    assert f"<title>{title} · ginservice</title>" in text
    for link in re.findall(r'<li><a href="#([^"]+)"', text):
        assert f'<h2 id="{link}"' in text


@every_page
def test_every_link_between_pages_leads_to_a_place_that_is_there(name):
    there = {
        page: {f"#{place}" for place in Found(documents.read(page).html).ids} for page in PAGES
    }
    for link in Found(documents.read(name).html).links:
        if "://" in link:
            continue
        page, hash_, place = link.partition("#")
        assert (page or name) in {*PAGES, *documents.files()}, link
        assert not hash_ or f"#{place}" in there[page or name], link


def test_no_two_places_of_a_page_have_the_same_name():
    for name in PAGES:
        ids = Found(documents.read(name).html).ids
        assert len(ids) == len(set(ids)), name


def test_the_docs_begin_with_a_page_that_leads_to_all_others(client):
    page = client.get("/docs/").content.decode()

    for name in {*PAGES, *documents.files()} - {"README.md"}:
        assert f'href="{name}"' in page


@pytest.mark.parametrize("name", documents.files())
def test_a_script_is_handed_out_as_it_is(client, name):
    page = client.get(f"/docs/{name}")

    assert page.status_code == 200
    assert page["Content-Type"] == "text/plain; charset=utf-8"
    assert page.content == (DOCS / name).read_bytes()


@pytest.mark.parametrize("name", ["demo.py", "none.md", "..%2FREADME.md", "verify.py/"])
def test_nothing_else_is_handed_out(client, name):
    assert client.get(f"/docs/{name}").status_code == 404


@every_game
def test_the_table_of_options_says_what_each_may_be(game):
    rows = Found(documents.read(f"rules-{game}.md").html).rows
    assert ["option", "may be", "default", "what it does"] in rows
    may_be = {row[0]: row[1] for row in rows if len(row) == 4}
    assert set(GAMES[game].Options.__struct_fields__) <= set(may_be)


def test_choices_are_those_of_the_engine():
    rows = Found(documents.read("rules-gin.md").html).rows
    may_be = {row[0]: row[1] for row in rows if len(row) == 4}
    assert may_be["opening"] == '"free", "offer"'
    assert may_be["knock_limit"] == '0 to 10, "oklahoma"'
    assert may_be["big_gin"] == "true, false"


@every_game
def test_what_an_option_does_is_told_with_the_game_in_the_words_of_its_page(client, game):
    kinds = {kind["name"]: kind for kind in client.get("/api/v1/games").json()}
    page = (DOCS / f"rules-{game}.md").read_text()

    for name, option in kinds[game]["options"]["properties"].items():
        assert re.search(rf"\| `{name}` \| `.*` \| {re.escape(option['description'])} \|\n", page)


def test_the_docs_name_the_host_they_were_asked_by(client):
    page = client.get("/docs/api.md", headers={"host": "localhost:8001"}).content.decode()
    assert "API=http://localhost:8001/api/v1" in page
    assert "localhost:8000" not in page


def test_a_page_is_found_without_its_ending_too(client):
    assert client.get("/docs/rules-gin").headers["Location"] == "/docs/rules-gin.md"


@every_game
def test_the_rules_have_pictures_of_positions(game):
    html = documents.read(f"rules-{game}.md").html
    assert html.count("<figure><svg") == (DOCS / f"rules-{game}.md").read_text().count("position\n")
    assert "<figure><svg" in html


def test_a_page_whose_picture_is_wrong_is_not_made(tmp_path):
    page = tmp_path / "rules.md"
    page.write_text(
        '```toml position\ngame = "gin"\ncards = ""\ncaption = ""\nsays.deadwood = 99\n```\n'
    )
    with pytest.raises(WrongPicture, match=r"the view\.deadwood is said to be 99, and is 0\."):
        documents.rendered(page, 1)


def test_what_looks_like_markup_in_a_page_is_text(tmp_path):
    page = tmp_path / "a.md"
    page.write_text("# A\n\n<script>x</script> [b](javascript:x)\n\n```\n<b>\n```\n")

    html = documents.rendered(page, 1).html

    assert "<script" not in html and "<b>" not in html and "href" not in html
