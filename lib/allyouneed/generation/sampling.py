"""Writing text with a language model: greedy, sampled, and token by token, with or without a key–value cache.

A language model here is any module with `model(ids, mask=, positions=)` giving logits (B, T, V) and with
`config.max_len`: `GPT`, `Llama`, or an encoder–decoder bound to its source by
`given(source)`.
Beam search is in `allyouneed.generation.beam`.
"""

from collections.abc import Callable, Iterator, Sequence
from numbers import Integral

import torch

from allyouneed.nn.attention import real_keys
from allyouneed.nn.cache import CachedModel
from allyouneed.nn.evaluating import evaluating
from allyouneed.tensors import Float, Ids, Int, Real, Tensor
from allyouneed.validate import check_integers

__all__ = ["check_sampling", "column_major", "filter_logits", "generate", "left_pad", "sample", "stream"]

Prompts = Ids | Sequence[Sequence[int] | Int[Tensor, " _"]]  # rows of ids, whose lengths may differ


def check_sampling(temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None) -> None:
    """Raise ValueError unless temperature ≥ 0, top_k is None or an integer ≥ 0, top_p None or in (0, 1]."""
    if not 0 <= temperature < float("inf"):
        raise ValueError(
            f"temperature must be 0 (always the best token) or a positive number, got {temperature}."
        )
    if top_k is not None and (not isinstance(top_k, Integral) or top_k < 0):
        raise ValueError(
            f"top_k must be an integer of at least 1, or None or 0 to keep every token, got {top_k}."
        )
    if top_p is not None and not 0 < top_p <= 1:
        raise ValueError(f"top_p must be in (0, 1], got {top_p}. 1 keeps every token.")


def filter_logits(
    logits: Float[Tensor, "*L V"], temperature=1.0, top_k=None, top_p=None
) -> Float[Tensor, "*L V"]:
    """Sharpen or flatten the logits (..., V), then set to -inf what should never be drawn.

    1. Divide by the temperature. 0 keeps only the best token.
    2. top_k: keep the k largest. None or 0 keeps all.
    3. top_p: of what is left, keep the fewest tokens whose probabilities reach p; the one that
       crosses p stays.

    Raises ValueError where `check_sampling` does. Papers: Fan and others 2018 (top-k);
    Holtzman and others 2020 (top-p).

    >>> filter_logits(torch.tensor([1.0, 3.0, 2.0]), top_k=2).tolist()
    [-inf, 3.0, 2.0]
    """
    check_sampling(temperature, top_k, top_p)
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.full_like(logits, float("-inf")).scatter(-1, best, logits.gather(-1, best))
    logits = logits / temperature
    if top_k and top_k < logits.shape[-1]:
        best, ids = logits.topk(top_k, dim=-1)  # (..., k)
        logits = torch.full_like(logits, float("-inf")).scatter(-1, ids, best)
    if top_p is not None and top_p < 1:
        ordered, ids = logits.sort(dim=-1, descending=True)
        probabilities = ordered.softmax(dim=-1)
        before = probabilities.cumsum(dim=-1) - probabilities  # what the better tokens reach
        before[..., 0] = 0.0  # the best always stays
        ordered = ordered.masked_fill(before >= top_p, float("-inf"))
        logits = torch.empty_like(logits).scatter(-1, ids, ordered)
    return logits


def sample(
    logits: Float[Tensor, "B V"], temperature=1.0, top_k=None, top_p=None, generator=None
) -> Int[Tensor, " B"]:
    """Draw one token id a row: logits (B, V) to int64 (B,). Temperature 0 takes the best and draws nothing.

    >>> sample(torch.tensor([[0.0, 5.0, 1.0]]), temperature=0).tolist()
    [1]
    """
    if temperature == 0:
        check_sampling(temperature, top_k, top_p)
        return logits.argmax(dim=-1)
    probabilities = filter_logits(logits, temperature, top_k, top_p).softmax(dim=-1)
    return torch.multinomial(probabilities, 1, generator=generator)[:, 0]


def left_pad(prompts: Prompts, pad_id: int = 0) -> tuple[Ids, Real]:
    """Prompts of different lengths in one tensor, every last token in the last column.

    prompts: int64 (B, T), or a list of B lists of ids. Returns ids (B, T) and `real`, boolean (B, T), True
    where a token is not padding, or None where nothing was padded. Raises ValueError where a prompt is empty,
    TypeError where its ids are no integers.

    >>> left_pad([[1, 2, 3], [4]])[0].tolist()
    [[1, 2, 3], [0, 0, 4]]
    """
    rows = [torch.as_tensor(row) for row in prompts]
    if not rows or any(row.dim() != 1 or len(row) == 0 for row in rows):
        raise ValueError(
            "prompts must be (batch, tokens) or a list of lists of token ids, each with at least one token."
        )
    if others := [row.dtype for row in rows if row.is_floating_point() or row.dtype == torch.bool]:
        raise TypeError(
            f"prompts must be integer token ids, but they are {others[0]}: convert them with .long()."
        )
    longest = max(len(row) for row in rows)
    ids = torch.stack([torch.cat((row.new_full((longest - len(row),), pad_id), row)) for row in rows]).long()
    lengths = torch.tensor([len(row) for row in rows], device=ids.device)
    real = torch.arange(longest, device=ids.device) >= longest - lengths[:, None]
    return ids, None if real.all() else real


