"""The loop and its parts, compared with torch's own schedulers, optimizers and a loop written out by hand."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import example, given
from hypothesis import strategies as st
from torch import nn

from allyouneed import training
from allyouneed.training.batches import share
from allyouneed.training.seeds import mix_seed


def squared_error(model, batch):
    return F.mse_loss(model(batch[0]), batch[1])


def regression(n=64, seed=0, batch_size=16):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 5, generator=generator)
    y = x @ torch.randn(5, 3, generator=generator)
    return x, y, training.ExampleBatches([x, y], batch_size, seed)


def fresh(*layers):
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(5, 8), nn.Tanh(), *layers, nn.Linear(8, 3))


# Schedule
# --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("warmup", "decay"), [(0, "cosine"), (5, "cosine"), (5, "linear"), (0, "constant")])
def test_schedule_equals_torchs_schedulers(warmup, decay):
    from torch.optim import lr_scheduler as s

    n_steps = 25
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=1.0)
    n = n_steps - warmup
    after = {
        "cosine": lambda: s.CosineAnnealingLR(optimizer, n, eta_min=0.1),
        "linear": lambda: s.LinearLR(optimizer, 1.0, 0.1, n),
        "constant": lambda: s.ConstantLR(optimizer, 1.0),
    }[decay]()
    schedule = after
    if warmup:
        rise = s.LinearLR(optimizer, 1 / warmup, 1.0, warmup - 1)
        schedule = s.SequentialLR(optimizer, [rise, after], [warmup])
    for step in range(n_steps):
        ours = training.rate_share(step, n_steps, warmup, decay, final_share=0.1)
        assert ours == pytest.approx(schedule.get_last_lr()[0], abs=1e-6), step
        optimizer.step()
        schedule.step()


def test_decay_can_be_kept_for_the_last_part():
    rates = [training.rate_share(step, 100, 10, "linear", decay_share=0.5) for step in range(100)]
    assert rates[9:56] == [1.0] * 47 and rates[60] < 1 and rates[99] == pytest.approx(1 / 45)


@pytest.mark.parametrize("bad", [
    {"decay": "steps"}, {"warmup_steps": 11}, {"n_steps": 0}, {"final_share": 2}, {"max_grad_norm": 0},
    {"save_every": 0}, {"log_every": None}, {"n_steps": 2.5}, {"max_grad_norm": float("nan")}, {"bf16": "no"},
])  # fmt: skip
def test_a_config_that_cannot_work_is_refused(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        training.TrainingConfig(**({"n_steps": 10} | bad))


# Batches
# ---------------------------------------------------------------------------------------------------------


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 5), st.integers(0, 9))
@example(1, 1, 0, 0)
@example(30, 30, 5, 9)
@example(30, 1, 5, 0)
@example(30, 16, 0, 0)
def test_an_epoch_shows_every_example_once(n, batch_size, epoch, seed):
    batch_size = min(n, batch_size)
    batches = training.ExampleBatches([torch.arange(n)], batch_size, seed)
    steps = range(epoch * batches.steps_per_epoch, (epoch + 1) * batches.steps_per_epoch)
    seen = torch.cat([batches(step)[0] for step in steps])
    assert len(seen) == n // batch_size * batch_size == len(seen.unique())


def test_batches_depend_on_the_step_alone_and_epochs_are_shuffled_anew():
    _, _, batches = regression()
    later = batches(9)[0]
    batches(2)
    assert torch.equal(batches(9)[0], later) and not torch.equal(batches(0)[0], batches(4)[0])


def test_windows_are_consecutive_text_and_reach_both_ends():
    batches = training.TextBatches(torch.arange(20), batch_size=64, length=8)
    inputs, targets = batches(0)
    assert inputs.shape == targets.shape == (64, 8) and inputs.dtype == torch.int64
    assert torch.equal(inputs[:, 1:], targets[:, :-1]) and torch.equal(inputs + 1, targets)
    assert inputs.min() == 0 and targets.max() == 19
    with pytest.raises(ValueError, match="at least length"):
        training.TextBatches(torch.arange(8), 1, 8)
    with pytest.raises(ValueError, match="batch_size must be"):
        training.TextBatches(torch.arange(20), 0, 8)
    with pytest.raises(TypeError, match="integers.*float32"):
        training.TextBatches(torch.zeros(20), 1, 8)
    with pytest.raises(ValueError, match="batch_size"):
        training.ExampleBatches([torch.arange(4)], 5)


def test_processes_share_a_batch_without_overlap_or_loss():
    batches = training.TextBatches(torch.randint(9, (99,)), batch_size=6, length=4)
    parts = [batches(3, rank, 3)[0] for rank in range(3)]
    assert torch.equal(torch.cat(parts), batches(3)[0])
    with pytest.raises(ValueError, match="evenly"):
        share(torch.arange(5), 0, 2)


def test_neighbouring_seeds_are_unrelated():
    seeds = {mix_seed(seed, step) for seed in range(30) for step in range(300)}
    assert len(seeds) == 9_000
    draws = torch.stack([torch.rand(100, generator=training.generator_for(0, step)) for step in range(200)])
    correlation = torch.corrcoef(draws).fill_diagonal_(0).abs().max()
    assert correlation < 0.6 and abs(draws.mean() - 0.5) < 0.01


# Optimizers
# ------------------------------------------------------------------------------------------------------


def test_the_loop_equals_a_loop_written_by_hand():
    _, _, batches = regression()
    ours, theirs = fresh(), fresh()
    config = training.TrainingConfig(n_steps=30, warmup_steps=4, max_grad_norm=0.5)
    training.train(ours, squared_error, batches, training.adamw(ours, 0.01), config, progress=False)
    decayed, kept = (
        [p for p in theirs.parameters() if p.dim() > 1],
        [p for p in theirs.parameters() if p.dim() < 2],
    )
    groups = [{"params": decayed, "weight_decay": 0.1}, {"params": kept, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=0.01, betas=(0.9, 0.95), foreach=False, fused=False)
    for step in range(30):
        for group in optimizer.param_groups:
            rate = (step + 1) / 4 if step < 4 else (1 + math.cos(math.pi * (step - 4) / 26)) / 2
            group["lr"] = 0.01 * rate
        optimizer.zero_grad()
        x, y = batches(step)
        ((theirs(x) - y) ** 2).mean().backward()
        norm = torch.cat([p.grad.flatten() for p in theirs.parameters()]).norm()
        for p in theirs.parameters():
            p.grad *= min(1.0, 0.5 / norm)
        optimizer.step()
    for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


def test_muon_gets_the_inner_matrices_and_adamw_everything_else_once():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(7, 4)
            self.layers = nn.ModuleList([nn.Linear(4, 4), nn.LayerNorm(4)])
            self.head = nn.Linear(4, 7, bias=False)
            self.frozen = nn.Parameter(torch.zeros(2, 2), requires_grad=False)

    model = Model()
    inner, rest = training.muon(model)
    named = {id(parameter): name for name, parameter in model.named_parameters()}
    names = [
        {named[id(p)] for group in optimizer.param_groups for p in group["params"]}
        for optimizer in (inner, rest)
    ]
    assert names[0] == {"layers.0.weight"}
    assert names[1] == {
        "embedding.weight",
        "layers.0.bias",
        "layers.1.weight",
        "layers.1.bias",
        "head.weight",
    }
    with pytest.raises(ValueError, match="adamw"):
        training.muon(nn.Embedding(3, 3))


@pytest.mark.parametrize("shape", [(6, 6), (9, 4), (4, 9), (1, 5)])
def test_rounds_bring_singular_values_near_1_and_keep_the_directions(shape):
    matrix = torch.randn(shape, generator=torch.Generator().manual_seed(1))
    left, _, right = torch.linalg.svd(matrix, full_matrices=False)
    turned = left.mT @ training.orthogonalize(matrix) @ right.mT
    values = turned.diagonal()
    assert 0.5 < values.min() and values.max() < 1.3
    torch.testing.assert_close(turned, torch.diag(values), atol=1e-4, rtol=0)
    assert not training.orthogonalize(torch.zeros(shape)).any()


@pytest.mark.parametrize("shape", [(32, 32), (48, 16), (16, 48)])
@pytest.mark.parametrize("nesterov", [True, False])
def test_muon_steps_as_torchs_does_but_for_its_rounding(shape, nesterov):
    """torch.optim.Muon computes the direction in bfloat16, which has three digits."""
    start, ours, theirs = (
        torch.randn(shape),
        nn.Parameter(torch.empty(shape)),
        nn.Parameter(torch.empty(shape)),
    )
    settings = {"lr": 0.03, "weight_decay": 0.2, "momentum": 0.9, "nesterov": nesterov, "ns_steps": 4}
    ours.data, theirs.data = start.clone(), start.clone()
    optimizers = training.Muon([ours], **settings), torch.optim.Muon([theirs], **settings)
    for seed in range(4):
        ours.grad = torch.randn(shape, generator=torch.Generator().manual_seed(seed))
        theirs.grad = ours.grad.clone()
        for optimizer in optimizers:
            optimizer.step()
    assert (ours - theirs).abs().max() < 0.02 * (ours - start).abs().max()
    assert optimizers[0].state_dict()["param_groups"] == optimizers[1].state_dict()["param_groups"]
    assert optimizers[0].state_dict()["state"].keys() == optimizers[1].state_dict()["state"].keys()
    with pytest.raises(ValueError, match="adjust_lr_fn"):
        training.Muon([ours], adjust_lr_fn="match_rms_adamw")


@pytest.mark.parametrize("make", [training.adamw, training.muon])
def test_both_optimizers_learn_a_linear_map(make):
    x, y, batches = regression(256)
    torch.manual_seed(0)
    model = nn.Linear(5, 3)
    before = squared_error(model, (x, y)).item()
    optimizers = make(model, 0.05, weight_decay=0.0)
    training.train(
        model, squared_error, batches, optimizers, training.TrainingConfig(n_steps=300), progress=False
    )
    assert squared_error(model, (x, y)).item() < 0.01 * before


# Loop
# ------------------------------------------------------------------------------------------------------------


def test_evaluating_more_often_never_changes_the_run():
    x, y, batches = regression()

    def run(every):
        model = fresh(nn.Dropout(0.5))
        config = training.TrainingConfig(n_steps=12, evaluate_every=every)
        history = training.train(
            model, squared_error, batches, training.adamw(model), config, progress=False,
            evaluate=lambda net: squared_error(net, (x, y)) + torch.rand(()) * 0,
        )  # fmt: skip
        return model, history

    (often, seen), (seldom, _) = run(1), run(None)
    assert len(seen.valid) == 12
    assert all(torch.equal(a, b) for a, b in zip(often.parameters(), seldom.parameters(), strict=True))


def test_seed_decides_dropout():
    _, _, batches = regression()

    def run(seed):
        model = fresh(nn.Dropout(0.5))
        config = training.TrainingConfig(n_steps=5, seed=seed)
        training.train(model, squared_error, batches, training.adamw(model), config, progress=False)
        return model[0].weight.detach()

    assert torch.equal(run(0), run(0)) and not torch.equal(run(0), run(1))


def test_evaluation_switches_dropout_off_and_gradients_off():
    _, _, batches = regression()
    model, seen = fresh(nn.Dropout(0.5)), []

    def evaluate(net):
        seen.append((net.training, torch.is_grad_enabled()))
        return 0.0

    training.train(
        model, squared_error, batches, training.adamw(model), training.TrainingConfig(n_steps=2), evaluate,
        progress=False,
    )  # fmt: skip
    assert seen == [(False, False)] and model.training


def test_bf16_computes_in_bf16_and_keeps_weights_in_float32():
    x, y, batches = regression()
    dtypes, losses = set(), []
    for bf16 in (True, False):
        model = fresh()
        handle = model[0].register_forward_hook(lambda part, inputs, output: dtypes.add(output.dtype))
        config = training.TrainingConfig(n_steps=60, bf16=bf16)
        training.train(model, squared_error, batches, training.adamw(model, 0.02), config, progress=False)
        handle.remove()
        losses.append(squared_error(model, (x, y)).item())
        assert all(parameter.dtype == torch.float32 for parameter in model.parameters())
    assert dtypes == {torch.bfloat16, torch.float32}
    assert losses[0] == pytest.approx(losses[1], rel=0.1)


def test_a_loss_that_is_no_number_stops_the_run():
    _, _, batches = regression()
    model = fresh()
    with pytest.raises(FloatingPointError, match="step 10.*learning rate"):
        training.train(
            model, lambda net, batch: squared_error(net, batch) * float("nan"), batches,
            training.adamw(model), training.TrainingConfig(n_steps=20), progress=False,
        )  # fmt: skip


def test_a_checkpoint_of_another_run_is_refused_but_reporting_may_change(tmp_path):
    _, _, batches = regression()

    def run(**changes):
        model = fresh()
        config = training.TrainingConfig(**({"n_steps": 4} | changes))
        return training.train(model, squared_error, batches, training.adamw(model), config, None, tmp_path,
                              progress=False)  # fmt: skip

    first = run()
    assert run(log_every=3).train == first.train
    with pytest.raises(ValueError, match=r"n_steps.*\(4, 8\)"):
        run(n_steps=8)


OTHERS = {  # what the second part of a run is given otherwise, and the words that name it
    "learning rate": ({"optimizers": lambda net: training.adamw(net, 0.02)}, r"initial_lr': \(0.001, 0.02\)"),
    "weight decay": (
        {"optimizers": lambda net: training.adamw(net, weight_decay=0.0)},
        r"weight_decay': \(0.1, 0.0\)",
    ),
    "betas": (
        {"optimizers": lambda net: training.adamw(net, betas=(0.9, 0.99))},
        r"betas': \(\(0.9, 0.95\), \(0.9, 0.99\)\)",
    ),
    "optimizer": ({"optimizers": training.muon}, r"momentum': \('absent', 0.95\)"),
    "one optimizer more": ({"optimizers": lambda net: training.adamw(net) * 2}, r"optimizers\[1\]"),
    "model": (
        {"model": lambda: nn.Sequential(nn.Linear(5, 9), nn.Tanh(), nn.Linear(9, 3))},
        r"model.0.weight': \(\(8, 5\), \(9, 5\)\)",
    ),
    "deeper model": ({"model": lambda: fresh(nn.Linear(8, 8))}, r"model.3.weight': \('absent', \(3, 8\)\)"),
    "schedule": ({"config": {"decay": "linear"}}, r"decay': \('cosine', 'linear'\)"),
    "seed": ({"config": {"seed": 1}}, r"seed': \(0, 1\)"),
}


@pytest.mark.parametrize("changes, words", OTHERS.values(), ids=OTHERS)
def test_a_run_goes_on_only_as_it_began_and_a_refusal_changes_nothing(tmp_path, changes, words):
    _, _, batches = regression()

    def part(model=fresh, optimizers=training.adamw, config=()):
        net = model()
        before = [parameter.clone() for parameter in net.parameters()]
        try:
            training.train(
                net,
                squared_error,
                batches,
                optimizers(net),
                training.TrainingConfig(**({"n_steps": 4} | dict(config))),
                None,
                tmp_path,
                progress=False,
            )
        finally:
            changed = any(not torch.equal(a, b) for a, b in zip(before, net.parameters(), strict=True))
        return changed

    assert part()
    kept = (tmp_path / "checkpoint.pt").read_bytes()
    with pytest.raises(ValueError, match=words):
        part(**changes)
    assert (tmp_path / "checkpoint.pt").read_bytes() == kept
    assert part()  # the finished run's weights are read back


def test_a_refused_model_keeps_its_weights(tmp_path):
    _, _, batches = regression()
    config, first = training.TrainingConfig(n_steps=2), fresh()
    training.train(
        first, squared_error, batches, training.adamw(first), config, None, tmp_path, progress=False
    )
    torch.manual_seed(1)
    other = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 4))  # its first layer would fit
    before = other[0].weight.clone()
    with pytest.raises(ValueError, match="of another run"):
        training.train(
            other, squared_error, batches, training.adamw(other), config, None, tmp_path, progress=False
        )
    assert torch.equal(other[0].weight, before)


@pytest.mark.parametrize("make", [
    lambda whole: b"something else", lambda whole: b"", lambda whole: whole[: len(whole) // 2],
    lambda whole: whole[:-1],
], ids=["other bytes", "empty", "half", "all but the last byte"])  # fmt: skip
def test_a_checkpoint_that_cannot_be_read_is_named_and_kept(tmp_path, make):
    _, _, batches = regression()
    assert training.load_checkpoint(tmp_path) is None
    path = training.save_checkpoint(tmp_path, {"model": fresh().state_dict()})
    path.write_bytes(broken := make(path.read_bytes()))
    with pytest.raises(
        ValueError, match=("checkpoint.pt is not a checkpoint that can be read: put a whole copy back")
    ):
        training.load_checkpoint(tmp_path)
    model = fresh()
    with pytest.raises(ValueError, match="checkpoint.pt is not a checkpoint"):
        training.train(
            model, squared_error, batches, training.adamw(model), training.TrainingConfig(n_steps=2),
            folder=tmp_path, progress=False,
        )  # fmt: skip
    assert path.read_bytes() == broken


@pytest.mark.parametrize("state", [{"weight": torch.zeros(2)}, [1, 2]])
def test_a_file_of_something_else_than_a_run_is_named(tmp_path, state):
    _, _, batches = regression()
    training.save_checkpoint(tmp_path, state)
    model = fresh()
    with pytest.raises(ValueError, match="no checkpoint of train, it lacks model, optimizers"):
        training.train(
            model, squared_error, batches, training.adamw(model), training.TrainingConfig(n_steps=2),
            folder=tmp_path, progress=False,
        )  # fmt: skip


def test_where_writing_fails_the_last_checkpoint_stays_and_nothing_is_left_beside_it(tmp_path, monkeypatch):
    path = training.save_checkpoint(tmp_path, {"step": 1})
    kept = path.read_bytes()

    def full_disk(state, file):
        file.write(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr(torch, "save", full_disk)
    with pytest.raises(OSError, match="No space"):
        training.save_checkpoint(tmp_path, {"step": 2})
    assert path.read_bytes() == kept and list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_made_stops_a_run_before_its_first_step(tmp_path):
    (tmp_path / "file").touch()
    model, asked = fresh(), []
    with pytest.raises(FileExistsError):
        training.train(
            model,
            squared_error,
            lambda *step: asked.append(step),
            training.adamw(model),
            # fmt: skip
            training.TrainingConfig(n_steps=2),
            folder=tmp_path / "file",
            progress=False,
        )
    assert not asked


def test_one_optimizer_must_stand_in_a_list():
    model = fresh()
    with pytest.raises(TypeError, match=r"AdamW came: write \[optimizer\]"):
        training.train(
            model, squared_error, None, training.adamw(model)[0], training.TrainingConfig(n_steps=2)
        )


def test_history_plots_what_it_holds():
    import matplotlib

    matplotlib.use("Agg")
    history = training.History(train=[(1, 3.0), (2, 2.0)], valid=[(1, 2.9), (2, 2.5)])
    axes = history.plot()
    assert [line.get_xydata().tolist() for line in axes.lines] == [[[1, 3], [2, 2]], [[1, 2.9], [2, 2.5]]]
    assert axes.get_xlabel() and axes.get_ylabel() and history.best() == (2, 2.5)
    assert training.History(**history.to_dict()) == history
    with pytest.raises(ValueError, match="evaluate"):
        training.History().best()


def test_the_bar_shows_only_when_asked(capsys):
    _, _, batches = regression()
    for progress in (True, False):
        model = fresh()
        training.train(
            model,
            squared_error,
            batches,
            training.adamw(model),
            training.TrainingConfig(n_steps=3),
            progress=progress,
        )
        assert ("3/3" in capsys.readouterr().err) == progress


def test_numbers_of_numpy_can_be_resumed(tmp_path):
    for _ in range(2):
        model, batches = fresh(), regression()[2]
        config = training.TrainingConfig(np.int64(6), final_share=np.float64(0.1), save_every=3)
        optimizers = training.adamw(model, np.geomspace(1e-4, 1e-2, 3)[1])
        history = training.train(
            model, squared_error, batches, optimizers, config, folder=tmp_path, progress=False
        )
    assert [step for step, _ in history.train] == [6]


def test_weights_that_are_no_numbers_do_not_take_a_good_checkpoints_place(tmp_path):
    def breaks(model, batch):
        calls.append(1)
        return squared_error(model, batch) * (float("nan") if len(calls) == 4 else 1.0)

    calls, model, batches = [], fresh(), regression()[2]
    config = training.TrainingConfig(12, save_every=2, log_every=12)
    with pytest.raises(FloatingPointError, match="no longer finite by step 4, and the checkpoint before"):
        training.train(
            model, breaks, batches, training.adamw(model, 1e-3), config, folder=tmp_path, progress=False
        )
    saved = training.checkpoint.load_checkpoint(tmp_path)
    assert saved["step"] == 2 and all(weight.isfinite().all() for weight in saved["model"].values())


def test_a_gradient_from_before_the_run_changes_nothing():
    weights = []
    for earlier in (False, True):
        model, batches = fresh(), regression()[2]
        if earlier:
            squared_error(model, batches(0, 0, 1)).backward()
        training.train(
            model,
            squared_error,
            batches,
            training.adamw(model, 1e-2),
            training.TrainingConfig(3),
            progress=False,
        )
        weights.append(torch.cat([weight.detach().flatten() for weight in model.parameters()]))
    assert torch.equal(*weights)


def test_shares_of_a_schedule_out_of_range_are_refused():
    for wrong in ({"final_share": 5}, {"decay_share": 3}, {"decay_share": -3}, {"warmup_steps": 11}):
        with pytest.raises(ValueError, match="must be in"):
            training.rate_share(9, 10, **wrong)


def test_examples_may_come_from_a_generator():
    batches = training.ExampleBatches((torch.arange(4) for _ in range(2)), batch_size=2)
    assert len(batches(0)) == 2
