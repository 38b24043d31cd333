"""The encoder–decoder Transformer of 2017: read one sequence, write another."""

from dataclasses import dataclass

import torch
from torch import nn

from allyouneed.models.common import Embedding, initialize, run_layers
from allyouneed.nn.layers import DecoderLayer, EncoderLayer, LayerNorm
from allyouneed.nn.positions import SinusoidalPositions
from allyouneed.own.layers import OwnDecoderLayer, OwnEncoderLayer
from allyouneed.validate import check_flags, check_ids, check_share, check_sizes

__all__ = ["Given", "SEQ2SEQ_CONFIGS", "Seq2Seq", "Seq2SeqConfig"]


@dataclass(frozen=True)
class Seq2SeqConfig:
    """The sizes of a `Seq2Seq`; n_layers are in the encoder, and as many in the decoder ("6 + 6").

    source_vocab_size: for a vocabulary of its own; the default shares one embedding among source, target and
    output.
    max_len: the longest target that may be written; positions are sinusoidal, so nothing is learned for it.
    Raises ValueError where a size is not positive, the heads do not divide d_model, or d_model is odd.

    >>> Seq2SeqConfig(vocab_size=40, d_model=32, n_layers=2, n_heads=4).d_ff
    128
    """

    vocab_size: int
    d_model: int
    n_layers: int
    n_heads: int
    d_ff: int | None = None
    source_vocab_size: int | None = None
    max_len: int = 1024
    dropout: float = 0.0
    norm_first: bool = False

    def __post_init__(self):
        check_sizes(self, "vocab_size", "d_model", "n_layers", "n_heads", "max_len")
        if self.d_ff is None:
            object.__setattr__(self, "d_ff", 4 * self.d_model)
        check_sizes(self, "d_ff")
        check_share(self, "dropout")
        check_flags(self, "norm_first")
        if self.source_vocab_size is not None:
            check_sizes(self, "source_vocab_size")
        if self.d_model % 2:
            raise ValueError(f"Seq2SeqConfig: sinusoidal positions need an even d_model, got {self.d_model}.")


SEQ2SEQ_CONFIGS = {
    "transformer-base": Seq2SeqConfig(37000, d_model=512, n_layers=6, n_heads=8, dropout=0.1),
    "transformer-large": Seq2SeqConfig(37000, d_model=1024, n_layers=6, n_heads=16, dropout=0.3),
}


