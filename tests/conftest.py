"""What all tests share: the project's root, and its problem sets."""

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
