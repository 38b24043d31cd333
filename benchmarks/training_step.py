"""One training step (forward, loss, backward, fused AdamW) of our GPT and of its peers, at equal work.

    python benchmarks/training_step.py [--threads 1] [--rounds 7] [--json FILE]

All have the same layers, heads, widths, context, batch, vocabulary, exact GELU where a choice exists, no
dropout, a tied or equally large output head, and the same optimizer. The count of parameters shows what is
left of the difference.
"""

import torch
import torch.nn.functional as F
from floors import ALONE, products_of
from rounds import compare, machine, options, report, take_turns
from torch import nn

from allyouneed.models.gpt import GPT, GPTConfig
from allyouneed.training import adamw

SIZES = {
    "small": {"n_layers": 4, "n_heads": 4, "d_model": 128, "length": 64, "batch": 12, "steps": 8},
    "larger": {"n_layers": 6, "n_heads": 6, "d_model": 384, "length": 256, "batch": 4, "steps": 1},
}
VOCAB = 84


class TorchEncoder(nn.Module):
    """`torch.nn.TransformerEncoder` with a causal mask, as a language model."""

    def __init__(self, n_layers, n_heads, d_model, length):
        super().__init__()
        self.embedding, self.positions = nn.Embedding(VOCAB, d_model), nn.Embedding(length, d_model)
        layer = nn.TransformerEncoderLayer(
            d_model, n_heads, 4 * d_model, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(
            layer, n_layers, nn.LayerNorm(d_model), enable_nested_tensor=False
        )
        self.head = nn.Linear(d_model, VOCAB, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, ids):
        x = self.embedding(ids) + self.positions.weight[: ids.shape[1]]
        mask = nn.Transformer.generate_square_subsequent_mask(ids.shape[1])
        return self.head(self.layers(x, mask=mask, is_causal=True))


def models(n_layers, n_heads, d_model, length):
    """Return a dict from name to `(module, function from ids to logits)`."""
    ours = GPT(GPTConfig(VOCAB, length, d_model, n_layers, n_heads))
    encoder = TorchEncoder(n_layers, n_heads, d_model, length)
    found = {"allyouneed GPT": (ours, ours), "torch.nn encoder": (encoder, encoder)}
    try:
        from transformers import GPT2Config, GPT2LMHeadModel

        config = GPT2Config(
            vocab_size=VOCAB, n_positions=length, n_embd=d_model, n_layer=n_layers, n_head=n_heads,
            activation_function="gelu", resid_pdrop=0, embd_pdrop=0, attn_pdrop=0, use_cache=False,
            bos_token_id=0, eos_token_id=0,
        )  # fmt: skip
        gpt2 = GPT2LMHeadModel(config)
        found["transformers GPT-2"] = (gpt2, lambda ids: gpt2(ids).logits)
    except ImportError:
        print("transformers is not installed: left out")
    try:
        from x_transformers import Decoder, TransformerWrapper

        layers = Decoder(
            dim=d_model, depth=n_layers, heads=n_heads, attn_dim_head=d_model // n_heads, attn_flash=True
        )
        x_model = TransformerWrapper(
            num_tokens=VOCAB, max_seq_len=length, attn_layers=layers, tie_embedding=True
        )
        found["x-transformers"] = (x_model, x_model)
    except ImportError:
        print("x-transformers is not installed: left out")
    return found


def step_of(model, logits_of, ids, steps):
    """Return a function that makes `steps` training steps on `ids` `(B, T + 1)`."""
    optimizers = adamw(model)
    model.train()

    def work():
        for _ in range(steps):
            loss = F.cross_entropy(logits_of(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
            loss.backward()
            for optimizer in optimizers:
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)

    return work


def main():
    chosen, results = options(__doc__), {}
    print(machine())
    for name, size in SIZES.items():
        torch.manual_seed(0)
        sizes = {key: size[key] for key in ("n_layers", "n_heads", "d_model", "length")}
        ids = torch.randint(VOCAB, (size["batch"], size["length"] + 1))
        found = models(**sizes)
        work = {peer: step_of(*pair, ids, size["steps"]) for peer, pair in found.items()}
        work[ALONE] = products_of(work["allyouneed GPT"])
        rows = compare(take_turns(work, chosen.rounds), ours="allyouneed GPT")
        for row in rows:
            row["ms"] /= size["steps"]
            if row["name"] != ALONE:
                row["parameters"] = f"{sum(p.numel() for p in found[row['name']][0].parameters()):,}"
        report(f"training step, {name}: {size}", rows, chosen, results)


if __name__ == "__main__":
    main()