class Seq2Seq(nn.Module):
    """Translate: an encoder reads the source; a decoder writes the target, attending to it and the source.

    Embeddings are scaled by √d_model and get sinusoidal positions; the output head is the target's embedding
    matrix.

    config: a `Seq2SeqConfig`. attend: your attention in every layer, (q, k, v, mask) -> (output, weights).
    encoder_layer, decoder_layer: your own layers, classes built with (d_model, n_heads, d_ff, norm_first);
    see `allyouneed.own`.
    generator: where the starting weights are drawn from. Paper: Vaswani and others 2017.

    >>> model = Seq2Seq(Seq2SeqConfig(vocab_size=40, d_model=16, n_layers=1, n_heads=2))
    >>> model(torch.tensor([[5, 6, 7]]), torch.tensor([[1, 8]])).shape
    torch.Size([1, 2, 40])
    """

    def __init__(self, config, attend=None, generator=None, encoder_layer=None, decoder_layer=None):
        super().__init__()
        self.config = config
        _check_own(config, attend, encoder_layer, decoder_layer)
        sizes = dict(
            d_model=config.d_model,
            n_heads=config.n_heads,
            d_ff=config.d_ff,
            norm_first=config.norm_first,
            dropout=config.dropout,
            attend=attend,
        )
        self.target_embedding = Embedding(config.vocab_size, config.d_model)
        own = config.source_vocab_size
        self.source_embedding = Embedding(own, config.d_model, "source") if own else self.target_embedding
        self.positions = SinusoidalPositions(config.d_model)
        own_sizes = (config.d_model, config.n_heads, config.d_ff, config.norm_first)
        self.encoder = nn.ModuleList(
            EncoderLayer(**sizes) if encoder_layer is None else OwnEncoderLayer(encoder_layer(*own_sizes))
            for _ in range(config.n_layers)
        )
        self.decoder = nn.ModuleList(
            DecoderLayer(**sizes) if decoder_layer is None else OwnDecoderLayer(decoder_layer(*own_sizes))
            for _ in range(config.n_layers)
        )
        # With norm first nothing has normalized the last sum: two more norms do. The model of 2017 has none.
        self.encoder_norm, self.decoder_norm = (
            LayerNorm(config.d_model) if config.norm_first else nn.Identity() for _ in range(2)
        )
        self.dropout = nn.Dropout(config.dropout)
        self._initialize(generator)

    def _initialize(self, generator):
        # embeddings: norm 1, scaled by √d_model in use
        initialize(self, generator, std=self.config.d_model**-0.5)
        for name, parameter in self.named_parameters():
            if "embedding" not in name and parameter.dim() > 1 and not parameter.is_meta:
                nn.init.xavier_uniform_(parameter, generator=generator)

    def forward(self, source, target, source_real=None, need_weights=False):
        """source (B, S) and target (B, T), start token first, to logits (B, T, V): each next token.

        source_real: boolean (B, S), False where the source is padding. With need_weights=True returns
        (logits, decoder weights (L, B, H, T, T), cross-attention weights (L, B, H, T, S)).
        Raises ValueError where shapes do not fit or an id is not 0 to V-1, TypeError where ids are no
        integers.
        """
        memory, memory_mask = self.encode(source, source_real)
        return self.decode(target, memory, memory_mask, need_weights=need_weights)

    def encode(self, source, source_real=None):
        """source (B, S) to (memory (B, S, D), the mask (B, 1, 1, S) that goes with it, or None)."""
        check_ids(source, "source", source_real)
        mask = None if source_real is None else source_real[:, None, None, :]
        x = self._embed(self.source_embedding, source)
        return self.encoder_norm(run_layers(self.encoder, x, mask=mask)[0]), mask

    def decode(
        self, target, memory, memory_mask=None, mask=None, cache=None, positions=None, need_weights=False
    ):
        """target (B, T) and the encoder's memory to logits (B, T, V); all else as in `GPT.forward`."""
        check_ids(target, "target")
        if positions is None and cache is not None:
            positions = torch.arange(cache.length, cache.length + target.shape[1], device=target.device)
        x = self._embed(self.target_embedding, target, positions)
        maps = []
        for index, layer in enumerate(self.decoder):
            x = layer(
                x,
                memory,
                mask,
                memory_mask,
                True,
                need_weights,
                None if cache is None else cache[index],
                positions,
            )
            if need_weights:
                x, *weights = x
                maps.append(weights)
        logits = self.decoder_norm(x) @ self.target_embedding.weight.T  # (B, T, V)
        return (logits, *map(torch.stack, zip(*maps))) if need_weights else logits

    def _embed(self, embedding, ids, positions=None):
        return self.dropout(self.positions(embedding(ids) * self.config.d_model**0.5, positions))

    def given(self, source, source_real=None):
        """The decoder, its source fixed, as a language model for `generate`, `stream` and `beam_search`."""
        return Given(self, source, source_real)


def _check_own(config, attend, encoder_layer, decoder_layer):
    if attend is not None and encoder_layer is not None and decoder_layer is not None:
        raise ValueError(
            "Seq2Seq: attend is for the library's layers, but both kinds of layers are your "
            "own: leave attend out."
        )
    if config.dropout and (encoder_layer is not None or decoder_layer is not None):
        raise ValueError("Seq2Seq: your own layers know no dropout: set dropout=0 in the config.")


class Given(nn.Module):
    """A model with `encode` and `decode` as a language model of the target: the source is read once, here.

    model: a `Seq2Seq` or `Captioner`. source: what its `encode` takes. Called as a `GPT` is, with one prompt
    a source, or with several, side by side; raises ValueError where the prompts cannot be divided among the
    sources.

    >>> from allyouneed.generation.sampling import generate
    >>> model = Seq2Seq(Seq2SeqConfig(vocab_size=40, d_model=16, n_layers=1, n_heads=2))
    >>> generate(model.given(torch.tensor([[5, 6, 7]])), [[1]], max_new_tokens=4, temperature=0).shape
    torch.Size([1, 4])
    """

    def __init__(self, model, *source):
        super().__init__()
        self.model, self.config = model, model.config
        was_training = model.training
        model.eval()
        with torch.no_grad():
            self.memory, self.memory_mask = model.encode(*source)
        self.train(was_training)

    def forward(self, ids, mask=None, cache=None, positions=None):
        # a beam has several texts a source, side by side
        copies, rest = divmod(len(ids), len(self.memory))
        if rest:
            raise ValueError(
                f"{len(self.memory)} sources came with {len(ids)} prompts: give each source one prompt."
            )
        memory, memory_mask = (
            None if part is None else part.repeat_interleave(copies, dim=0)
            for part in (self.memory, self.memory_mask)
        )
        return self.model.decode(ids, memory, memory_mask, mask=mask, cache=cache, positions=positions)
