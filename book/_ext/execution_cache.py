"""Execute pages on all cores, and keep the results until the page, the library, the stored runs or the pinned packages change.

jupyter-cache compares code cells only, so a page that calls the library would keep stale results; and Sphinx executes
a page when it reads it, one after the other.
"""

import hashlib
import os
from functools import partial
from pathlib import Path

from jupyter_cache import get_cache
from myst_nb.core.execute import ExecutionError, create_client
from myst_nb.core.read import create_nb_reader
from sphinx.util import logging
from sphinx.util.parallel import ParallelTasks, parallel_available

# What a kernel starts with, in place of the builder's own IPython settings: no warning about a socket that stays on this machine.
KERNEL_SETTINGS = "c = get_config()\nc.IPKernelApp.log_level = 'ERROR'\n"


def fingerprint(root):
    digest = hashlib.sha256()
    files = [*root.glob("lib/allyouneed/**/*.py"), *root.glob("book/runs/*.json"), *root.glob("book/runs/*.py"), *root.glob("*.lock"), *root.glob("requirements*.txt")]
    for file in sorted(file for file in files if "check" not in file.parts):  # pages never import the checks
        digest.update(f"{file.relative_to(root)}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def choose_folder(app, config):
    build = Path(app.outdir).parent
    config.nb_execution_cache_path = str(build / ".jupyter_cache" / fingerprint(Path(app.srcdir)))
    profile = build / ".ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(KERNEL_SETTINGS)
    os.environ["IPYTHONDIR"] = str(profile.parent)


def find_stale(env, docnames):
    """The pages among `docnames` that have to be executed, each as a client which does so when it is started."""
    cache = get_cache(env.mystnb_config.execution_cache_path)
    for docname in docnames:
        path = env.doc2path(docname)
        text = Path(path).read_text(encoding="utf-8")
        reader = create_nb_reader(path, env.myst_config, env.mystnb_config, text)
        notebook = reader and reader.read(text)
        if notebook is None or not any(cell.cell_type == "code" for cell in notebook.cells):
            continue
        try:
            cache.match_cache_notebook(notebook)
        except KeyError:
            yield docname, create_client(notebook, path, env.mystnb_config, logging.getLogger(__name__), reader.read_fmt)


def execute(client, docname):
    try:
        client.start_client()
    except ExecutionError as error:
        raise ExecutionError(f"{docname} stops at this cell:\n{error.__cause__}") from None
    return client.exec_metadata["runtime"]


def execute_ahead(app, env, docnames):
    """Fill the cache, `BOOK_WORKERS` pages at a time (as many as there are cores); reading executes what this leaves."""
    if not parallel_available:
        return
    stale = dict(find_stale(env, sorted(docnames)))
    tasks, done = ParallelTasks(int(os.environ.get("BOOK_WORKERS") or os.cpu_count())), []

    def report(docname, seconds):
        done.append(docname)
        print(f"[{len(done)}/{len(stale)}] {docname}: executed in {seconds:.0f} s", flush=True)

    for docname, client in stale.items():
        tasks.add_task(partial(execute, client), docname, report)
    tasks.join()


def setup(app):
    app.connect("config-inited", choose_folder)
    app.connect("env-before-read-docs", execute_ahead)
    return {"version": "2", "parallel_read_safe": True, "parallel_write_safe": True}
