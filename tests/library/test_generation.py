"""Generation: the cache changes no token, no row of a batch feels another, and draws follow the filters."""

import doctest
import itertools

import pytest
import torch
from hypothesis import assume, example, given
from hypothesis import strategies as st

from allyouneed.generation import beam
from allyouneed.generation import sampling as generation
from allyouneed.generation.beam import beam_search
from allyouneed.generation.sampling import column_major, filter_logits, generate, left_pad, sample, stream
from allyouneed.models import (
    GPT,
    Captioner,
    CaptionerConfig,
    GPTConfig,
    Llama,
    LlamaConfig,
    Seq2Seq,
    Seq2SeqConfig,
    VitConfig,
)
from allyouneed.nn import cache, evaluating
from allyouneed.nn.attention import Causal
from allyouneed.nn.cache import CachedModel, Remembering
from allyouneed.nn.latent import LatentAttention
from allyouneed.nn.positions import SinusoidalPositions


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def sharpen(model):
    """Fresh weights give nearly equal logits; larger ones make each token depend on all that came before."""
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter.data.mul_(8)
    return model.eval()


def gpt(**changes):
    return sharpen(
        GPT(
            GPTConfig(
                **{"vocab_size": 17, "max_len": 40, "d_model": 24, "n_layers": 2, "n_heads": 3} | changes
            ),
            generator=seeded(),
        )
    )


def llama():
    return sharpen(Llama(LlamaConfig(17, 40, 24, 2, 6, 48, n_kv_heads=2), generator=seeded()))


def seq2seq():
    config = Seq2SeqConfig(vocab_size=17, d_model=24, n_layers=2, n_heads=3, source_vocab_size=11)
    model = Seq2Seq(config, generator=seeded()).eval()
    for parameter in model.decoder.parameters():
        parameter.data.mul_(2)
    return model


models = pytest.mark.parametrize("make", [gpt, llama], ids=["gpt", "llama"])


@models
@given(pieces=st.lists(st.integers(1, 5), min_size=1, max_size=5), seed=st.integers(0, 99))
@example(pieces=[1], seed=0)
@example(pieces=[1] * 5, seed=0)
@example(pieces=[5] * 5, seed=0)
def test_logits_are_the_same_however_the_text_is_cut_into_cached_calls(make, pieces, seed):
    model = make()
    ids = torch.randint(17, (2, sum(pieces)), generator=seeded(seed))
    cached = CachedModel(model, max_len=sum(pieces))
    with torch.no_grad():
        parts = [cached(part) for part in ids.split(pieces, dim=1)]
        torch.testing.assert_close(torch.cat(parts, dim=1), model(ids), atol=1e-5, rtol=1e-5)
    assert cached.length == sum(pieces)


@models
@pytest.mark.parametrize("temperature", [0, 1.3])
def test_tokens_are_the_same_with_and_without_cache(make, temperature):
    model, prompts = make(), [[1, 2, 3, 4], [5], [6, 7]]
    options = {"temperature": temperature, "top_k": 9, "top_p": 0.95}
    cached, plain = (
        generate(model, prompts, 30, use_cache=use, generator=seeded(3), **options) for use in (True, False)
    )
    assert torch.equal(cached, plain)
    assert len(cached.unique()) > 2  # a text of one repeated token would prove nothing


@models
@pytest.mark.parametrize("use_cache", [True, False])
def test_a_prompt_gets_the_same_tokens_alone_and_beside_longer_ones(make, use_cache):
    model, prompts = make(), [[1, 2, 3, 4, 5, 6, 7], [8], [9, 10, 11]]
    together = generate(model, prompts, 20, temperature=0, use_cache=use_cache)
    for prompt, row in zip(prompts, together):
        assert torch.equal(generate(model, [prompt], 20, temperature=0)[0], row)
    assert len({tuple(row.tolist()) for row in together}) == 3


def test_an_encoder_decoder_and_a_captioner_generate_with_their_source():
    source = torch.randint(11, (3, 6), generator=seeded())
    real = torch.arange(6) < torch.tensor([6, 2, 4])[:, None]
    image = VitConfig(16, 4, 3, d_model=24, n_layers=1, n_heads=3, d_ff=48, n_classes=1)
    captioner = sharpen(
        Captioner(CaptionerConfig(image, vocab_size=17, max_len=40, n_layers=2), generator=seeded())
    )
    for given_source in (
        seq2seq().given(source, real),
        captioner.given(torch.rand(3, 3, 16, 16, generator=seeded())),
    ):
        prompts = [[1], [1, 4], [1]]
        cached, plain = (
            generate(given_source, prompts, 15, temperature=0, use_cache=use) for use in (True, False)
        )
        assert torch.equal(cached, plain)
        assert beam_search(given_source, prompts, 15, n_beams=1)[0].equal(cached)
        assert beam_search(given_source, prompts, 8, n_beams=3)[0].shape == (3, 8)


