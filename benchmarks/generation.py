"""Greedy generation of 256 tokens, batch 1, from untrained models of equal size: tokens a second, ours and peers.

    python benchmarks/generation.py [--threads 1] [--rounds 5] [--json FILE]
"""

import warnings

import torch
from rounds import compare, machine, options, report, take_turns
from training_step import models

from allyouneed.generation import generate

NEW_TOKENS = 256
SIZES = {
    "4 layers, width 128": {"n_layers": 4, "n_heads": 4, "d_model": 128, "length": NEW_TOKENS + 1},
    "6 layers, width 384": {"n_layers": 6, "n_heads": 6, "d_model": 384, "length": NEW_TOKENS + 1},
}


def generators(sizes, without_cache):
    """Return a dict from name to a function that generates `NEW_TOKENS` token ids, `(1, NEW_TOKENS)`."""
    found = models(**sizes)
    for model, _ in found.values():
        model.eval()
    prompt = torch.zeros(1, 1, dtype=torch.int64)
    ours = found["allyouneed GPT"][0]
    work = {"allyouneed, cache": lambda: generate(ours, prompt, NEW_TOKENS, temperature=0)}
    if without_cache:
        work["allyouneed, no cache"] = lambda: generate(ours, prompt, NEW_TOKENS, temperature=0, use_cache=False)
    if "transformers GPT-2" in found:
        gpt2, ones = found["transformers GPT-2"][0], torch.ones_like(prompt)
        # no stop token: all contestants make all the tokens
        how = {"max_new_tokens": NEW_TOKENS, "do_sample": False, "use_cache": True, "pad_token_id": 0}
        gpt2.generation_config.eos_token_id = None
        work["transformers, cache"] = lambda: gpt2.generate(prompt, attention_mask=ones, **how)[:, 1:]
    if "x-transformers" in found:
        from x_transformers import AutoregressiveWrapper

        wrapper = AutoregressiveWrapper(found["x-transformers"][0])
        work["x-transformers, cache"] = lambda: wrapper.generate(prompt, NEW_TOKENS, temperature=0.0, cache_kv=True)
    return work


@torch.no_grad()
def main():
    chosen, results = options(__doc__), {}
    warnings.filterwarnings("ignore")
    print(machine())
    for name, sizes in SIZES.items():
        torch.manual_seed(0)
        work = generators(sizes, without_cache=sizes["d_model"] < 256)
        for peer, make in work.items():
            shape = tuple(make().shape)
            if shape != (1, NEW_TOKENS):
                raise AssertionError(f"{peer} made tokens of shape {shape}, not {(1, NEW_TOKENS)}: not the same work")
        rows = compare(take_turns(work, min(chosen.rounds, 5)), ours="allyouneed, cache")
        for row in rows:
            row["tokens_a_second"] = NEW_TOKENS / row["ms"] * 1000
        report(f"generation, {name}", rows, chosen, results)


if __name__ == "__main__":
    main()
