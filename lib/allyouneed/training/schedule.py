"""How the learning rate changes in a run: it warms up, stays, and decays."""

import math

SHAPES = ("cosine", "linear", "constant")


def rate_share(step, n_steps, warmup_steps=0, decay="cosine", decay_share=1.0, final_share=0.0) -> float:
    """Return the share of the full learning rate that step number `step` uses.

    Warm-up: (step + 1) / warmup_steps. Then 1, until the last `decay_share` of the steps after the warm-up,
    in which it falls to f = `final_share`. With progress p from 0 to just below 1, cosine is
    f + (1 − f)(1 + cos πp) / 2 and linear is f + (1 − f)(1 − p).

    Arguments: `step` from 0 to n_steps − 1; `n_steps` and `warmup_steps`, counts; `decay`, "cosine", "linear"
    or "constant"; `decay_share` and `final_share` in [0, 1]. Returns a float in [0, 1]. Raises `ValueError`.
    Papers: Vaswani and others 2017 (warm-up), Loshchilov and Hutter 2017 (cosine).

    >>> [rate_share(step, 8, warmup_steps=4, decay="linear") for step in (0, 3, 4, 6)]
    [0.25, 1.0, 1.0, 0.5]
    """
    if decay not in SHAPES:
        raise ValueError(f"decay must be one of {SHAPES}, got {decay!r}")
    if not 0 <= step < n_steps:
        raise ValueError(f"step must be from 0 to {n_steps - 1}, got {step}")
    if not (0 <= decay_share <= 1 and 0 <= final_share <= 1 and 0 <= warmup_steps <= n_steps):
        raise ValueError(
            f"decay_share and final_share must be in [0, 1], warmup_steps from 0 to {n_steps}, got "
            f"{decay_share}, {final_share} and {warmup_steps}"
        )
    if step < warmup_steps:
        return (step + 1) / warmup_steps
    n_decay = round((n_steps - warmup_steps) * decay_share)
    if decay == "constant" or n_decay == 0:
        return 1.0
    progress = max(0.0, (step - (n_steps - n_decay)) / n_decay)
    falling = (1 + math.cos(math.pi * progress)) / 2 if decay == "cosine" else 1 - progress
    return final_share + (1 - final_share) * falling
