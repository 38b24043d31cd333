"""What all tests share: the project's root, its problem sets, and a browser."""

import shutil
from pathlib import Path

import pytest
from coursegrader.problemset import ProblemSet

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def attention() -> ProblemSet:
    return ProblemSet(ROOT, "03-attention")


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium, "No Chromium was found. On Debian: apt-get install chromium"
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield browser
        browser.close()
