"""The installation: which torch is taken, what a silent index costs, what is said of a broken one."""

import importlib.metadata
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.specifiers import SpecifierSet

SETUP = Path(__file__).resolve().parents[2] / "setup"


@pytest.fixture
def script(monkeypatch):
    """A script of `setup`, loaded as it runs: beside the others."""
    monkeypatch.syspath_prepend(SETUP)

    def load(name: str):
        spec = importlib.util.spec_from_file_location(name, SETUP / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def a_wheel(folder: Path, version: str) -> None:
    """A package of this name and version that holds nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    info, name = f"torch-{version}.dist-info", f"torch-{version}-py3-none-any.whl"
    (folder / "index.html").write_text(f'<a href="{name}">{name}</a>', encoding="utf-8")
    with zipfile.ZipFile(folder / name, "w") as wheel:
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


@pytest.fixture
def index(tmp_path, monkeypatch):
    """The only package index: it has the usual build."""
    a_wheel(tmp_path / "index" / "torch", "2.13.0")
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "index").as_uri())
    return tmp_path / "index"


@pytest.fixture
def silent():
    """The address of a server that takes a connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/cpu"


CPU = ["torch==2.13.0+cpu", "--extra-index-url", "https://download.pytorch.org/whl/cpu"]


@pytest.mark.parametrize(
    ("platform", "gpu", "given", "has", "wanted", "large"),
    [
        ("linux", False, [], "local", ["torch==2.13.0+cpu"], False),
        ("linux", False, [], "public", CPU, False),
        ("linux", False, [], "nothing", ["torch==2.13.0"], True),
        ("linux", True, [], "public", ["torch==2.13.0"], True),
        (
            "linux",
            True,
            ["--index-url", "mirror"],
            "public",
            ["torch==2.13.0", "--index-url", "mirror"],
            False,
        ),
        ("darwin", False, [], "public", ["torch==2.13.0"], False),
        ("win32", True, [], "public", ["torch==2.13.0"], False),
    ],
)
def test_which_torch_is_taken(script, monkeypatch, platform, gpu, given, has, wanted, large):
    torch_build = script("torch_build")
    monkeypatch.setattr(torch_build.sys, "platform", platform)
    monkeypatch.setattr(torch_build, "has_gpu", lambda: gpu)
    sources = {"local": 1, "public": 3, "nothing": 4}  # so many arguments lead pip to the small build
    assert torch_build.choose("2.13.0", given, lambda asked: len(asked) >= sources[has]) == (wanted, large)


@pytest.mark.parametrize(
    ("devices", "answer", "there"),
    [
        ([], None, False),
        (["nvidiactl"], None, False),
        (["nvidia0"], None, True),
        ([], 9, False),
        ([], 0, True),
    ],
)
def test_a_gpu_is_there_where_it_or_its_driver_says_so(script, tmp_path, monkeypatch, devices, answer, there):
    torch_build = script("torch_build")
    for name in devices:
        (tmp_path / name).touch()
    if answer is not None:
        (tmp_path / "nvidia-smi").write_text(f"#!/bin/sh\nexit {answer}\n", encoding="utf-8")
        (tmp_path / "nvidia-smi").chmod(0o755)
    monkeypatch.setattr(torch_build, "Path", lambda name: {"/dev": tmp_path}[name])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert torch_build.has_gpu() == there


@pytest.mark.slow
def test_pip_finds_the_small_build_where_it_is(script, index, tmp_path, monkeypatch):
    torch_build = script("torch_build")
    assert torch_build.pip_finds(["torch==2.13.0"]) and not torch_build.pip_finds(["torch==2.13.0+cpu"])
    a_wheel(tmp_path / "extra" / "torch", "2.13.0+cpu")
    assert torch_build.pip_finds(["torch==2.13.0+cpu", "--extra-index-url", (tmp_path / "extra").as_uri()])
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "extra" / "torch"))
    assert torch_build.pip_finds(["torch==2.13.0+cpu"])


@pytest.mark.slow
def test_an_index_that_does_not_answer_costs_seconds(script, index, silent, monkeypatch):
    torch_build = script("torch_build")
    monkeypatch.setattr(torch_build, "has_gpu", lambda: False)
    monkeypatch.setattr(torch_build.sys, "platform", "linux")
    monkeypatch.setattr(torch_build, "CPU_INDEX", silent)
    monkeypatch.setenv("PIP_DEFAULT_TIMEOUT", "180")
    began = time.monotonic()
    assert torch_build.pip_finds(["torch==2.13.0"])
    usual = time.monotonic() - began
    assert torch_build.choose("2.13.0", [], torch_build.pip_finds) == (["torch==2.13.0"], True)
    assert time.monotonic() - began < 20 + 6 * usual, "a timeout of the environment's, or tried again"


