"""A step of attention with a cache, written by somebody else, inside the library's models."""

import pytest
import torch

from allyouneed.models import GPT, GPTConfig, Llama, LlamaConfig
from allyouneed.nn.attention import causal_mask, scaled_dot_product_attention
from allyouneed.nn.multihead import merge_heads, split_heads
from allyouneed.own import StepwiseModel

MODELS = {
    "gpt": lambda g: GPT(GPTConfig(11, 16, d_model=12, n_layers=2, n_heads=3), generator=g),
    "llama": lambda g: Llama(
        LlamaConfig(11, 16, d_model=24, n_layers=2, n_heads=6, d_ff=16, n_kv_heads=2), generator=g
    ),
}


def step(attention, x_new, cache):
    q, k, v = (
        split_heads(project(x_new), attention.n_heads)
        for project in (attention.q_proj, attention.k_proj, attention.v_proj)
    )
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    heads, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))
    return attention.o_proj(merge_heads(heads)), (k, v)


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_a_text_in_pieces_has_the_logits_of_the_whole(make):
    generator = torch.Generator().manual_seed(0)
    model = make(generator).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.3, generator=generator)
    ids = torch.randint(11, (2, 9), generator=generator)
    whole = model(ids).detach()
    reader = StepwiseModel(model, step)
    for _ in range(2):
        torch.testing.assert_close(
            torch.cat([reader(piece) for piece in ids.split([4, 1, 1, 3], dim=1)], dim=1), whole
        )
        reader.restart()
    torch.testing.assert_close(model(ids).detach(), whole)


def test_a_call_that_stops_halfway_is_forgotten_by_every_layer():
    model, calls = GPT(GPTConfig(9, 8, d_model=4, n_layers=2, n_heads=1)), []

    def step(attention, x, cache):
        calls.append(x)
        if len(calls) == 4:  # the second layer of the second call
            raise RuntimeError("halfway")
        return x, [*(cache or []), *x.unbind(1)]

    reader = StepwiseModel(model, step)
    reader(torch.tensor([[1, 2, 3]]))
    with pytest.raises(RuntimeError, match="halfway"):
        reader(torch.tensor([[4]]))
    assert [len(own.cache) for _, _, own in reader.parts] == [3, 3] and reader.length == 3
