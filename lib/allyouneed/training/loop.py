"""The training loop of the course: small enough to read, and safe to kill."""

import time
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import nn
from tqdm.auto import tqdm

from allyouneed.nn.evaluating import evaluating
from allyouneed.validate import check_flags, check_positive, check_share, check_sizes

from .checkpoint import check_same_run, load_checkpoint, plain, save_checkpoint
from .history import History
from .parallel import Process, share_gradients
from .schedule import SHAPES, rate_share
from .seeds import set_seeds


@dataclass(frozen=True)
class TrainingConfig:
    """How to train. Raises `ValueError` when made with values that cannot work.

    `n_steps`, updates in all; `warmup_steps`, `decay`, `decay_share`, `final_share`: see `rate_share`;
    `max_grad_norm`, longer gradients are shortened to it (None: never); `bf16`, compute in bfloat16 where
    torch finds it safe, keep weights in float32; `evaluate_every`, `save_every`, `log_every`, intervals in
    steps (None: only at the end); `seed`, of dropout and other draws (batches have their own).

    >>> TrainingConfig(n_steps=100, warmup_steps=10).decay
    'cosine'
    """

    n_steps: int
    warmup_steps: int = 0
    decay: str = "cosine"
    decay_share: float = 1.0
    final_share: float = 0.0
    max_grad_norm: float | None = 1.0
    bf16: bool = False
    evaluate_every: int | None = None
    save_every: int | None = None
    log_every: int = 10
    seed: int = 0

    def __post_init__(self):
        check_sizes(self, "n_steps", "log_every")
        check_sizes(self, "warmup_steps", "seed", at_least=0)
        if self.warmup_steps > self.n_steps:
            raise ValueError(f"need warmup_steps ≤ n_steps, got {self.warmup_steps} and {self.n_steps}")
        if self.decay not in SHAPES:
            raise ValueError(f"decay must be one of {SHAPES}, got {self.decay!r}")
        check_share(self, "decay_share", "final_share", whole=True)
        check_flags(self, "bf16")
        check_sizes(
            self, *(name for name in ("evaluate_every", "save_every") if getattr(self, name) is not None)
        )
        if self.max_grad_norm is not None:
            check_positive(self, "max_grad_norm")


def train(
    model, loss, batches, optimizers, config, evaluate=None, folder=None, process=None, progress=True
) -> History:
    """Train a model in place and return its `History`; continue a killed run from its checkpoint in `folder`.

    Arguments: `model`, already on its device; `loss(model, batch)`, a scalar tensor, the mean over the batch;
    `batches(step, rank, n_processes)`, a tuple of tensors, the same whenever asked for the same step;
    `optimizers`, a list (`adamw(model)`, `muon(model)`); `config`, a `TrainingConfig`;
    `evaluate(model)`, a float, called without gradient and in evaluation mode;
    `folder`, where checkpoints go (None: nowhere); `process`, from `joined_processes()`; `progress`, show a
    bar.
    The global generators are seeded anew each step from (seed, step, process), so a resumed run makes the
    numbers of an unbroken one, and evaluating more often changes nothing.
    A checkpoint is continued only with the same config (`evaluate_every`, `save_every` and `log_every` may
    change), a model of the same shapes, and optimizers made with the same settings, learning rates included:
    else `ValueError`, and nothing is changed. Batches and loss cannot be compared: give those of the run's
    first part.
    Raises `FloatingPointError` when the loss, or a weight to be saved, is no longer finite, `ValueError` when
    a checkpoint cannot be read.
    """
    process = process or Process(device=next(model.parameters()).device)
    if not isinstance(optimizers, (list, tuple)):
        raise TypeError(
            f"optimizers must be a list, but a {type(optimizers).__name__} came: write [optimizer]"
        )
    for group in (group for optimizer in optimizers for group in optimizer.param_groups):
        group.setdefault("initial_lr", group["lr"])
    if folder and process.is_first:
        Path(folder).mkdir(parents=True, exist_ok=True)  # fails now rather than at the first save
    history, first_step, losses = _resume(folder, model, optimizers, config, process)
    shared, started = share_gradients(model, process), time.perf_counter() - history.seconds
    model.train()
    model.zero_grad(set_to_none=True)  # of a run that was stopped between gradient and step
    bar = tqdm(
        total=config.n_steps, initial=first_step, unit="step", disable=not (progress and process.is_first)
    )
    with bar:
        for step in range(first_step, config.n_steps):
            set_seeds(config.seed, step, process.rank)
            batch = [part.to(process.device) for part in batches(step, process.rank, process.count)]
            rate = _set_rate(optimizers, step, config)
            losses.append(_update(shared, loss, batch, optimizers, config, process.device))
            done, is_last = step + 1, step + 1 == config.n_steps
            if done % config.log_every == 0 or is_last:
                history.train.append((done, _mean(losses, done)))
                history.rate.append((done, rate))
                bar.set_postfix(loss=f"{history.train[-1][1]:.3f}")
            if evaluate and process.is_first and (is_last or _is_due(done, config.evaluate_every)):
                history.valid.append((done, _evaluate(model, evaluate)))
            if folder and process.is_first and (is_last or _is_due(done, config.save_every)):
                history.seconds = time.perf_counter() - started
                _check_weights(model, done)
                save_checkpoint(folder, _state(model, optimizers, config, done, history, losses))
            bar.update()
    history.seconds = time.perf_counter() - started
    return history


def _update(model, loss, batch, optimizers, config, device):
    with torch.autocast(device.type, torch.bfloat16, enabled=config.bf16):
        value = loss(model, batch)
    value.backward()
    if config.max_grad_norm is not None:
        nn.utils.clip_grad_norm_(model.parameters(), config.max_grad_norm)
    for optimizer in optimizers:
        optimizer.step()
    model.zero_grad(set_to_none=True)
    return value.detach()


def _set_rate(optimizers, step, config):
    rate = rate_share(
        step, config.n_steps, config.warmup_steps, config.decay, config.decay_share, config.final_share
    )
    for group in (group for optimizer in optimizers for group in optimizer.param_groups):
        group["lr"] = group["initial_lr"] * rate
    return rate


def _mean(losses, done):
    value = torch.stack(losses).mean().item()  # the only moment at which a GPU has to be waited for
    losses.clear()
    if value - value != 0:
        raise FloatingPointError(
            f"the loss is {value} by step {done}: try a lower learning rate or a longer warm-up"
        )
    return value


def _check_weights(model, done):
    if not all(weight.isfinite().all() for weight in model.parameters()):
        raise FloatingPointError(
            f"a weight is no longer finite by step {done}, and the checkpoint before stays: try a lower "
            "learning rate or a longer warm-up, in another folder"
        )


def _evaluate(model, evaluate):
    with evaluating(model), torch.no_grad():
        return float(evaluate(model))


def _is_due(done, interval):
    return interval is not None and done % interval == 0


def _state(model, optimizers, config, done, history, losses):
    return {
        "model": model.state_dict(),
        "optimizers": plain([optimizer.state_dict() for optimizer in optimizers]),
        "config": plain(asdict(config)),
        "step": done,
        "history": plain(history.to_dict()),
        "losses": list(losses),
    }


def _resume(folder, model, optimizers, config, process):
    state = load_checkpoint(folder, process.device) if folder else None
    if state is None:
        return History(), 0, []
    check_same_run(folder, state, _state(model, optimizers, config, 0, History(), []))
    model.load_state_dict(state["model"])
    for optimizer, saved in zip(optimizers, state["optimizers"], strict=True):
        optimizer.load_state_dict(saved)
    return History(**state["history"]), state["step"], list(state["losses"])
