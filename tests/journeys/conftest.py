"""A page of its own for each journey."""

import pytest
from journeys.servers import WAIT


@pytest.fixture
def page(browser, tmp_path):
    """A page in a profile of its own; where a test fails, `last.png` in its folder shows the screen."""
    with browser.new_context(viewport={"width": 1400, "height": 1000}) as context:
        page = context.new_page()
        page.set_default_timeout(WAIT)
        yield page
        page.screenshot(path=tmp_path / "last.png")