def test_a_stopped_row_repeats_its_stop_and_the_end_comes_when_all_have_stopped():
    model, prompts = gpt(), [[1, 2], [3], [4, 5, 6]]
    free = generate(model, prompts, 30, temperature=0)
    stop_id = free[0, 3].item()
    stopped = generate(model, prompts, 30, temperature=0, stop_id=stop_id)
    for row, rest in zip(stopped, free):
        first = (rest == stop_id).nonzero()
        end = first[0, 0].item() + 1 if len(first) else 30
        assert torch.equal(row[:end], rest[: min(end, len(row))]) and (row[end:] == stop_id).all()
    alone = generate(model, prompts[:1], 30, temperature=0, stop_id=stop_id)
    assert alone.shape[1] == (free[0] == stop_id).nonzero()[0, 0] + 1


def test_after_its_stop_a_row_draws_nothing_else():
    drawn = generate(
        gpt(), [[token] for token in range(17)], 30, temperature=5.0, stop_id=4, generator=seeded()
    )
    stopped_before = (drawn == 4).cumsum(dim=1) > 0
    assert (drawn[stopped_before] == 4).all()
    # after six tokens some of the 17 rows have stopped, and some have not
    assert stopped_before[:, 5].sum() in range(2, 17)


def test_stream_yields_the_tokens_of_generate_and_leaves_training_mode_as_it_was():
    model = gpt(dropout=0.5).train()
    streamed = torch.stack(list(stream(model, [[1, 2]], 12, generator=seeded())), dim=1)
    assert torch.equal(streamed, generate(model.eval(), [[1, 2]], 12, generator=seeded()))
    model.train()
    next(stream(model, [[1]], 5))
    assert model.training


@pytest.mark.parametrize("write", [generate, beam_search])
def test_a_part_that_was_put_to_evaluation_stays_there(write):
    model = gpt(dropout=0.5).train()
    model.layers[0].eval()
    write(model, [[1, 2]], 3)
    assert model.training and model.layers[1].training and not model.layers[0].training


def sinusoidal_gpt():
    """One whose table of positions has to grow while it writes."""
    config = GPTConfig(vocab_size=17, max_len=300, d_model=24, n_layers=1, n_heads=3)
    model = GPT(config, generator=seeded())
    model.positions = SinusoidalPositions(24)
    return model


@pytest.mark.parametrize("make", [gpt, llama, sinusoidal_gpt], ids=["gpt", "llama", "sinusoidal"])
def test_a_model_that_has_written_trains_on(make):
    model, prompt = make(), torch.ones(1, 290 if make is sinusoidal_gpt else 1, dtype=torch.int64)
    drawn = generate(model, prompt, 3, temperature=0)
    drawn[0, 0] = 5  # an ordinary tensor, which may be changed
    model(torch.cat((prompt, drawn), dim=1)).logsumexp(-1).sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


def test_layout_changes_no_number_and_keeps_tied_weights_tied():
    model, same = gpt(), column_major(gpt())
    torch.testing.assert_close(
        same(torch.tensor([[1, 2]])), model(torch.tensor([[1, 2]])), atol=1e-5, rtol=1e-5
    )
    assert same.head.weight is same.embedding.weight


def test_no_new_tokens_is_an_empty_answer():
    assert generate(gpt(), [[1], [2, 3]], 0).shape == (2, 0)


def test_beam_search_with_a_full_beam_finds_the_best_of_all_texts():
    model, prompt, stop_id = gpt(vocab_size=4), [1, 2, 3], 0
    for penalty in (0.0, 1.0):
        best = None
        for text in itertools.product(range(4), repeat=3):
            length = text.index(stop_id) + 1 if stop_id in text else 3
            if any(token != stop_id for token in text[length:]):
                continue
            with torch.no_grad():
                logp = model(torch.tensor([prompt + list(text)])).log_softmax(-1)[0]
            score = sum(logp[len(prompt) - 1 + t, text[t]].item() for t in range(length)) / length**penalty
            best = max(best or (score, text), (score, text))
        found, score = _full_beam(model, prompt, stop_id, penalty)
        assert found == best[1] and score == pytest.approx(best[0], abs=1e-5)


