"""Greedy generation, batch 1: tokens a second, ours and peers. Untrained models of equal size, then
SmolLM2-135M.

    python benchmarks/generation.py [--threads 1] [--rounds 5] [--json FILE]
"""

import copy
import warnings

import torch
from floors import ALONE, products_of
from rounds import compare, machine, options, report, take_turns
from training_step import models

from allyouneed.generation.sampling import column_major, generate
from allyouneed.nn.fused import fuse_projections
from allyouneed.pretrained.loading import load_smollm2

NEW_TOKENS, SMOLLM2_TOKENS = 256, 64
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
    prepared = column_major(fuse_projections(copy.deepcopy(ours)))
    work["allyouneed, cache, fused, column_major"] = lambda: generate(
        prepared, prompt, NEW_TOKENS, temperature=0
    )
    if without_cache:
        work["allyouneed, no cache"] = lambda: generate(
            ours, prompt, NEW_TOKENS, temperature=0, use_cache=False
        )
    if "transformers GPT-2" in found:
        gpt2, ones = found["transformers GPT-2"][0], torch.ones_like(prompt)
        # no stop token: all contestants make all the tokens
        how = {"max_new_tokens": NEW_TOKENS, "do_sample": False, "use_cache": True, "pad_token_id": 0}
        gpt2.generation_config.eos_token_id = None
        work["transformers, cache"] = lambda: gpt2.generate(prompt, attention_mask=ones, **how)[:, 1:]
    if "x-transformers" in found:
        from x_transformers import AutoregressiveWrapper

        wrapper = AutoregressiveWrapper(found["x-transformers"][0])
        work["x-transformers, cache"] = lambda: wrapper.generate(
            prompt, NEW_TOKENS, temperature=0.0, cache_kv=True
        )
    return work


def smollm2_generators():
    """The same for SmolLM2-135M: the real weights in our class; random ones of its sizes in transformers',
    which costs the same."""
    ours = load_smollm2()
    prepared, prompt = (
        column_major(fuse_projections(copy.deepcopy(ours))),
        torch.ones(1, 8, dtype=torch.int64),
    )
    work = {
        "allyouneed, cache": lambda: generate(ours, prompt, SMOLLM2_TOKENS, temperature=0),
        # fmt: skip
        "allyouneed, cache, fused, column_major": lambda: generate(
            prepared, prompt, SMOLLM2_TOKENS, temperature=0
        ),
    }
    try:
        from transformers import LlamaConfig, LlamaForCausalLM
    except ImportError:
        print("transformers is not installed: left out")
        return work
    c = ours.config
    theirs = LlamaForCausalLM(LlamaConfig(
        vocab_size=c.vocab_size, hidden_size=c.d_model, intermediate_size=c.d_ff,
        num_hidden_layers=c.n_layers, num_attention_heads=c.n_heads, num_key_value_heads=c.n_kv_heads,
        max_position_embeddings=c.max_len, tie_word_embeddings=True, bos_token_id=0, eos_token_id=0,
    )).eval()  # fmt: skip
    theirs.generation_config.eos_token_id = None
    how = {"max_new_tokens": SMOLLM2_TOKENS, "do_sample": False, "use_cache": True, "pad_token_id": 0}
    work["transformers, cache"] = lambda: theirs.generate(
        prompt, attention_mask=torch.ones_like(prompt), **how
    )[:, prompt.shape[1] :]
    return work


def measure(name, work, n_tokens, n_rounds, chosen, results):
    """Time the contestants in turn, after making sure that each makes all the tokens."""
    work |= {ALONE: products_of(work["allyouneed, cache, fused, column_major"])}
    for peer, make in work.items():
        shape = tuple(make().shape)
        if shape != (1, n_tokens):
            raise AssertionError(
                f"{peer} made tokens of shape {shape}, not {(1, n_tokens)}: not the same work"
            )
    rows = compare(take_turns(work, n_rounds), ours="allyouneed, cache, fused, column_major")
    for row in rows:
        row["tokens_a_second"] = n_tokens / row["ms"] * 1000
    report(f"generation, {name}", rows, chosen, results)


@torch.no_grad()
def main():
    chosen, results = options(__doc__), {}
    warnings.filterwarnings("ignore")
    print(machine())
    for name, sizes in SIZES.items():
        torch.manual_seed(0)
        small = sizes["d_model"] < 256  # short rounds need to be more
        n_rounds = 3 * chosen.rounds if small else min(chosen.rounds, 5)
        measure(name, generators(sizes, without_cache=small), NEW_TOKENS, n_rounds, chosen, results)
    measure("SmolLM2-135M", smollm2_generators(), SMOLLM2_TOKENS, min(chosen.rounds, 5), chosen, results)


if __name__ == "__main__":
    main()
