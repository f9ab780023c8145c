"""Nobody is told what he may not know: by no operation, error, header, log line or page."""

import os
from itertools import islice

import pytest

from tests.secrecy.gate import difference
from tests.secrecy.scenes import places, scenes

pytestmark = pytest.mark.django_db(transaction=True)
SCENES = int(os.environ.get("SECRECY_SCENES", "1"))
"""From each place; more take longer."""


@pytest.mark.parametrize("place", list(places()), ids=str)
def test_two_worlds_cannot_be_told_apart_by_who_may_not(place):
    for scene in islice(scenes(place), SCENES):
        found = difference(scene)
        assert not found, found