def _full_beam(model, prompt, stop_id, penalty):
    """A beam of 4 over 4 tokens loses nothing in two steps; one more step is tried from each first token."""
    results = []
    for first in range(4):
        with torch.no_grad():
            start = model(torch.tensor([prompt])).log_softmax(-1)[0, -1, first].item()
        if first == stop_id:
            results.append((start, (first, stop_id, stop_id)))
            continue
        ids, score = beam_search(
            model, [prompt + [first]], 2, n_beams=4, stop_id=stop_id, length_penalty=penalty
        )
        text = (first, *ids[0].tolist(), *[stop_id] * (2 - ids.shape[1]))
        length = text.index(stop_id) + 1 if stop_id in text else 3
        results.append(((start + score.item() * (length - 1) ** penalty) / length**penalty, text))
    score, text = max(results)
    return text, score


def test_a_wider_beam_never_scores_lower_than_greedy_and_cache_changes_nothing():
    model, prompts = gpt(), [[1, 2, 3], [4], [5, 6]]
    ids, scores = beam_search(model, prompts, 10, n_beams=17, length_penalty=0.0)
    plain_ids, plain = beam_search(model, prompts, 10, n_beams=17, length_penalty=0.0, use_cache=False)
    greedy_ids, greedy = beam_search(model, prompts, 10, n_beams=1, length_penalty=0.0)
    assert torch.equal(ids, plain_ids) and torch.allclose(scores, plain, atol=1e-4)
    assert torch.equal(greedy_ids, generate(model, prompts, 10, temperature=0))
    assert (scores >= greedy - 1e-5).all() and (scores > greedy + 1e-3).any()


@pytest.mark.parametrize("use_cache", [True, False])
def test_a_beams_score_is_the_log_probability_of_the_text_it_returns(use_cache):
    model, prompts = gpt(tied=False), torch.randint(17, (20, 3), generator=seeded())
    # flatter, so that the best text does not always begin with the best token
    model.head.weight.data.mul_(0.3)
    ids, scores = beam_search(model, prompts, 10, n_beams=5, length_penalty=0.0, use_cache=use_cache)
    with torch.no_grad():
        logp = model(torch.cat((prompts, ids), dim=1)).log_softmax(-1)[:, 2:-1]
    assert not torch.equal(ids, generate(model, prompts, 10, temperature=0))
    torch.testing.assert_close(logp.gather(-1, ids[..., None]).sum((1, 2)), scores, atol=1e-4, rtol=1e-4)


# Filters


@given(
    seed=st.integers(0, 9999),
    temperature=st.floats(0.1, 5),
    top_k=st.integers(1, 12),
    top_p=st.floats(0.01, 1),
)
@example(seed=0, temperature=1.0, top_k=12, top_p=1.0)
@example(seed=0, temperature=1.0, top_k=12, top_p=1 - 2**-53)  # rounding decides which token reaches it
@example(seed=0, temperature=5.0, top_k=10, top_p=0.01)
@example(seed=0, temperature=0.1, top_k=1, top_p=0.5)
def test_filters_equal_those_of_transformers(seed, temperature, top_k, top_p):
    from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

    logits = torch.randn(3, 10, generator=seeded(seed)) * 3
    expected = TemperatureLogitsWarper(temperature)(None, logits)
    assume(all(len(row.unique()) == 10 for row in expected))
    expected = TopKLogitsWarper(top_k)(None, expected)
    shares = expected.double().softmax(dim=-1)
    better = (shares[..., None, :] * (expected[..., None, :] > expected[..., :, None])).sum(-1)
    if top_p < 1:
        expected = TopPLogitsWarper(top_p)(None, expected)
    found = filter_logits(logits, temperature, top_k, top_p)
    differ = found.isfinite() != expected.isfinite()
    # else the better tokens reach p but for rounding
    assert not (differ & ((better - top_p).abs() > 1e-6)).any()
    torch.testing.assert_close(found[~differ], expected[~differ])


def test_the_token_that_crosses_p_stays_and_one_token_always_stays():
    logits = torch.tensor([0.5, 0.3, 0.2]).log()
    assert filter_logits(logits, top_p=0.6).isfinite().tolist() == [True, True, False]
    assert filter_logits(logits, top_p=1e-9).isfinite().tolist() == [True, False, False]
    assert filter_logits(logits, temperature=0).isfinite().tolist() == [True, False, False]
    assert filter_logits(logits, top_k=99, top_p=1.0).equal(logits) and filter_logits(logits, top_k=0).equal(
        logits
    )


