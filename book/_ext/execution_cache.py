"""Execute pages on all cores; keep results until page, library, stored runs or pinned packages change.

jupyter-cache compares code cells only, so a page that calls the library would keep stale results; and Sphinx
executes a page when it reads it, one after the other. A change of the library or of the pinned packages
concerns every page, a change of a stored run those that name it.
"""

import hashlib
import json
import os
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.cache.main import JupyterCacheBase
from myst_nb.core.execute import ExecutionError, create_client
from myst_nb.core.read import create_nb_reader
from sphinx.util import logging

# What a kernel starts with, in place of the builder's own IPython settings: no warning about a socket that
# stays on this machine.
KERNEL_SETTINGS = "c = get_config()\nc.IPKernelApp.log_level = 'ERROR'\n"


def fingerprint(root):
    files = [
        *root.glob("lib/allyouneed/**/*.py"),
        *root.glob("lib/allyouneed/*.pyi"),
        *root.glob("*.lock"),
        *root.glob("requirements*.txt"),
    ]
    # pages never import the checks
    return digest(root, (file for file in files if "check" not in file.parts))


def digest(root, files):
    found = hashlib.sha256()
    for file in sorted(files):
        found.update(f"{file.relative_to(root)}\0".encode() + file.read_bytes())
    return found.hexdigest()[:16]


class Kept:
    """What a page's execution says, for later: with -W a warning ends its thread, before the error that names
    the cell."""

    def __init__(self):
        self.warnings = []

    def info(self, *_, **__):
        pass

    def warning(self, *arguments, **options):
        self.warnings.append((arguments, options))


class Runs:
    """Which stored runs each page was executed with: a file beside the cache, with digests by page."""

    def __init__(self, env):
        self.env, self.root = env, Path(env.srcdir)
        self.path = Path(env.mystnb_config.execution_cache_path) / "runs.json"
        self.known = json.loads(self.path.read_text()) if self.path.exists() else {}

    def now(self, docname):
        text = Path(self.env.doc2path(docname)).read_text(encoding="utf-8")
        return digest(self.root, (file for file in self.root.glob("book/runs/*.*") if file.stem in text))

    def changed(self, docname):
        return docname in self.known and self.known[docname] != self.now(docname)

    def keep(self, docnames):
        self.known |= {docname: self.now(docname) for docname in docnames}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(self.known, indent=1, sort_keys=True))


def find_outdated(app, env, added, changed, removed):
    """Pages that have to be read again although their text has not changed."""
    runs = Runs(env)
    return [docname for docname in env.found_docs - added - removed if runs.changed(docname)]


def choose_folder(app, config):
    build = Path(app.outdir).parent
    config.nb_execution_cache_path = str(build / ".jupyter_cache" / fingerprint(Path(app.srcdir)))
    profile = build / ".ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(KERNEL_SETTINGS)
    os.environ["IPYTHONDIR"] = str(profile.parent)


def find_stale(env, docnames):
    """The pages among `docnames` that have to be executed, each as a client that does so once started."""
    cache, runs = get_cache(env.mystnb_config.execution_cache_path), Runs(env)
    for docname in docnames:
        path = env.doc2path(docname)
        text = Path(path).read_text(encoding="utf-8")
        reader = create_nb_reader(path, env.myst_config, env.mystnb_config, text)
        notebook = reader and reader.read(text)
        if notebook is None or not any(cell.cell_type == "code" for cell in notebook.cells):
            continue
        try:
            record = cache.match_cache_notebook(notebook)
            if not runs.changed(docname):
                continue
            cache.remove_cache(record.pk)
        except KeyError:
            pass
        yield (docname, create_client(notebook, path, env.mystnb_config, Kept(), reader.read_fmt))


def execute(client, docname):
    try:
        client.start_client()
    except ExecutionError as error:
        raise ExecutionError(f"{docname} stops at this cell:\n{error.__cause__}") from None
    return client.exec_metadata["runtime"]


def execute_ahead(app, env, docnames):
    """Fill the cache, `BOOK_WORKERS` pages at a time (else one a core); reading executes what this leaves."""
    stale = dict(find_stale(env, sorted(docnames)))
    with ThreadPoolExecutor(int(os.environ.get("BOOK_WORKERS") or os.cpu_count())) as pool:
        running = {pool.submit(execute, client, docname): docname for docname, client in stale.items()}
        try:
            for done, future in enumerate(as_completed(running), start=1):
                docname, seconds = running[future], future.result()
                print(f"[{done}/{len(stale)}] {docname}: executed in {seconds:.0f} s", flush=True)
                for arguments, options in stale[docname].logger.warnings:
                    logging.getLogger(__name__).warning(*arguments, **options)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    Runs(env).keep(docnames)


def setup(app):
    # Results are thrown away with their folder, never by number: of two pages that end at once, jupyter-cache
    # counts the other's results, which are newer than its list of those to keep, among those to throw away.
    JupyterCacheBase.truncate_caches = lambda cache: None
    app.connect("config-inited", choose_folder)
    app.connect("env-get-outdated", find_outdated)
    app.connect("env-before-read-docs", execute_ahead)
    return {"version": "2", "parallel_read_safe": True, "parallel_write_safe": True}
