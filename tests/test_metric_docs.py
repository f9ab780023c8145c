"""What is told of metrics, asked of them and shown of them is what there is."""

import json
import re

import promql_parser
import pytest
import yaml

from ginservice import metrics, scrape
from tests.processes import ROOT

RULES = yaml.safe_load((ROOT / "docs/alerts.yml").read_text())["groups"][0]["rules"]
PANELS = json.loads((ROOT / "docs/grafana.json").read_text())["panels"]
ASKED = [rule["expr"] for rule in RULES] + [
    target["expr"].replace("$__rate_interval", "5m")
    for panel in PANELS
    for target in panel["targets"]
]


@pytest.fixture
def there(db):
    """Every metric by its name, with its kind and its labels, whether it has happened or not."""
    counted = [(m.describe()[0], m._labelnames) for m in metrics.REGISTRY._collector_to_names]
    now = [(family, family._labelnames) for family in scrape.Moment().collect()]
    return {
        f"{family.name}_total" if family.type == "counter" else family.name: (family.type, labels)
        for family, labels in (*counted, *now)
    }


@pytest.fixture
def samples(there):
    """The names that Prometheus knows, each with its metric's labels."""
    found = {}
    for name, (kind, labels) in there.items():
        parts = ("_count", "_sum", "_bucket") if kind == "histogram" else ("",)
        found |= {name + part: {*labels, "le"} for part in parts}
    return found


@pytest.mark.parametrize("expression", ASKED)
def test_rules_and_dashboard_ask_for_metrics_and_labels_that_there_are(expression, samples):
    promql_parser.parse(expression)  # raises where Prometheus would
    named = re.findall(r"ginservice_\w+", expression)
    labels = {label for name in named for label in samples[name]}
    asked = re.findall(r"by \(([^)]*)\)", expression)
    matched = re.findall(r"(\w+)=", expression)
    assert named
    assert {label.strip() for group in asked for label in group.split(",")} <= labels
    assert set(matched) <= labels


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_a_rule_says_what_is_wrong_and_what_to_do(rule):
    assert {"alert", "expr", "labels", "annotations"} <= set(rule)
    assert {"summary", "what_to_do"} == set(rule["annotations"])


def test_every_metric_is_on_the_dashboard(there):
    shown = set(re.findall(r"ginservice_\w+", " ".join(ASKED[len(RULES) :])))
    for name, (kind, _) in there.items():
        assert {name, f"{name}_count", f"{name}_bucket"} & shown, (name, kind)


def test_every_metric_is_told_with_its_labels_and_no_other(there):
    page = (ROOT / "docs/operations.md").read_text()
    rows = re.findall(r"^\| `(ginservice_\w+)` \| ([^|]*)\|", page, re.MULTILINE)
    told = {name: tuple(re.findall(r"`(\w+)`", labels)) for name, labels in rows}
    assert told == {name: labels for name, (_, labels) in there.items()}


def test_a_panel_has_its_place_and_a_name():
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in PANELS}
    assert len(places) == len({panel["title"] for panel in PANELS}) == len(PANELS)
