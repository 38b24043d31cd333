"""One database engine a run: nbgrader opens a gradebook for each of its steps, and would compile the same statements for each anew."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from nbgrader import api
from sqlalchemy import Engine, create_engine


@contextlib.contextmanager
def engines_kept() -> Iterator[None]:
    """Within it, all gradebooks of one database in this process share an engine, and with it the statements it has compiled."""
    engines: dict[str, Engine] = {}

    def engine_of(db_url: str, **options) -> Engine:
        if db_url not in engines:
            engines[db_url] = create_engine(db_url, **options)
        return engines[db_url]

    before, api.create_engine = api.create_engine, engine_of
    try:
        yield
    finally:
        api.create_engine = before
        for engine in engines.values():
            engine.dispose()
