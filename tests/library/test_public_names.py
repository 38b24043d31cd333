"""`from allyouneed import GPT`: each public name resolves, none twice, and nothing is loaded too early."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import allyouneed

STUB = Path(allyouneed.__file__).with_name("__init__.pyi")
LISTED = {
    f"allyouneed.{line.module}": [item.name for item in line.names]
    for line in ast.parse(STUB.read_text(encoding="utf-8")).body
    if isinstance(line, ast.ImportFrom)
}
WHOLE = "models", "own", "training", "data", "export", "plotting", "timing", "check.practising"
SEVERAL = "nn", "text", "generation", "pretrained"  # folders whose files are listed one by one


@pytest.mark.parametrize("name", allyouneed.__all__)
def test_every_public_name_is_what_its_file_defines(name):
    module = next(module for module, names in LISTED.items() if name in names)
    assert getattr(allyouneed, name) is getattr(import_module(module), name)


def test_no_public_name_stands_twice_or_is_a_files_name():
    names = [name for names in LISTED.values() for name in names]
    assert len(names) == len(set(names)) == len(allyouneed.__all__)
    assert not {path.stem for path in STUB.parent.iterdir()} & set(names)


def test_the_list_is_what_the_files_offer():
    offered = {f"allyouneed.{name}" for name in WHOLE}
    for folder in SEVERAL:
        files = (STUB.parent / folder).glob("[!_]*.py")
        offered |= {f"allyouneed.{folder}.{path.stem}" for path in files}
    assert {module: sorted(names) for module, names in LISTED.items()} == {
        module: sorted(import_module(module).__all__) for module in offered
    }


@pytest.mark.parametrize(
    "code, loaded",
    [
        ("import allyouneed", set()),
        ("from allyouneed import bpe_train", {"text", "text.bytepair"}),
        ("from allyouneed import softmax", {"nn", "nn.attention", "tensors", "validate"}),
    ],
)
def test_only_what_is_used_is_loaded(code, loaded):
    code += "; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert {name for name in modules if name.startswith("allyouneed.")} == {f"allyouneed.{m}" for m in loaded}
    assert ("torch" in modules) == ("nn" in loaded)