def test_draws_have_the_frequencies_of_the_softmax():
    probabilities = torch.tensor([0.5, 0.3, 0.15, 0.05])
    drawn = sample(probabilities.log().expand(20_000, 4), generator=seeded())
    torch.testing.assert_close(drawn.bincount(minlength=4) / 20_000, probabilities, atol=0.015, rtol=0)
    assert set(sample(probabilities.log().expand(500, 4), top_k=2, generator=seeded()).tolist()) == {0, 1}


# Refusals


@pytest.mark.parametrize("write", [generate, stream])
@pytest.mark.parametrize(
    "options",
    [
        {"top_p": 0},
        {"top_p": 1.1},
        {"top_p": -0.5},
        {"top_p": float("nan")},
        {"top_k": -1},
        {"top_k": 2.5},
        {"temperature": -1},
        {"temperature": float("inf")},
        {"temperature": float("nan")},
        {"max_new_tokens": -1},
        {"max_new_tokens": 1.5},
    ],
)
def test_what_cannot_be_drawn_is_refused_at_the_call(write, options):
    with pytest.raises(ValueError, match=next(iter(options))):
        # a stream is not even asked for its first token
        write(gpt(), [[1]], **({"max_new_tokens": 2} | options))


@pytest.mark.parametrize(
    "prompts, error, words",
    [
        ([[]], ValueError, "prompts must be"),
        (torch.zeros(2, 3), TypeError, "integer token ids"),
        ([[True]], TypeError, "integer token ids"),
        ([[1] * 40], ValueError, "42 positions"),
    ],
)
def test_a_stream_refuses_its_prompts_at_the_call(prompts, error, words):
    with pytest.raises(error, match=words):
        stream(gpt(), prompts, 2)


def test_a_stream_that_nobody_reads_leaves_the_model_as_it_is():
    model = gpt(dropout=0.5).train()
    stream(model, [[1]], 5)
    assert model.training


@pytest.mark.parametrize(
    "options",
    [
        {"n_beams": 0},
        {"n_beams": 2.5},
        {"n_beams": 18},
        {"max_new_tokens": 0},
        {"length_penalty": float("nan")},
    ],
)
def test_a_beam_that_cannot_be_is_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        beam_search(gpt(), [[1]], **({"max_new_tokens": 2} | options))


def test_a_text_longer_than_the_model_reads_is_refused():
    with pytest.raises(ValueError, match="42 positions.*max_len is 40"):
        generate(gpt(), [[1, 2]], 40)


@pytest.mark.parametrize(
    "prompts", [[], [[]], [[1], []], torch.zeros(3, 0, dtype=torch.long), torch.zeros(3, dtype=torch.long)]
)
def test_an_empty_prompt_is_refused(prompts):
    with pytest.raises(ValueError, match="prompts must be"):
        left_pad(prompts)


def test_a_full_or_misused_cache_says_so():
    attend, entry = Remembering(Causal(), max_len=3), torch.zeros(2, 4, 2, 5)
    with pytest.raises(ValueError, match="room for 3"):
        attend(*[torch.zeros(1, 4, 5, 5)] * 3)  # refused, and nothing of it stays: others may come
    attend(entry, entry, entry)
    with pytest.raises(ValueError, match="room for 3 tokens, but 4 came"):
        attend(entry, entry, entry)
    with pytest.raises(ValueError, match=r"\(2, 4\), but k is \(1, 4, 1, 5\)"):
        attend(*3 * [entry[:1, :, :1]])
    with pytest.raises(ValueError, match=r"width 5, but k is \(2, 4, 1, 1\)"):
        attend(*3 * [entry[:, :, :1, :1]])
    assert attend.length == 2  # what was refused changed nothing
    with pytest.raises(ValueError, match="at least 1"):
        Remembering(Causal(), max_len=0)
    with pytest.raises(ValueError, match="no Causal attention.*use_cache=False"):
        CachedModel(torch.nn.Linear(2, 2), max_len=3)


def test_what_attention_gets_is_a_view_of_memory_reserved_once():
    seen, entry = [], torch.randn(1, 2, 3, 4)

    def kept(q, k, v, mask):
        seen.append(k)
        return q, None

    attend = Remembering(kept, max_len=8)
    attend(entry, entry, entry), attend(entry, entry, entry)
    assert seen[0].data_ptr() == seen[1].data_ptr() and seen[1].shape == (1, 2, 6, 4)


