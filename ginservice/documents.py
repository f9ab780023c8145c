"""The pages of docs/ as HTML: headings that can be linked to, pictures, options as they are."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from games.engine import GAMES
from games.pictures import picture
from games.pictures.cards import drawn

FOLDER = settings.BASE_DIR / "docs"
HANDED_OUT = (".py", ".json", ".yml")
"""Endings of files that are handed out as they are."""


class Document(msgspec.Struct, frozen=True):
    """`contents`: anchor and text of each section."""

    title: str
    html: str
    contents: tuple[tuple[str, str], ...]


def names() -> list[str]:
    return sorted(path.name for path in FOLDER.glob("*.md"))


def files() -> list[str]:
    return sorted(path.name for path in FOLDER.iterdir() if path.suffix in HANDED_OUT)


def read(name: str) -> Document:
    """The page of that file, made once for each time the file is written."""
    path = FOLDER / name
    return rendered(path, path.stat().st_mtime_ns)


@lru_cache
def rendered(path: Path, written: int) -> Document:
    text = path.read_text(encoding="utf-8")
    game = path.stem.removeprefix("rules-")
    if game in GAMES:
        text = with_choices(text, GAMES[game].Options)
    tokens = MARKDOWN.parse(text)
    headings = [
        (token, words(inline)) for token, inline in pairwise(tokens) if token.type == "heading_open"
    ]
    for token, heading in headings:
        token.attrSet("id", anchor(heading))
    label_cells(tokens)
    html = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    sections = tuple((anchor(heading), heading) for token, heading in headings if token.tag == "h2")
    return Document(headings[0][1] if headings else path.stem, html, sections)


def words(inline: Token) -> str:
    """The text of a heading, without marks."""
    return "".join(child.content for child in inline.children or [])


def label_cells(tokens: Sequence[Token]) -> None:
    """Gives each cell of a table its column's heading, which narrow screens show beside it."""
    heads: list[str] = []
    at = 0
    for token, inline in pairwise(tokens):
        match token.type:
            case "table_open":
                heads = []
            case "tr_open":
                at = 0
            case "th_open":
                heads.append(words(inline))
            case "td_open":
                token.attrSet("data-head", heads[at])
                at += 1


def anchor(heading: str) -> str:
    """As GitHub makes it, so that links work in both places."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def fence(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """A block of code; or the position that it scripts, drawn."""
    block = tokens[at]
    if block.info != "toml position":
        return f'<pre tabindex="0"><code>{escape(block.content)}</code></pre>\n'
    seen = picture(block.content)
    return f"<figure>{drawn(seen.rows)}<figcaption>{escape(seen.caption)}</figcaption></figure>\n"


MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
MARKDOWN.add_render_rule("fence", fence)


# Options


@lru_cache
def meanings(game: str) -> dict[str, str]:
    """What each option of the game does, as its page of rules tells it; none without a page."""
    path = FOLDER / f"rules-{game}.md"
    if not path.exists():
        return {}
    _, _, table = path.read_text(encoding="utf-8").partition("| option |")
    rows = [cells(line) for line in table.partition("\n\n")[0].splitlines()]
    return {row[0].strip("`"): row[-1] for row in rows if row[0].startswith("`")}


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def with_choices(text: str, options: Any) -> str:
    """The text with a column in the table of options: what each may be, from the engine."""
    schema = msgspec.json.schema(options)["$defs"][options.__name__]["properties"]
    out = []
    for line in text.splitlines():
        name, *others = cells(line)
        if name == "option":
            line = "| option | may be | default | what it does |"
        elif name.strip("`") in schema and out[-1].count("|") == 5:
            line = f"| {' | '.join([name, choices(schema[name.strip('`')]), *others])} |"
        elif set(name) == {"-"} and out[-1].startswith("| option "):
            line = "|---|---|---|---|"
        out.append(line)
    return "\n".join(out) + "\n"


def choices(schema: Mapping[str, Any]) -> str:
    """What a value may be, from its JSON Schema."""
    if "anyOf" in schema:
        return ", ".join(choices(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{msgspec.json.encode(value).decode()}`" for value in schema["enum"])
    match schema["type"]:
        case "boolean":
            return "`true`, `false`"
        case "integer":
            return f"{schema['minimum']} to {schema['maximum']}"
        case "null":
            return "`null`"
    raise ValueError(f"No words for {schema!r}")
