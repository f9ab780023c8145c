"""The document's examples of answers are what its own schemas say."""

import pytest
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from ginservice.samples import samples


@pytest.fixture(scope="module")
def schemas():
    return SchemaGenerator().get_schema(public=True)["components"]["schemas"]


@pytest.mark.parametrize("name", samples())
def test_an_example_fits_its_schema_and_shows_every_field(schemas, name):
    (example,) = schemas[name]["examples"]
    whole = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    Draft202012Validator(whole).validate(example)
    assert set(schemas[name]["required"]) <= set(example)


def test_the_example_of_a_match_shows_what_is_legal_and_how_the_last_deal_ended(schemas):
    (match,) = schemas["Match"]["examples"]
    assert match["view"]["legal"] == [{"type": "draw_stock"}, {"type": "take_discard"}]
    assert match["result"]["deal"] == 1
    assert len(match["view"]["turns"]) >= 2
    assert match["secret"] is None