@torch.no_grad()
def test_two_texts_share_a_model_and_it_is_as_it_was():
    model, ids = llama(), torch.randint(17, (2, 8), generator=seeded())
    whole, readers = model(ids), [CachedModel(model, max_len=8) for _ in ids]
    rows = [[reader(row[None, t : t + 1]) for t in range(8)] for reader, row in zip(readers, ids)]
    torch.testing.assert_close(
        torch.cat([torch.cat(row, dim=1) for row in rows]), whole, atol=1e-5, rtol=1e-5
    )
    assert torch.equal(model(ids), whole) and not any(isinstance(p, Remembering) for p in model.modules())


@pytest.mark.parametrize("module", [generation, beam, cache, evaluating])
def test_docstring_examples_run(module):
    assert doctest.testmod(module).failed == 0


def test_a_call_that_was_refused_leaves_the_cache_as_it_was():
    model, ids = gpt(n_layers=2), torch.tensor([[1, 2, 3, 4]])
    cached = CachedModel(model, max_len=8)
    with torch.no_grad():
        first = cached(ids[:, :2])
        with pytest.raises(RuntimeError, match="size of tensor"):
            cached(ids[:, 2:], mask=torch.ones(1, 1, 3, 3, dtype=torch.bool))
        assert [layer.length for layer in cached.layers] == [2, 2]
        torch.testing.assert_close(torch.cat((first, cached(ids[:, 2:])), dim=1), model(ids))


@pytest.mark.parametrize("absorbed", [False, True], ids=["unpacked", "absorbed"])
def test_latent_attention_in_a_model_has_a_cache_of_its_latents(absorbed):
    model, ids = gpt(n_layers=2), torch.randint(17, (2, 6), generator=seeded())
    latent = LatentAttention(24, 3, d_latent=5, absorbed=absorbed, inner=Causal())
    model.layers[1].attention = sharpen(latent)
    cached = CachedModel(model.double(), max_len=8)
    with torch.no_grad():
        rows = torch.cat([cached(part) for part in ids.split([1, 3, 2], dim=1)], dim=1)
        torch.testing.assert_close(rows, model(ids))
    assert cached.layers[1].keys.shape == (2, 1, 8, 5)
    assert latent.attend == (latent.absorbed if absorbed else latent.unpacked)


def test_an_attention_that_no_part_calls_its_attend_has_no_cache():
    class Own(torch.nn.Module):
        def __init__(self, **parts):
            super().__init__()
            for name, part in parts.items():
                setattr(self, name, part)

    remembered = LatentAttention(24, 3, d_latent=5, inner=Causal())
    remembered.attend = Remembering(remembered.attend, 30)  # it has one already
    for own in (
        Own(mine=Causal()),
        Own(mine=Causal(), attend=lambda q, k, v, mask=None: (v, None)),
        Own(attend=Causal(), second=Causal()),
        remembered,
    ):
        model = gpt(n_layers=2)
        model.layers[1].attention = own
        with pytest.raises(ValueError, match="stands in no part's `attend`.*use_cache=False"):
            CachedModel(model, max_len=8)


def test_a_layer_that_is_used_twice_has_no_cache():
    model = gpt(n_layers=2)
    model.layers[1] = model.layers[0]
    with torch.no_grad(), pytest.raises(ValueError, match="used twice.*use_cache=False"):
        CachedModel(model, max_len=8)(torch.tensor([[1, 2]]))


def test_a_layer_of_a_llama_counts_its_positions_anew_after_the_model_was_called():
    model = Llama(LlamaConfig(9, 8, d_model=8, n_layers=1, n_heads=2, n_kv_heads=1, d_ff=8))
    x = torch.randn(1, 5, 8, generator=seeded())
    before = model.layers[0](x)
    generate(model, [[1, 2, 3]], 4)
    torch.testing.assert_close(model.layers[0](x), before)


def test_the_best_token_is_the_same_filtered_or_drawn_also_among_equals():
    equal = torch.tensor([[3.0, 3.0, 3.0, 3.0], [0.0, 1.0, 1.0, 0.0]])
    assert filter_logits(equal, temperature=0).argmax(-1).tolist() == sample(equal, temperature=0).tolist()
    for wrong in ({"top_k": -3}, {"top_k": 2.0}, {"top_p": 7}):
        with pytest.raises(ValueError, match="must be"):
            sample(equal, temperature=0, **wrong)


def test_a_source_that_is_refused_leaves_the_model_in_training():
    model = Seq2Seq(Seq2SeqConfig(vocab_size=9, d_model=8, n_layers=1, n_heads=2)).train()
    model.encoder.eval()
    for source, refused in (([[5, 6]], False), ([[999]], True)):
        if refused:
            with pytest.raises(ValueError):
                model.given(torch.tensor(source))
        else:
            model.given(torch.tensor(source))
        assert model.training and model.decoder.training and not model.encoder.training
