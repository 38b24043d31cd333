"""What all tests share: the project's root, its problem sets, a browser, and in which order a run goes."""

import contextlib
import fcntl
import gc
import os
import resource
import signal
import sys
from pathlib import Path

import nbval.kernel
import pytest
import signatures
from costs import Costs
from hypothesis import HealthCheck, settings
from kernels import Kernel

gc.set_threshold(20_000)  # what tests import is no garbage, and is looked through seldom
signatures.install()  # before anything imports the library

from coursegrader.course.kept import private_folder  # noqa: E402
from coursegrader.course.problem_set import ProblemSet  # noqa: E402
from coursegrader.course.secret import FIXED  # noqa: E402
from coursegrader.rubric import asking  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LIBRARY = ROOT / "lib" / "allyouneed"
for name in ("no_proxy", "NO_PROXY"):  # what tests ask of their own servers takes no proxy
    os.environ[name] = ",".join(filter(None, [os.environ.get(name), "127.0.0.1", "localhost"]))
# Some virtual machines announce AMX and forbid it: there torch's bfloat16 would end the process.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # several processes share the machine
# Some tests crash processes on purpose.
resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
# Where nbgrader looks for alembic. Processes that are kept serve one environment: it stays the same.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
# A shell that starts tests in the background (make test &) has Ctrl-C ignored, which some tests are about.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Generated inputs are the same in every run, and no clock decides; pytest --hypothesis-profile=search looks
# for new ones.
no_clock = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("same", derandomize=True, **no_clock)
settings.register_profile("search", max_examples=2000, **no_clock)
settings.load_profile("same")


@pytest.fixture(autouse=True)
def same_draws():
    """A test that draws without a generator draws the same, whatever ran before it."""
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


def pytest_addoption(parser):
    parser.addoption(
        "--cpu", action="store_true", help=("say at the end how many seconds of processors each folder took")
    )


def pytest_configure(config):
    config.pluginmanager.register(Costs(config.getoption("cpu")))
    config.pluginmanager.register(Signatures())
    config.pluginmanager.register(Failures(config))


class Failures:
    """Each failure is told when it happens, so that a run that is stopped has told what it found."""

    def __init__(self, config):
        self.config = config

    def pytest_runtest_logreport(self, report):
        if report.failed and not hasattr(self.config, "workerinput"):
            terminal = self.config.pluginmanager.get_plugin("terminalreporter")
            terminal.ensure_newline()
            terminal.line(f"FAILED {report.nodeid} ({report.when})", red=True)
            terminal.line(report.longreprtext[-3000:])


class Signatures:
    """The tests of the library, and the examples in it, hold each of its functions to its signature."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        signatures.active = any(folder in item.path.parents for folder in (HERE / "library", LIBRARY))
        try:
            return (yield)
        finally:
            signatures.active = False


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """The cells of one notebook stay together, and so do quick tests that read the site, so that one process
    parses each page once. Where several share the work, what is long begins first, so that all end at about
    the same time."""
    for item in items:
        if item.path.suffix == ".ipynb":
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.xdist_group(item.path.name))
        elif item.get_closest_marker("site") and not any(
            map(item.get_closest_marker, ("slow", "xdist_group"))
        ):
            item.add_marker(pytest.mark.xdist_group("site"))
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.get_closest_marker("slow") is None)


nbval.kernel.KernelManager = Kernel


def pytest_collection_finish():
    """What is there now stays to the end: no test and no process that it forks looks through it again for
    garbage, which would be an eighth of their work."""
    gc.collect()
    gc.freeze()


# Hidden probes follow from a course's secret. All courses of these tests have this one, which everybody can
# read, so that no test depends on chance, and so that the certified pages in the book, which `make certify`
# writes with it, can be compared.
os.environ[FIXED] = (ROOT / "tests" / "secret").read_text(encoding="ascii").strip()


@pytest.fixture(autouse=True, scope="session")
def one_asking_process():
    """A process that asks versions is kept for whoever asks under the same variables, of which pytest changes
    one with every test."""
    variables = asking._environment
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            asking,
            "_environment",
            lambda: {name: value for name, value in variables().items() if name != "PYTEST_CURRENT_TEST"},
        )
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def attention() -> ProblemSet:
    return ProblemSet(ROOT, "03-attention")


@pytest.fixture(scope="session")
def fingerprinted(attention) -> ProblemSet:
    """The same, with its fingerprints kept: a course made of it is released at once, not in half a minute.
    One process makes them, and the others wait for it."""
    with (private_folder(ROOT) / "tests.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        attention.public(), attention.hidden()
    return attention


class Browser:
    """Chromium, which reaches nothing but this machine. It is started anew when it is asked for something
    after a crash: a crash then costs one test, and not all that follow."""

    def __init__(self, start):
        self._start, self._running, self._browser = start, contextlib.ExitStack(), None

    def new_context(self, **options):
        return self._ask("new_context", options)

    def new_page(self, **options):
        return self._ask("new_page", options)

    def _ask(self, name, options):
        if self._browser is not None:
            try:
                return getattr(self._browser, name)(**options)
            except Exception:
                if self._browser.is_connected():
                    raise
                self.close()
        self._browser = self._running.enter_context(self._start())
        return getattr(self._browser, name)(**options)

    def is_connected(self):
        return self._browser is not None and self._browser.is_connected()

    def close(self):
        self._running.close()


@pytest.fixture(scope="module")
def browser():
    sys.path.insert(0, str(ROOT / "book" / "_forms"))
    from site_pages import chromium

    flags = (
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        "--js-flags=--single-threaded",  # a page's scripts have one processor, as other tests have the others
    )
    with contextlib.closing(Browser(lambda: chromium(*flags))) as browser:
        yield browser
