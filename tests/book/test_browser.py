"""The browser that the tests share."""

import pytest
from playwright.sync_api import Error

pytestmark = pytest.mark.browser


def test_a_browser_that_has_crashed_is_started_anew(browser):
    tab = browser.new_page()
    tab.goto("about:blank")
    assert browser.is_connected()
    with pytest.raises(Error):
        tab.context.browser.new_browser_cdp_session().send("Browser.crash")
    assert not browser.is_connected()
    assert browser.new_page().evaluate("1 + 1") == 2
