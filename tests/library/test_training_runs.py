"""Whole runs in processes of their own: killed and resumed, and divided among two processes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from allyouneed import training
from allyouneed.data import load_shakespeare
from allyouneed.models.gpt import GPT, GPTConfig
from allyouneed.training import load_checkpoint

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("training-runs")]

SCRIPT = str(Path(__file__).with_name("training_run.py"))
ALONE = [sys.executable, SCRIPT]
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("RANK", "WORLD_SIZE")} | {
    "OMP_NUM_THREADS": "1"
}


def run(command, *arguments, **environment):
    return subprocess.run(
        [*command, *map(str, arguments)],
        env=ENVIRONMENT | environment,
        capture_output=True,
        text=True,
        timeout=1800,
    )


def result(folder):
    return torch.load(folder / "result.pt", weights_only=True)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unbroken")
    done = run(ALONE, folder)
    assert done.returncode == 0, done.stderr
    return result(folder)


@pytest.mark.parametrize(("kill", "kept"), [("step:17", 15), ("save:2", 5), ("step:3", None)])
def test_a_run_killed_by_sigkill_and_resumed_equals_the_unbroken_run(tmp_path, unbroken, kill, kept):
    killed = run(ALONE, tmp_path, kill)
    assert killed.returncode == -signal.SIGKILL
    state = load_checkpoint(tmp_path)
    assert (state and state["step"]) == kept  # at most the last interval of 5 steps is lost
    resumed = run(ALONE, tmp_path)
    assert resumed.returncode == 0, resumed.stderr
    ours = result(tmp_path)
    assert ours["train"] == unbroken["train"] and ours["valid"] == unbroken["valid"]
    for name, weight in unbroken["model"].items():
        assert torch.equal(ours["model"][name], weight), name
    assert [path.name for path in tmp_path.glob(".checkpoint*")] == []  # the half-written file is swept away


def test_two_processes_by_torchrun_equal_one(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    alone = run(ALONE, one, WORLD_SIZE="1")
    assert alone.returncode == 0, alone.stderr
    together = run(
        [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2", SCRIPT], two
    )
    assert together.returncode == 0, together.stderr
    ours, theirs = result(two), result(one)
    for name, weight in theirs["model"].items():
        torch.testing.assert_close(ours["model"][name], weight, rtol=1e-4, atol=1e-6)
    assert ours["valid"][-1][1] == pytest.approx(theirs["valid"][-1][1], abs=1e-5)


def bigram_loss(train, valid, n):
    """Mean surprise (nats) of the next character under counted pairs, each plus one: no network at all."""
    counts = torch.ones(n, n).index_put_((train[:-1], train[1:]), torch.ones(()), accumulate=True)
    return F.cross_entropy(counts.log()[valid[:-1]], valid[1:]).item()


@pytest.mark.slow
def test_a_gpt_learns_shakespeare_better_than_pairs_of_characters():
    text = load_shakespeare(300_000)
    symbols = sorted(set("".join(text)))
    train, valid = (torch.tensor([symbols.index(c) for c in part]) for part in (text.train, text.valid))
    generator = torch.Generator().manual_seed(0)
    model = GPT(GPTConfig(len(symbols), 64, d_model=64, n_layers=2, n_heads=4), generator=generator)
    windows = valid[: 64 * 60 + 1]
    held_out = windows[:-1].view(60, 64), windows[1:].view(60, 64)

    def loss(model, batch):
        return F.cross_entropy(model(batch[0]).flatten(0, 1), batch[1].flatten())

    history = training.train(
        model, loss, training.TextBatches(train, batch_size=16, length=64), training.muon(model),
        training.TrainingConfig(n_steps=200, warmup_steps=10, decay="linear", decay_share=0.7),
        evaluate=lambda net: loss(net, held_out), progress=False,
    )  # fmt: skip
    assert history.valid[-1][1] < bigram_loss(train, valid, len(symbols)) - 0.1
