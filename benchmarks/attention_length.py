"""Causal attention by length: the formula, torch's fused kernel, and the course's blockwise, windowed and
linear forms.

    python benchmarks/attention_length.py [--threads 1] [--rounds 5] [--json FILE]

Batch 1, 4 heads of 64, float32, forward only. Memory is the highest resident size above the one before the
call, from a process of its own for each entry, so that no earlier call has warmed the allocator.
"""

import subprocess
import sys

import torch
from floors import ALONE, products_of
from rounds import compare, machine, options, report, take_turns

LENGTHS = (1024, 4096, 8192)
HEADS, WIDTH, WINDOW = 4, 64, 256
EXPLICIT_UP_TO = 4096  # the full matrix of scores at 8,192 takes four seconds and two gigabytes a call


def forms():
    """Return a dict from name to a function of q, k, v `(1, H, L, K)`."""
    from allyouneed.nn.attention import Causal, scaled_dot_product_attention
    from allyouneed.nn.blockwise import blockwise_attention
    from allyouneed.nn.linear_attention import linear_attention
    from allyouneed.nn.local import local_attention

    def fused(q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)

    return {
        "allyouneed blockwise": lambda q, k, v: blockwise_attention(q, k, v, is_causal=True),
        "SDPA (torch)": fused,
        "allyouneed explicit": Causal(scaled_dot_product_attention),
        f"allyouneed window {WINDOW}": lambda q, k, v: local_attention(q, k, v, WINDOW),
        "allyouneed linear": lambda q, k, v: linear_attention(q, k, v, is_causal=True),
    }


def inputs(length):
    """Return q, k, v, each `(1, H, L, K)`, drawn with seed 0."""
    generator = torch.Generator().manual_seed(0)
    return torch.randn(3, 1, HEADS, length, WIDTH, generator=generator).unbind(0)


def extra_mebibytes(name, length):
    """Run one form once in a new process; returns how far its resident memory rose, in MiB (output
    included)."""
    command = [sys.executable, __file__, "--memory-of", name, str(length)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def measure_memory(name, length):
    torch.set_num_threads(1)
    form, small, large = forms()[name], inputs(32), inputs(length)
    with torch.no_grad():
        form(*small)
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")  # Linux: the peak starts again from what is resident now
        before = peak_kibibytes()
        form(*large)
    print((peak_kibibytes() - before) / 1024)


def peak_kibibytes():
    """Return this process's highest resident size (not `ru_maxrss`, which a child inherits from its
    parent)."""
    with open("/proc/self/status") as file:
        return int(next(line.split()[1] for line in file if line.startswith("VmHWM")))


@torch.no_grad()
def main():
    chosen, results = options(__doc__), {}
    print(machine())
    for length in LENGTHS:
        q, k, v = inputs(length)
        work = {
            name: (lambda form=form: form(q, k, v))
            for name, form in forms().items()
            if name != "allyouneed explicit" or length <= EXPLICIT_UP_TO
        }
        work[ALONE] = products_of(work["allyouneed blockwise"])
        rows = compare(take_turns(work, min(chosen.rounds, 5)), ours="allyouneed blockwise")
        for row in rows:
            if row["name"] != ALONE:
                row["MiB"] = extra_mebibytes(row["name"], length)
        report(f"causal attention, length {length:,}", rows, chosen, results)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory-of"]:
        measure_memory(sys.argv[2], int(sys.argv[3]))
    else:
        main()
