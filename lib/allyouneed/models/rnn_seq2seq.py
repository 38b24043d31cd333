"""Sequence to sequence before the Transformer: two recurrent networks, with attention between or without."""

from dataclasses import dataclass

import torch
from torch import nn

from allyouneed.models.common import Embedding, initialize
from allyouneed.nn.recurrent import AdditiveAttention, GRUCell, Recurrent, State
from allyouneed.tensors import Bool, Float, Ids, Int, Logits, Source, Tensor
from allyouneed.validate import check_flags, check_ids, check_lengths, check_sizes

__all__ = ["RnnSeq2Seq", "RnnSeq2SeqConfig"]


@dataclass(frozen=True)
class RnnSeq2SeqConfig:
    """The sizes of an `RnnSeq2Seq`. attention=False leaves the encoder's last state alone: the bottleneck.

    Raises ValueError where a size is not positive or attention not True or False. No published model has this
    shape.

    >>> RnnSeq2SeqConfig(source_vocab_size=30, vocab_size=20, d_model=16, d_hidden=32).attention
    True
    """

    source_vocab_size: int
    vocab_size: int
    d_model: int
    d_hidden: int
    attention: bool = True

    def __post_init__(self):
        check_sizes(self, "source_vocab_size", "vocab_size", "d_model", "d_hidden")
        check_flags(self, "attention")


class RnnSeq2Seq(nn.Module):
    """A GRU reads the source; another writes the target, starting from the first one's last state.

    Without attention all that the decoder knows of the source is that one vector, however long the source is.
    With attention each step also gets context_t = Σ_s weights_ts · memory_s, scored against the decoder's
    last state.

    config: an `RnnSeq2SeqConfig`. generator: where the starting weights are drawn from. make_cell: what makes
    the two cells from (d_input, d_hidden), a GRUCell unless given; an LSTM's state is a pair, whose h is
    shown to the attention and the head.
    Papers: Sutskever and others 2014; Cho and others 2014; Bahdanau, Cho and Bengio 2014 (attention).

    >>> model = RnnSeq2Seq(RnnSeq2SeqConfig(source_vocab_size=30, vocab_size=20, d_model=16, d_hidden=32))
    >>> model(torch.tensor([[5, 6, 7]]), torch.tensor([[1, 8]])).shape
    torch.Size([1, 2, 20])
    """

    def __init__(self, config, generator=None, make_cell=None):
        super().__init__()
        self.config = config
        make_cell = make_cell or (lambda d_input, d_hidden: GRUCell(d_input, d_hidden, generator=generator))
        d_context = config.d_hidden if config.attention else 0
        self.source_embedding = initialize(
            Embedding(config.source_vocab_size, config.d_model, "source"), generator, std=1.0
        )
        self.target_embedding = initialize(
            Embedding(config.vocab_size, config.d_model, "target"), generator, std=1.0
        )
        self.encoder = Recurrent(make_cell(config.d_model, config.d_hidden))
        self.decoder = Recurrent(make_cell(config.d_model + d_context, config.d_hidden))
        self.attention = (
            AdditiveAttention(config.d_hidden, config.d_hidden, config.d_hidden, generator)
            if config.attention
            else None
        )
        self.head = initialize(
            nn.Linear(config.d_hidden + d_context, config.vocab_size), generator, std=config.d_hidden**-0.5
        )

    def forward(
        self,
        source: Source,
        target: Ids,
        lengths: Int[Tensor, " B"] | None = None,
        need_weights: bool = False,
    ) -> Logits | tuple[Logits, Float[Tensor, "B T S"] | None]:
        """source (B, S) and target (B, T), start token first, to logits (B, T, V): each next token.

        lengths: how many source tokens of each row are real (B,). With need_weights=True returns
        (logits, weights (B, T, S)); without attention the weights are None.
        Raises ValueError where lengths are not 0 to S or an id is not 0 to V-1, TypeError where ids are no
        integers.
        """
        check_ids(target, "target")
        state, memory, mask = self.encode(source, lengths)
        all_logits, all_weights = [], []
        for token in target.unbind(1):
            step_logits, state, step_weights = self.step(token, state, memory, mask)
            all_logits.append(step_logits)
            if step_weights is not None:
                all_weights.append(step_weights)
        logits = torch.stack(all_logits, dim=1)  # (B, T, V)
        if not need_weights:
            return logits
        return logits, torch.stack(all_weights, dim=1) if self.attention else None

    def encode(
        self, source: Source, lengths: Int[Tensor, " B"] | None = None
    ) -> tuple[State, Float[Tensor, "B S H"], Bool[Tensor, "B S"] | None]:
        """source (B, S) to the last state (B, H), all (B, S, H), and which are real (B, S) or None."""
        check_ids(source, "source")
        if lengths is not None:
            check_lengths(lengths, source)
        memory, state = self.encoder(self.source_embedding(source), lengths=lengths)
        mask = (
            None
            if lengths is None
            else torch.arange(source.shape[1], device=source.device) < lengths[:, None]
        )
        return state, memory, mask

    def step(
        self,
        token: Int[Tensor, " B"],
        state: State,
        memory: Float[Tensor, "B S H"],
        mask: Bool[Tensor, "B S"] | None = None,
    ) -> tuple[Float[Tensor, "B V"], State, Float[Tensor, "B S"] | None]:
        """A target token (B,) and the state to (next logits (B, V), state, weights (B, S) or None)."""
        x, weights, context = self.target_embedding(token), None, None  # (B, D)
        if self.attention is not None:
            context, weights = self.attention(_shown(state), memory, mask)  # (B, H), (B, S)
            x = torch.cat((x, context), dim=-1)  # (B, D + H)
        state = self.decoder.cell(x, state)  # (B, H), or a pair of them
        seen = _shown(state) if context is None else torch.cat((_shown(state), context), dim=-1)
        return self.head(seen), state, weights

    @torch.no_grad()
    def greedy(
        self,
        source: Source,
        start_id: int,
        stop_id: int,
        max_len: int,
        lengths: Int[Tensor, " B"] | None = None,
    ) -> Int[Tensor, "B n"]:
        """Write the likeliest token again and again; returns ids (B, n), n ≤ max_len, without start tokens.

        A row that has stopped repeats `stop_id`; writing ends when all rows have.
        """
        state, memory, mask = self.encode(source, lengths)
        token = torch.full((len(source),), start_id, device=source.device)
        stopped, written = torch.zeros_like(token, dtype=torch.bool), []
        while len(written) < max_len and not stopped.all():
            logits, state, _ = self.step(token, state, memory, mask)
            token = logits.argmax(dim=-1).masked_fill(stopped, stop_id)  # (B,)
            stopped = stopped | (token == stop_id)
            written.append(token)
        return torch.stack(written, dim=1) if written else source.new_zeros(len(source), 0)


def _shown(state):
    """The part of a cell's state that other layers see: h (B, H)."""
    return state[0] if isinstance(state, tuple) else state
