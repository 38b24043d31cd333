"""The encoder–decoder Transformer of 2017: read one sequence, write another."""

from dataclasses import dataclass

import torch
from torch import nn

from allyouneed.models.common import Embedding, initialize_2017
from allyouneed.nn.attention import Causal, fused_attention, real_keys
from allyouneed.nn.evaluating import evaluating
from allyouneed.nn.layers import (
    Block,
    DecoderBlock,
    FeedForward,
    LayerNorm,
    PostNormBlock,
    PostNormDecoderBlock,
)
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import SinusoidalPositions
from allyouneed.tensors import Bool, Ids, Logits, Mask, Memory, Positions, Source, Tensor
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

SourceReal = Bool[Tensor, "B S"] | None  # False where a token is padding


def parts(config, *attends):
    """What a block is made of: an attention for each of `attends`, feed-forward network, norm, dropout."""
    sizes = config.d_model, config.n_heads
    attentions = [MultiHeadAttention(*sizes, attend=attend) for attend in attends]
    return *attentions, FeedForward(config.d_model, config.d_ff), LayerNorm(config.d_model), config.dropout


class Seq2Seq(nn.Module):
    """Translate: an encoder reads the source; a decoder writes the target, attending to it and the source.

    Embeddings are scaled by √d_model and get sinusoidal positions; the output head is the target's embedding
    matrix.

    config: a `Seq2SeqConfig`. attend: the attention in each layer, (q, k, v, mask) -> (output, weights), such
    as your own; in the decoder, the model puts `Causal` around it.
    generator: where the starting weights are drawn from. Paper: Vaswani and others 2017.

    >>> model = Seq2Seq(Seq2SeqConfig(vocab_size=40, d_model=16, n_layers=1, n_heads=2))
    >>> model(torch.tensor([[5, 6, 7]]), torch.tensor([[1, 8]])).shape
    torch.Size([1, 2, 40])
    """

    def __init__(self, config, attend=fused_attention, generator=None):
        super().__init__()
        self.config, d, n_layers = config, config.d_model, config.n_layers
        encoder, decoder, last = PostNormBlock, PostNormDecoderBlock, nn.Identity
        if config.norm_first:  # the last sum is then not normalized yet: two more norms do it
            encoder, decoder, last = Block, DecoderBlock, LayerNorm
        self.target_embedding = self.source_embedding = Embedding(config.vocab_size, d)
        if config.source_vocab_size:
            self.source_embedding = Embedding(config.source_vocab_size, d, "source")
        self.positions = SinusoidalPositions(d)
        self.encoder = nn.ModuleList(encoder(*parts(config, attend)) for _ in range(n_layers))
        self.decoder = nn.ModuleList(decoder(*parts(config, Causal(attend), attend)) for _ in range(n_layers))
        self.encoder_norm, self.decoder_norm = last(d), last(d)
        self.dropout = nn.Dropout(config.dropout)
        initialize_2017(self, d, generator)

    def forward(self, source: Source, target: Ids, source_real=None) -> Logits:
        """source (B, S) and target (B, T), start token first, to logits (B, T, V): each next token.

        source_real: boolean (B, S), False where the source is padding.
        Raises ValueError where shapes do not fit or an id is not 0 to V-1, TypeError where ids are no
        integers.
        """
        return self.decode(target, *self.encode(source, source_real))

    def encode(self, source: Source, source_real: SourceReal = None) -> tuple[Memory, Mask]:
        """source (B, S) to (memory (B, S, D), the mask (B, 1, 1, S) that goes with it, or None)."""
        check_ids(source, "source", source_real)
        x, mask = self.embed(self.source_embedding, source), real_keys(source_real)
        for layer in self.encoder:
            x = layer(x, mask)
        return self.encoder_norm(x), mask

    def decode(self, target: Ids, memory: Memory, memory_mask=None, mask=None, positions=None) -> Logits:
        """target (B, T) and the encoder's memory to logits (B, T, V); all else as in `GPT.forward`."""
        check_ids(target, "target")
        x = self.embed(self.target_embedding, target, positions)
        for layer in self.decoder:
            x = layer(x, memory, mask, memory_mask)
        return self.decoder_norm(x) @ self.target_embedding.weight.T  # (B, T, V)

    def embed(self, embedding, ids, positions=None):
        return self.dropout(self.positions(embedding(ids) * self.config.d_model**0.5, positions))

    def given(self, source: Source, source_real: SourceReal = None) -> "Given":
        """The decoder, its source fixed, as a language model for `generate`, `stream` and `beam_search`."""
        return Given(self, source, source_real)


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
        self.training = model.training
        with evaluating(model), torch.no_grad():
            self.memory, self.memory_mask = model.encode(*source)

    def forward(self, ids: Ids, mask: Mask = None, positions: Positions = None) -> Logits:
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
        return self.model.decode(ids, memory, memory_mask, mask, positions)
