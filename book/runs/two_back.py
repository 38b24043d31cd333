"""How many heads does it take to report two tokens at once, and how wide must a head be? Six layers, three
rates, three seeds.

    python book/runs/two_back.py

writes two_back.json beside this file after every training, and goes on where it stopped: for every layer,
rate and seed the mean squared error, the mean over each 25 updates. Needs about three minutes on one core.
Chapter 4 draws the best rate of each layer.
"""

import argparse
import json
from pathlib import Path

import torch

from allyouneed.nn.multihead import MultiHeadAttention

LAYERS = ((1, 16), (2, 8), (4, 4), (8, 2), (16, 1), (16, 4))  # heads, width of a head; the model is 16 wide
N_POSITIONS, N_NUMBERS, EVERY = 12, 4, 25


def two_back(generator, batch=32):
    content = torch.randn(batch, N_POSITIONS, N_NUMBERS, generator=generator)
    position = torch.eye(N_POSITIONS).expand(batch, -1, -1)  # a 1 among 0s
    target = torch.cat([content[:, 1:-1], content[:, :-2]], dim=-1)  # one back, two back
    return torch.cat([content, position], dim=-1), target  # (B, 12, 16), (B, 10, 8)


def train(n_heads, d_head, rate, seed, n_steps):
    """The loss of every update."""
    generator, losses = torch.Generator().manual_seed(seed), []
    torch.manual_seed(seed)
    layer = MultiHeadAttention(d_model=16, n_heads=n_heads, d_head=d_head)
    optimizer = torch.optim.Adam(layer.parameters(), lr=rate)
    for _ in range(n_steps):
        x, target = two_back(generator)
        loss = (layer(x)[0][:, 2:, :8] - target).square().mean()  # from the third token on
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rates", nargs="+", type=float, default=[0.005, 0.01, 0.02])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    made = {
        "command": "python book/runs/two_back.py",
        "torch": torch.__version__,
        "steps": options.steps,
        "batch": 32,
        "every": EVERY,
    }
    stored = json.loads(options.json.read_text()) if options.json.exists() else {}
    # other settings start anew
    runs = stored.pop("runs", []) if {**made, "runs": 0} == {**stored, "runs": 0} else []
    done = {(run["heads"], run["d_head"], run["rate"], run["seed"]) for run in runs}
    for n_heads, d_head in LAYERS:
        for rate in options.rates:
            for seed in options.seeds:
                if (n_heads, d_head, rate, seed) in done:
                    continue
                losses = (
                    torch.tensor(train(n_heads, d_head, rate, seed, options.steps)).view(-1, EVERY).mean(1)
                )
                runs.append(
                    {
                        "heads": n_heads,
                        "d_head": d_head,
                        "rate": rate,
                        "seed": seed,
                        "loss": [float(f"{x:.3g}") for x in losses.tolist()],
                    }
                )
                options.json.write_text(json.dumps({**made, "runs": runs}) + "\n")
                print(
                    (
                        f"{n_heads:2} heads {d_head:2} wide, rate {rate}, seed {seed}: "
                        f"{losses[-4:].mean():.4f}"
                    ),
                    flush=True,
                )


if __name__ == "__main__":
    main()
