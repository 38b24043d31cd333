"""The real model of molecules in our own layer: its weights, mapped, and a way to ask what fills a gap."""

import torch
import torch.nn.functional as F

from allyouneed.data import load_molecule_model
from allyouneed.nn.layers import FeedForward, LayerNorm, PostNormBlock
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.tensors import Float, Tensor

__all__ = ["MoleculeFiller"]

SHARED = "encoder.albert_layer_groups.0.albert_layers.0."  # the one layer
THEIRS_TO_OURS = {
    "attention.query": "attention.q_proj",
    "attention.key": "attention.k_proj",
    "attention.value": "attention.v_proj",
    "attention.dense": "attention.o_proj",
    "attention.LayerNorm": "attention_norm",
    "ffn": "feed_forward.up_proj",
    "ffn_output": "feed_forward.down_proj",
    "full_layer_layer_norm": "feed_forward_norm",
}


class MoleculeFiller:
    """What may stand at each place of a molecule's text: RXNMapper's ALBERT, a `PostNormBlock` twelve times.

    `tokens` are the V = 591 tokens in the order of their ids; `ids` is the dict back. Equal to the reference
    within 1e-5.
    Papers: Lan and others 2020; Schwaller and others 2021.

    >>> fill = MoleculeFiller()
    >>> fill.tokens[fill(["C", "C", "(", "[MASK]", "O", ")", "O"])[3].argmax()]
    '='
    """

    def __init__(self):
        model = load_molecule_model()
        self.tokens, self.ids = model.tokens, {token: number for number, token in enumerate(model.tokens)}
        self.weights = {name.removeprefix("albert."): value for name, value in model.weights.items()}
        self.layer = PostNormBlock(
            MultiHeadAttention(256, n_heads=8), FeedForward(256, 512, F.gelu), LayerNorm(256, 1e-12)
        ).requires_grad_(False)
        self.layer.load_state_dict(
            {
                f"{ours}.{kind}": self.weights[f"{SHARED}{theirs}.{kind}"]
                for theirs, ours in THEIRS_TO_OURS.items()
                for kind in ("weight", "bias")
            }
        )

    def __call__(self, tokens) -> Float[Tensor, "T V"]:
        """T tokens of `smiles_tokens`, "[MASK]" where one is hidden, to probabilities (T, V) a place.

        Raises KeyError where a token is none of the model's.
        """
        ids = torch.tensor([self.ids[token] for token in ["[CLS]", *tokens, "[SEP]"]])
        rows = {"word": ids, "position": torch.arange(len(ids)), "token_type": 0 * ids}
        x = sum(
            self.weights[f"embeddings.{kind}_embeddings.weight"][i] for kind, i in rows.items()
        )  # (T + 2, 128)
        x = self._linear(self._norm(x, "embeddings.LayerNorm"), "encoder.embedding_hidden_mapping_in")[None]
        for _ in range(12):
            x = self.layer(x)  # (1, T + 2, 256)
        x = self._norm(F.gelu(self._linear(x, "predictions.dense")), "predictions.LayerNorm")
        return self._linear(x, "predictions.decoder").softmax(-1)[0, 1:-1]  # (T, V)

    def _linear(self, x, name):
        return F.linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, x, name):
        return F.layer_norm(x, (128,), self.weights[f"{name}.weight"], self.weights[f"{name}.bias"], 1e-12)