class TokenReader:
    """Reads a growing batch of texts with a model and gives the logits of each row's next token.

    Keeps what must be kept from one call to the next: the cache, or without one the ids so far, and which are
    padding.
    """

    def __init__(self, model, real, max_len, use_cache):
        limit = model.config.max_len
        if max_len > limit:
            raise ValueError(
                f"prompt and new tokens make {max_len} positions, but the model's max_len is "
                f"{limit}: ask for fewer."
            )
        self.model, self.real, self.ids = model, real, None
        self.cache = CachedModel(model, max_len) if use_cache else None

    @torch.inference_mode()
    def next_logits(self, ids: Ids) -> Float[Tensor, "B V"]:
        """ids (B, t), the tokens new since the last call; returns logits (B, V) of the token that follows.

        Inference mode saves a fifth of a small model's time against `no_grad`. In return, what a module of
        your own keeps from one call to the next must not be part of a later training step: torch refuses it
        and says so.
        """
        if self.real is not None and self.ids is not None:
            self.real = torch.cat((self.real, torch.ones_like(ids, dtype=torch.bool)), dim=1)  # (B, S)
        self.ids = ids if self.ids is None else torch.cat((self.ids, ids), dim=1)  # (B, S)
        read, new = (self.model, self.ids) if self.cache is None else (self.cache, ids)
        if self.real is None:
            return read(new)[:, -1]
        # count from the first real token
        positions = (self.real.cumsum(dim=1) - 1).clamp(min=0)[:, -new.shape[1] :]
        return read(new, mask=real_keys(self.real), positions=positions)[:, -1]

    def reorder(self, rows: Int[Tensor, " B"]) -> None:
        """Row i now continues what row rows[i] was."""
        self.ids = self.ids[rows]
        if self.real is not None:
            self.real = self.real[rows]
        if self.cache is not None:
            self.cache.reorder(rows)


def stream(
    model: Callable,
    prompts: Prompts,
    max_new_tokens: int,
    *,
    temperature=1.0,
    top_k=None,
    top_p=None,
    stop_id=None,
    use_cache=True,
    generator=None,
) -> Iterator[Int[Tensor, " B"]]:
    """Yield one token id a row, int64 (B,), until `max_new_tokens` or until every row has said `stop_id`.

    Arguments and errors as in `generate`; what cannot work is refused at once, before the first token is
    asked for. The model is in evaluation mode while the tokens come, and as before afterwards.
    """
    check_sampling(temperature, top_k, top_p)
    check_integers(at_least=0, max_new_tokens=max_new_tokens)
    prompts, real = left_pad(prompts)
    reader = TokenReader(model, real, prompts.shape[1] + max_new_tokens, use_cache)

    def draw(new):
        stopped = torch.zeros(len(new), dtype=torch.bool, device=new.device)
        with evaluating(model):
            for _ in range(max_new_tokens):
                drawn = sample(reader.next_logits(new), temperature, top_k, top_p, generator)
                if stop_id is not None:
                    # a row that has stopped repeats its stop token
                    drawn = drawn.masked_fill(stopped, stop_id)
                    stopped = stopped | (drawn == stop_id)
                yield drawn
                if stop_id is not None and stopped.all():
                    return
                new = drawn[:, None]  # (B, 1)

    return draw(prompts)


def generate(
    model: Callable,
    prompts: Prompts,
    max_new_tokens: int,
    *,
    temperature=1.0,
    top_k=None,
    top_p=None,
    stop_id=None,
    use_cache=True,
    generator=None,
) -> Int[Tensor, "B n"]:
    """Continue each prompt; returns the new tokens only, int64 (B, n) with n ≤ max_new_tokens.

    prompts: ids (B, T), or a list of B lists of ids, whose lengths may differ.
    temperature, top_k, top_p: see `filter_logits`; temperature=0 is greedy.
    stop_id: a row that drew it repeats it; generation ends when all rows have.
    use_cache: False computes the whole text again for each token; the tokens are the same.
    generator: where the draws come from.
    Raises ValueError where max_new_tokens or a filter cannot be, a prompt is empty, or the text would outgrow
    the model's max_len.

    >>> from allyouneed.models import GPT, GPTConfig
    >>> model = GPT(GPTConfig(9, 8, d_model=4, n_layers=1, n_heads=1))
    >>> generate(model, [[1, 2], [3]], max_new_tokens=5).shape
    torch.Size([2, 5])
    """
    tokens = list(
        stream(
            model,
            prompts,
            max_new_tokens,
            temperature=temperature,
            top_k=top_k,
            top_p=top_p,
            stop_id=stop_id,
            use_cache=use_cache,
            generator=generator,
        )
    )
    return torch.stack(tokens, dim=1) if tokens else left_pad(prompts)[0][:, :0]


def column_major(model: torch.nn.Module) -> torch.nn.Module:
    """Store matrices with more outputs than inputs by column: the same numbers, read faster token by token.

    Changes the layout in memory only, in place; returns the model. Worth it before a long generation on a
    CPU.

    >>> column_major(torch.nn.Linear(2, 6)).weight.stride()
    (1, 6)
    """
    for module in model.modules():
        if isinstance(module, torch.nn.Linear) and module.out_features > module.in_features:
            module.weight.data = module.weight.data.t().contiguous().t()
    return model
