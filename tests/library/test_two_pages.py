"""The page that holds a whole Transformer: its classes give what the library's models do; it stays short."""

import re

import pytest
import torch
import torch.nn.functional as F

from allyouneed.models.gpt import GPT, GPTConfig
from allyouneed.models.seq2seq import Seq2Seq, Seq2SeqConfig

MOST_LINES = 150
NAMES = [
    ("blocks", "layers"),
    ("last_norm", "norm"),
    ("cross_norm", "cross_attention_norm"),
    ("self_attention", "attention"),
    ("to_out", "o_proj"),
    ("feed_forward.0", "feed_forward.up_proj"),
    ("feed_forward.2", "feed_forward.down_proj"),
]


@pytest.fixture(scope="module")
def code(root):
    """The cells before the first that reads data: what a reader types in."""
    text = (root / "book" / "two-pages.md").read_text(encoding="utf-8")
    cells = re.findall(r"^```\{code-cell\} ipython3\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    cells = [re.sub(r"\A(:.*\n)+", "", cell) for cell in cells]
    return "\n".join(cells[: next(i for i, cell in enumerate(cells) if "allyouneed" in cell)])


@pytest.fixture(scope="module")
def page(code):
    names = {}
    exec(code, names)
    return names


def with_library_names(state):
    return {_renamed(name): value for name, value in state.items() if name != "waves"}


def _renamed(name):
    name = re.sub(r"\bto_([qkv])\b", r"\1_proj", name)
    for ours, theirs in NAMES:
        name = name.replace(ours, theirs)
    return name


def test_it_is_short_and_made_of_nothing_but_torch(code):
    assert len([line for line in code.splitlines() if line.strip()]) <= MOST_LINES
    assert set(re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE)) == {"math", "torch"}


def test_its_gpt_gives_what_the_librarys_gives(page):
    torch.manual_seed(0)
    ours = page["GPT"](17, 12, d_model=24, n_layers=3, n_heads=4)
    theirs = GPT(GPTConfig(17, 12, d_model=24, n_layers=3, n_heads=4))
    state = with_library_names(ours.state_dict())
    theirs.load_state_dict(state | {"head.weight": state["embedding.weight"]})
    ids = torch.randint(17, (2, 9))
    torch.testing.assert_close(ours(ids), theirs(ids))


def test_its_translator_gives_what_the_librarys_gives(page):
    torch.manual_seed(0)
    ours = page["Translator"](19, 13, max_len=16, d_model=24, n_layers=2, n_heads=4)
    config = Seq2SeqConfig(13, d_model=24, n_layers=2, n_heads=4, source_vocab_size=19, norm_first=True)
    theirs = Seq2Seq(config)
    theirs.load_state_dict(with_library_names(ours.state_dict()))
    for layer in [*theirs.encoder, *theirs.decoder]:
        layer.feed_forward.activation = F.gelu  # the page has one block for both models
    source, target = torch.randint(1, 19, (2, 7)), torch.randint(1, 13, (2, 5))
    source[1, 4:] = 0
    torch.testing.assert_close(ours(source, target), theirs(source, target, source != 0))


def test_what_it_writes_is_what_its_model_finds_most_probable(page):
    torch.manual_seed(0)
    model = page["GPT"](11, 8, d_model=16, n_layers=1, n_heads=2)
    written = page["write"](model, torch.tensor([[3]]), 12, window=8, temperature=0)
    for n in range(1, 13):
        assert written[0, n] == model(written[:, max(0, n - 8) : n])[0, -1].argmax()
