"""Every screen at every size, with brackets in every name, in letters and in symbols."""

import pytest

pytest.importorskip("textual")

from tests.play import walk


@pytest.mark.parametrize("name", walk.SCREENS)
def test_a_screen_of_any_size_shows_itself_or_says_that_it_is_too_small(name):
    assert walk.walk(name, walk.SOME) == len(walk.SOME)


@pytest.mark.parametrize("name", walk.SCREENS)
def test_with_ascii_nothing_else_is_on_any_screen(name):
    walk.walk(name, [(120, 40)], ascii_only=True)