def test_what_pip_was_stopped_in_is_installed_again(script, tmp_path):
    for name, there in (("whole", ["METADATA", "RECORD"]), ("half", ["METADATA"])):
        folder = tmp_path / f"{name}-1.0.dist-info"
        folder.mkdir()
        for file in there:
            (folder / file).touch()
    script("install").forget_half_installed(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["whole-1.0.dist-info"]


@pytest.mark.parametrize("free", [7 << 20, 7 << 30])
@pytest.mark.parametrize("proxy", [None, "http://me:password@cache.example:3128"])
def test_a_full_disk_a_proxy_and_an_index_out_of_reach_are_told(script, monkeypatch, free, proxy):
    install = script("install")
    monkeypatch.setattr(install.urllib.request, "getproxies", lambda: {"https": proxy} if proxy else {})
    monkeypatch.setattr(install.shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    told = install.advice()
    assert (f"Only 7 MiB are free in {sys.prefix}: make room." in told) == (free < 1 << 30)
    assert ("through the proxy cache.example:3128 (HTTPS_PROXY)" in told) == bool(proxy)
    assert ("a mirror in PIP_INDEX_URL" in told) == (not proxy) and "password" not in told


def test_the_lists_pin_every_package_once(script):
    install = script("install")
    for path in install.LISTS:
        lines = path.read_text(encoding="utf-8").splitlines()
        names = [line.partition("==")[0].lower().replace("_", "-") for line in lines if "==" in line]
        assert len(names) == len(set(names)) > 10
    assert set(install.pins()) - set(install.others()) == {f"torch=={install.pinned_torch()}"}


def test_every_installed_package_promises_the_oldest_python():
    """The README promises 3.11; a system's own may be 3.11.2, and pip then refuses what asks for more."""
    asked = {one.name: one.metadata.get("Requires-Python") for one in importlib.metadata.distributions()}
    assert not [item for item in asked.items() if item[1] and "3.11.0" not in SpecifierSet(item[1])]


@pytest.mark.parametrize(
    ("version", "body", "reason"),
    [
        (None, "raise ImportError('no libcudnn.so.9')", "cannot be imported. ImportError: no libcudnn.so.9"),
        ("9.9.9", "", "is pinned, and 9.9.9 is installed"),
    ],
)
def test_a_torch_that_does_not_work_is_no_installation(script, tmp_path, version, body, reason):
    version = version or script("install").pinned_torch()
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text(body, encoding="utf-8")
    info = tmp_path / f"torch-{version}.dist-info" / "METADATA"
    info.parent.mkdir()
    info.write_text(f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n", encoding="utf-8")
    done = proof(environment=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert done.returncode and reason in done.stderr and not done.stdout


@pytest.mark.slow
def test_an_installation_tells_its_versions_in_one_line():
    done = proof()
    assert not done.returncode, done.stderr
    assert done.stdout.startswith("It works: Python 3.") and done.stdout.count("\n") == 1
    names = "torch", "allyouneed", "jupyterlab", "nbgrader", "jupyter-book"
    assert all(f" {name} " in done.stdout for name in names)


def test_another_folders_installation_and_another_python_are_named(tmp_path):
    assert not proof("--quick", sys.executable).returncode
    (tmp_path / "allyouneed").mkdir()
    (tmp_path / "allyouneed" / "__init__.py").touch()
    done = proof("--quick", environment=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert done.returncode and "moved or copied" in done.stderr
    other = tmp_path / "python9"
    other.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    other.chmod(0o755)
    assert f"you ask for {other}" in proof("--quick", str(other)).stderr


@pytest.mark.parametrize("name", ["here", "there is no such home"])
def test_what_belongs_at_home_has_a_place_where_that_cannot_be_written(tmp_path, name):
    folder, home = tmp_path / "Übung 1", tmp_path / "here"
    folder.mkdir()
    home.mkdir()
    shutil.copy(SETUP.parent / "Makefile", folder)
    shown = subprocess.run(
        ["make", "--no-print-directory", "--eval", "home:; @echo $$HOME", "home"],
        cwd=folder,
        env=os.environ | {"HOME": str(tmp_path / name)},
        capture_output=True,
        text=True,
    )
    assert shown.stdout.strip() == str(home if name == "here" else folder / ".venv" / "home")


def proof(*arguments: str, environment=None) -> subprocess.CompletedProcess:
    command = [sys.executable, SETUP / "proof.py", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True)
