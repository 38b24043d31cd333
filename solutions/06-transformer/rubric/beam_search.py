"""beam_search: probes, right versions, and each mistake with its message and its evidence."""

from functools import reduce
from math import exp

import torch
from allyouneed.check.drivers.decoded_ids import fold

from coursegrader.rubric import Exercise, edit

exercise = Exercise(
    "beam_search",
    points={"the better text": 2, "length": 1, "any width": 1, "finished texts": 1},
    section="beam-search",
    driver="made_arguments",
    forbid=("generate", "stream", "greedy"),
)


def searched(rows, source, start, stop, width, max_len, penalty, finished="leaves", score=None):
    """What a beam finds, and how clear it was. `finished`: what becomes of a text that stops.

    It leaves the beam; or goes on competing; or takes its place along; or the others are refilled at once; or
    it is not seen to stop at its first token.
    """
    beam = [(0.0, (), fold(reduce(fold, source[0].tolist(), 0), start))]
    done, clear = [], []
    for step in range(max_len):
        pool = done if finished == "competes" else []
        pool = pool + [(total + log_p, (*text, token), fold(state, token)) for total, text, state in beam
                       for token, log_p in enumerate(rows[state % len(rows)])]
        pool.sort(reverse=True)
        room = width - (len(done) if finished == "takes its place" else 0)
        clear += [pool[room - 1][0] - pool[room][0]] if 0 < room < len(pool) else []
        kept = pool[:max(room, 0)]
        blind = finished == "not seen at once" and not step
        stops = [text for text in kept if text[1][-1] == stop and not blind]
        done = stops if finished == "competes" else done + stops
        beam = [text for text in (pool if finished == "refilled" else kept) if text not in stops]
        if finished == "refilled":
            beam = [text for text in beam if text[1][-1] != stop][:width]
        if not beam:
            break
    score = score or (lambda total, length: total / length**penalty)
    scores = sorted(((score(total, len(text)), text) for total, text, _ in beam + done), reverse=True)
    clear += [scores[0][0] - scores[1][0]] if len(scores) > 1 else []
    return list(scores[0][1]), min(clear, default=1.0)


@exercise.probes
def probes(make):
    def probe(name, vocabulary, start, stop, width, max_len, penalty=0.0, group="the better text", ends=None,
              wanted=lambda found, other: True, likes=0.0, shortest=2, steady=True, **marks):
        """A call whose answer is no close call; `steady`: the same whatever becomes of finished texts.

        `ends`: whether it ends with the stop token; `wanted`: what else, given a search with other arguments.
        """
        n_source = make.pick(4, 5, 3)
        while True:
            table, source = make.randn(67, vocabulary, scale=1.5), make.randint(1, 9, (1, n_source))
            table[:, stop] += likes
            rows = table.double().log_softmax(-1).tolist()

            def search(width=width, penalty=penalty, rows=rows, source=source, **ways):
                return searched(rows, source, start, stop, width, max_len, penalty, **ways)

            found, clear = search()
            if clear < 0.004 or ends not in (None, found[-1] == stop) or len(found) < min(max_len, shortest):
                continue
            if wanted(found, lambda **other: search(**other)[0]) and (not steady or all(
                    search(finished=way)[0] == found and search(finished=way)[1] > 0.004
                    for way in ("competes", "takes its place", "refilled"))):
                break
        rest = {"length_penalty": penalty} if penalty else {}
        return make.probe(name, {"made": "writer", "table": table, "source": source}, source, start, stop,
                          width, max_len, group=group, **rest, **marks) | {"ids": True}

    def beats_greedy(found, other):
        return found[0] != other(width=1)[0]

    yield probe("two kept, cut off", 4, 1, 2, 2, make.pick(3, 4, 3), ends=False, likes=-2,
                wanted=beats_greedy)
    yield probe("two kept, a text that stops", 5, 1, 2, 2, make.pick(5, 6, 5), ends=True, likes=0.7,
                wanted=lambda found, other: beats_greedy(found, other) and 2 < len(found) < 5)
    yield probe("three kept", *make.pick((5, 0, 3), (6, 4, 1), (5, 2, 0)), 3, 5, ends=True, likes=0.5,
                wanted=lambda found, other: found not in (other(width=1), other(width=2)) and len(found) > 2)
    yield probe("four kept", 7, 3, 0, 4, 5, wanted=lambda found, other:
                found not in (other(width=1), other(width=2), other(width=3)))
    yield probe("four kept, two tokens", 6, 0, 3, 4, 2, ends=False, wanted=lambda found, other:
                found not in (other(width=1), other(width=2)))
    yield probe("a text that stops long before the others", 5, 4, 1, 3, 7, ends=True, likes=0.3,
                wanted=lambda found, other: len(found) == 2 and found != other(width=1))
    yield probe("a text that is cut off beside one that stops", 5, 1, 0, 3, 4, ends=False, likes=0.3,
                wanted=lambda found, other: found != other(width=1) and other(penalty=-1.0)[-1] == 0)

    def by_length(found, other):
        return found not in (other(penalty=0.0), other(penalty=-1.0), other(width=1))

    def product(power):
        return lambda total, length: exp(total) / length**power

    length = {"group": "length", "likes": 0.7}
    yield probe("divided by the length", 5, 1, 2, 3, 6, 1.0, ends=True, wanted=lambda found, other:
                len(found) > 2 and
                other(penalty=0.0) not in (found, other(score=product(1.0))) and
                other(penalty=2.0) != found and other(score=lambda total, n: (total + 1) / n) not in
                (found, other(score=lambda total, n: total / (5 + n))), **length)
    power = make.pick(0.7, 0.6, 0.8)
    yield probe("divided by a root of the length", 5, 1, 2, 4, 6, power, ends=True, wanted=lambda found,
                other: by_length(found, other) and other(score=product(power)) != other(penalty=-power),
                **length)
    yield probe("divided by the square of the length", 5, 1, 2, 3, 6, 2.0, ends=True, wanted=lambda found,
                other: len(found) < 6 and by_length(found, other) and
                found != other(score=lambda total, n: total / max(n - 1, 0.1) ** 2), **length)
    yield probe("a power that makes long texts win", 5, 0, 3, 3, 5, 3.0, ends=False, wanted=by_length,
                group="length")
    yield probe("a small power", 5, 0, 2, 4, 5, 0.3, wanted=lambda found, other: other(penalty=-0.3) !=
                other(score=lambda total, n: total - 0.3 * n), **length)
    yield probe("a negative power", 5, 2, 1, 4, 5, -1.0, ends=True, wanted=lambda found, other:
                found not in (other(penalty=0.0), other(penalty=1.0)), **length)

    group = {"group": "any width", "edge": True}
    yield probe("one kept", 5, 1, 2, 1, 6, ends=True, wanted=lambda found, other:
                found != other(width=3) and len(found) > 2, **group)
    yield probe("one kept, cut off", 5, 1, 0, 1, 4, 1.0, ends=False, **group)
    yield probe("one token at most", 5, 1, 2, 2, 1, **group)
    yield probe("more kept than tokens", 3, 0, 1, 7, 4, wanted=beats_greedy, likes=-1.0, **group)
    yield probe("all texts kept", 3, 0, 2, 81, 4, 0.5, **group)
    yield probe("a long text", 4, 1, 2, 3, 40, likes=-6.0, ends=False, group="any width", long=True)

    def unlike(*ways):
        return lambda found, other: all(other(finished=way) != found for way in ways)

    group = {"group": "finished texts", "steady": False}
    for number, width in enumerate(make.pick((2, 3), (3, 2), (2, 4))):
        some = ("", ", others kept")[number]
        yield probe(f"a finished text that later ones would push out{some}", 5, 1, 2, width, 5, ends=True,
                    wanted=unlike("competes"), **group)
        yield probe(f"a finished text that leaves its place{some}", 5, 4, 0, width, 5,
                    wanted=unlike("takes its place"), **group)
        yield probe(f"a finished text whose place stays empty for a step{some}", 5, 0, 3, width, 5, 1.0,
                    wanted=unlike("refilled"), **group)
    yield probe("a text that stops at once", 5, 1, 2, 2, 4, likes=0.5, shortest=1, wanted=lambda found, other:
                found == [2] != other(finished="not seen at once"), **group)
    yield probe("a text that stops at once, square of the length", 5, 3, 0, 3, 5, 2.0, likes=0.5, ends=True,
                shortest=3, wanted=unlike("competes", "takes its place"), **group)
    yield probe("a square of the length, where the length would not do", 5, 1, 2, 3, 6, 2.0, edge=True,
                wanted=lambda found, other: by_length(found, other) and found != other(penalty=1.0), **length)


@exercise.right
def reference(model, source, start_id, stop_id, width, max_len, length_penalty=0.0):
    beams, finished = [([start_id], 0.0)], []
    for _ in range(max_len):
        longer = []
        for ids, total in beams:
            log_p = model(source, torch.tensor([ids]))[0, -1].log_softmax(-1)
            longer += [(ids + [token], total + log_p[token].item()) for token in range(len(log_p))]
        longer.sort(key=lambda text: text[1], reverse=True)
        kept = longer[:width]
        finished += [text for text in kept if text[0][-1] == stop_id]
        beams = [text for text in kept if text[0][-1] != stop_id]
        if not beams:
            break
    best = max(finished + beams, key=lambda text: text[1] / (len(text[0]) - 1) ** length_penalty)
    return best[0][1:]


@exercise.right("the best tokens of each text")
def pairs(model, source, start_id, stop_id, width, max_len, length_penalty=0.0):
    kept, done = [(0.0, [])], []
    while kept and len(kept[0][1]) < max_len:
        pool = []
        for total, text in kept:
            with torch.no_grad():
                logits = model(source, torch.tensor([[start_id, *text]]))[:, -1]
            values, tokens = torch.log_softmax(logits[0], dim=0).topk(min(width, logits.shape[-1]))
            pool.extend((total + v, text + [t]) for v, t in zip(values.tolist(), tokens.tolist()))
        pool.sort(key=lambda pair: -pair[0])
        kept = []
        for pair in pool[:width]:
            (done if pair[1][-1] == stop_id else kept).append(pair)
    return max(done + kept, key=lambda pair: pair[0] / len(pair[1]) ** length_penalty)[1]


@exercise.right("tensors, all rows in one call")
def tensors(model, source, start_id, stop_id, width, max_len, length_penalty=0.0):
    ids, totals = torch.full((1, 1), start_id), torch.zeros(1)
    best, best_score = None, -torch.inf
    for n in range(1, max_len + 1):
        log_p = torch.log_softmax(model(source.expand(len(ids), -1), ids)[:, -1].detach(), dim=-1)
        n_tokens = log_p.shape[1]
        grown = (totals[:, None] + log_p).flatten()
        totals, places = grown.topk(min(width, len(grown)))
        rows, tokens = places // n_tokens, places % n_tokens
        ids = torch.cat([ids[rows], tokens[:, None]], dim=1)
        ended = (tokens == stop_id) | (n == max_len)
        scores = (totals / n ** length_penalty).masked_fill(~ended, -torch.inf)
        if scores.max() > best_score:
            best, best_score = ids[scores.argmax(), 1:], scores.max()
        ids, totals = ids[~ended], totals[~ended]
        if ended.all():
            break
    return best


@exercise.right("a dict of texts, the best end so far")
def by_heap(model, source, start_id, stop_id, width, max_len, length_penalty=0.0):
    import heapq

    beams, best, best_score = {(start_id,): 0.0}, None, -float("inf")
    for step in range(1, max_len + 1):
        pool = {}
        texts = torch.tensor(list(beams))
        logits = model(source.repeat(len(beams), 1), texts)[:, -1].double()
        for (text, total), row in zip(beams.items(), (logits - logits.logsumexp(-1, keepdim=True)).tolist()):
            for token, log_p in enumerate(row):
                pool[text + (token,)] = total + log_p
        beams = {}
        for text in heapq.nlargest(width, pool, key=pool.get):
            if text[-1] == stop_id or step == max_len:
                score = pool[text] / step ** length_penalty
                if score > best_score:
                    best, best_score = text, score
            else:
                beams[text] = pool[text]
        if not beams:
            break
    return list(best[1:])


exercise.also_right(
    edit(reference, {".item()": "", "log_softmax(-1)": "softmax(-1).log()"}, "totals as tensors"),
    edit(pairs, {"return max(done": "best = max(done", "** length_penalty)[1]":
                  "** length_penalty)\nreturn torch.tensor(best[1])"}, "a tensor of ids"),
    edit(reference, {"longer[:width]": "[text for text in longer\n"
                     "        if sum(other[1] > text[1] for other in longer) < width]"}, "counted, not cut"))


exercise.mistake("greedy", "beam-search",
    "Only one text is kept, or copies of one: this is greedy decoding. Keep as many different texts as width says "
    "at each step, and begin with one.",
    edit(reference, {"longer[:width]": "longer[:1]"}),
    edit(reference, {"0.0)], []": "0.0)] * width, []"}, "copies of the start"),
    edit(tensors, {"(1, 1)": "(2, 1)"}, "two starts"),
    edit(reference, {"for token in range(len(log_p))]": "for token in [int(log_p.argmax())]]"},
         "each text goes on with its best token"))

exercise.mistake("probabilities-added", "beam-search",
    "Probabilities are added up. The probability of a text is their product: add their logarithms.",
    edit(reference, {"log_softmax": "softmax"}))

exercise.mistake("logits-added", "beam-search",
    "Logits are added up, or divided by something other than their own softmax. Take the logarithm of the "
    "softmax over the vocabulary first: only then can totals of different texts be compared.",
    edit(reference, {".log_softmax(-1)": ""}),
    edit(tensors, {"torch.log_softmax(model(source.expand(len(ids), -1), ids)[:, -1].detach(), dim=-1)":
                   "model(source.expand(len(ids), -1), ids)[:, -1].detach().flatten().log_softmax(0)"
                   ".reshape(len(ids), -1)"}, "one softmax over all texts"),
    edit(tensors, {"detach(), dim=-1": "detach(), dim=0"}, "a softmax over the texts"))

exercise.mistake("probabilities-multiplied", "beam-search-length",
    "The totals are products of probabilities. For the best text alone that would do, but the length divides "
    "the sum of the logarithms.",
    edit(reference, {"log_softmax": "softmax", "total + log_p": "total * log_p", "0.0)]": "1.0)]"}))

exercise.mistake("finished-lost", "finished-texts",
    "A text that has written the stop token is lost. Put it aside with its total: it may still be the best.",
    edit(reference, {"finished += [text for text in kept if text[0][-1] == stop_id]": "",
                     "if not beams:\n    break": "if not beams:\n    beams = kept\n    break"}),
    edit(reference, {"finished +=": "finished ="}, "all but those of the last step"),
    edit(reference, {"== stop_id]": "== start_id]"}, "the start looked for"),
    edit(reference, {"text[0][-1] == stop_id": "text[0][1] == stop_id"}, "the first token looked at"),
    edit(reference, {"finished += [text for text in kept if text[0][-1] == stop_id]":
                     "finished = [text for text in kept if text[0][-1] == stop_id][-1:] or finished"},
         "all but the last one"))

exercise.mistake("finished-goes-on", "finished-texts",
    "A text goes on after its stop token. It is finished: continue only texts that have not stopped.",
    edit(reference, {"finished += [text for text in kept if text[0][-1] == stop_id]": "",
                     "beams = [text for text in kept if text[0][-1] != stop_id]": "beams = kept"}),
    edit(reference, {"!= stop_id]": "!= stop_id or True]"}, "and is kept as it was, too"),
    edit(reference, {"finished += [text for text in kept if text[0][-1] == stop_id]": "",
                     "beams = [text for text in kept if text[0][-1] != stop_id]": "beams = kept",
                     "return best[0][1:]": "ids = best[0][1:]\n"
                     "return ids[:ids.index(stop_id) + 1] if stop_id in ids else ids"}, "cut at the end"))

exercise.mistake("finished-competes", "finished-texts",
    "Finished texts go on competing for the places, and can be pushed out by longer ones. Put a finished "
    "text aside: at each step, only continuations of unfinished texts compete, and all finished ones wait for the "
    "end.",
    edit(reference, {"longer = []": "longer = list(finished)", "finished +=": "finished ="}),
    edit(pairs, {"pool = []": "pool, done = list(done), []"}, "of pairs"),
    edit(reference, {"longer = []": "longer = list(finished)", "finished +=": "finished =",
                     "lambda text: text[1], reverse":
                     "lambda text: text[1] / (len(text[0]) - 1) ** length_penalty, reverse"},
         "divided by the length"))

exercise.mistake("finished-takes-a-place", "finished-texts",
    "A finished text takes up one of the places in the steps after it. It is out of the race: the width best "
    "continuations of the unfinished texts are kept at every step.",
    edit(reference, {":width]": ":max(0, width - len(finished))]"}),
    edit(pairs, {"pool[:width]": "pool[:max(0, width - len(done))]"}, "of pairs"))

exercise.mistake("refilled", "finished-texts",
    "Where texts stop, other texts that were not among the width best take their places in the same step. "
    "The width best of a step are counted with the texts that stop in it: do not refill them.",
    edit(reference, {"beams = [text for text in kept if text[0][-1] != stop_id]":
                     "beams = [text for text in longer if text[0][-1] != stop_id][:width]"}),
    edit(reference, {"kept = longer[:width]": "going = [text for text in longer if text[0][-1] != stop_id]\n"
                     "kept = [text for text in longer[:width] if text[0][-1] == stop_id] + going[:width]"},
         "ends and others apart"))

exercise.mistake("stop-at-once-missed", "finished-texts",
    "A text whose first token is the stop token is not finished for you, or it is lost. It is a text like "
    "the others: not continued, and in the choice at the end.",
    edit(reference, {"== stop_id]": "== stop_id and len(text[0]) > 2]",
                     "!= stop_id]": "!= stop_id or len(text[0]) == 2]"}, "continued"),
    edit(reference, {"== stop_id]": "== stop_id and len(text[0]) > 2]"}, "lost"))

exercise.mistake("ends-at-the-first-stop", "finished-texts",
    "The search ends with the first text that stops, or as soon as some have. Others may still become "
    "better: go on until all kept texts have stopped.",
    edit(reference, {"if not beams": "if not beams or len(finished) >= width"}, "as many as are kept"),
    edit(reference, {"if not beams": "if finished"}),
    edit(reference, {"if not beams": "if finished", "finished + beams": "finished or beams"},
         "the best of the finished"),
    edit(reference, {"if not beams": "if kept[0][0][-1] == stop_id"}, "if it is the best so far"))

exercise.mistake("only-finished", "finished-texts",
    "Texts without a stop token are left out at the end, or come second. Where max_len cuts a text off, it "
    "takes part like the others.",
    edit(reference, {"finished + beams": "finished or beams"}),
    edit(reference, {"finished + beams": "finished or [([start_id, stop_id], 0.0)]"}, "wholly"))

exercise.mistake("penalty-ignored", "beam-search-length",
    "length_penalty has no effect, or it chooses the wrong text. At the end, divide each total by "
    "its length to this power, and compare.",
    edit(reference, {" / (len(text[0]) - 1) ** length_penalty": ""}),
    edit(pairs, {" / len(pair[1]) ** length_penalty": ""}, "of pairs"))

exercise.mistake("penalty-inverted", "beam-search-length",
    "The totals are multiplied by the power of the length. They are negative: divide, and long texts gain.",
    edit(reference, {"/ (len": "* (len"}),
    edit(reference, {"** length_penalty": "** -length_penalty"}, "a negative power"))

exercise.mistake("penalty-no-power", "beam-search-length",
    "length_penalty does not stand as the power of the length. Divide the total by length ** length_penalty.",
    edit(reference, {"(len(text[0]) - 1) ** length_penalty": "max(1, (len(text[0]) - 1) * length_penalty)"},
         "times"),
    edit(reference, {"** length_penalty": ""}, "the mean, always"))

exercise.mistake("penalty-of-wu", "beam-search-length",
    "The length is scaled or moved before the power is taken, as in (5 + n) / 6. Here it is the length "
    "itself.",
    edit(reference, {"(len(text[0]) - 1) ** length_penalty":
                     "((5 + len(text[0]) - 1) / 6) ** length_penalty"}))

exercise.mistake("length-counts-otherwise", "beam-search-length",
    "The length counts other tokens than it should: the stop token is one of them, the start token is not.",
    edit(reference, {"(len(text[0]) - 1)": "len(text[0])"}, "the start, too"),
    edit(reference, {"(len(text[0]) - 1)": "(len(text[0]) + 1)"}, "two too many"),
    edit(reference, {"(len(text[0]) - 1)": "max(1, len(text[0]) - 1 - (text[0][-1] == stop_id))"},
         "not the stop"))

exercise.mistake("divided-while-searching", "beam-search-length",
    "A text goes on with a total that was divided before. Add the logarithms as they are; the length divides "
    "once, at the end.",
    edit(reference, {"total + log_p[token].item())": "(total * (len(ids) - 1) + log_p[token].item()) / "
                     "len(ids))"}))

exercise.mistake("total-begins-elsewhere", "beam-search-length",
    "The total of a text does not begin at 0, which shows where lengths divide. Before its first token a text "
    "has the probability 1, whose logarithm is 0.",
    edit(reference, {"0.0)], []": "1.0)], []"}),
    edit(tensors, {"zeros(1)": "ones(1)"}, "tensors"))

exercise.mistake("total-not-carried", "beam-search",
    "The total of a text is forgotten at the next step. Add each new logarithm to what the text had.",
    edit(reference, {"total + log_p": "log_p"}))

exercise.mistake("each-by-itself", "beam-search",
    "Each kept text is continued by itself, and they do not compete. Put all continuations of all texts "
    "together, and keep the width best of them.",
    edit(reference, {"for token in range(len(log_p))]": "for token in log_p.topk(min(len(log_p), width if "
                     "len(ids) == 1 else 1)).indices.tolist()]"}),
    edit(reference, {"longer[:width]": "longer[:width * max(1, len(beams))]"}, "as many for each"))

exercise.mistake("worst-kept", "beam-search",
    "The texts with the smallest totals are kept or returned. A total is negative; the best is the one "
    "nearest to 0.",
    edit(reference, {", reverse=True": ""}),
    edit(pairs, {"-pair[0]": "pair[0]"}, "of each text's best"),
    edit(reference, {"best = max": "best = min"}, "the worst returned"),
    edit(reference, {"total + log_p": "total - log_p"}, "logarithms subtracted"))

exercise.mistake("one-more-or-less", "beam-search",
    "One text more or fewer than width is kept.",
    edit(reference, {":width": ":width + 1"}),
    edit(reference, {":width": ":max(1, width - 1)"}, "one fewer"))

exercise.mistake("max-len-missed", "beam-search",
    "The texts have one token more or fewer than max_len allows; start_id does not count.",
    edit(reference, {"(max_len)": "(max_len + 1)"}),
    edit(reference, {"(max_len)": "(max(1, max_len - 1))"}, "one fewer"))

exercise.mistake("start-or-stop", "start-and-stop",
    "The result has the start token, or lacks its stop token or its first. Leave out start_id alone.",
    edit(reference, {"best[0][1:]": "best[0]"}, "with the start"),
    edit(reference, {"best[0][1:]": "[i for i in best[0][1:] if i != stop_id]"}, "without the stop"),
    edit(reference, {"best[0][1:]": "best[0][2:]"}, "without its first"),
    edit(reference, {"best[0][1:]": "best[0][1:-1]"}, "without its last"))

exercise.mistake("stops-repeated", "beam-search",
    "The result goes on with stop tokens, or with others, behind its stop. It is one text: end it there.",
    edit(reference, {"best[0][1:]": "best[0][1:] + [stop_id] * (max_len + 1 - len(best[0]))"}),
    edit(tensors, {"return best": "return torch.cat([best, torch.full((max_len - len(best),), stop_id)])"},
         "a tensor"))

exercise.mistake("another-position", "last-position",
    "The next token is read at a position other than the last. Only there has the model seen all ids so far.",
    edit(reference, {"[0, -1]": "[0, 0]"}))

exercise.mistake("only-the-last-token", "beam-search",
    "The model is given the last token alone, or the ids without their start. Give it all ids so far.",
    edit(reference, {"tensor([ids])": "tensor([ids[-1:]])"}),
    edit(reference, {"tensor([ids])": "tensor([ids[1:] or ids])"}, "without the start"))

exercise.mistake("rows-of-source", "beam-search",
    "The model gets several rows of ids and one source. Repeat the source, a row for each row of ids.",
    edit(tensors, {"source.expand(len(ids), -1)": "source"}))

exercise.mistake("width-above-vocabulary", "beam-search",
    "It stops where there are fewer continuations than width, as in the first step. Keep those that there "
    "are.",
    edit(pairs, {"min(width, logits.shape[-1])": "width"}))

exercise.mistake("kind-of-result", "beam-search",
    "The result is not one list of ids. Return the ids of the best text: no total, no axis for a batch.",
    edit(reference, {"return best[0][1:]": "return best[0][1:], best[1]"}, "with its total"),
    edit(reference, {"return best[0][1:]": "return torch.tensor([best[0][1:]])"}, "an axis for the batch"),
    edit(reference, {"return best[0][1:]": "return [best[0][1:]]"}, "in a list"),
    edit(reference, {"return best[0][1:]": "return [text[0][1:] for text in finished + beams]"}, "all texts"))

exercise.built_in("changes-input", edit(reference, {"return": "source.zero_()\nreturn"}))

exercise.built_in("returns-nothing", edit(reference, {"return": "best ="}))

exercise.equal("the loop ends by itself where nothing is left, or the texts are as long as they may be", {
    "max_len + 1)": ("(max_len + 1) + 1)", "max_len + 2)"), "if not beams": "if False", "break": "pass"})
exercise.equal("logits of one text have one axis, those of several two", {
    "log_softmax(-1)": "log_softmax(0)", "softmax(-1)": "softmax(0)", "dim=-1": "dim=1", "dim=1": "dim=-1",
    "dim=0": "dim=-1", "[0, -1]": "[(-1), -1]", "logits[0]": "logits[(-1)]", "shape[-1]": "shape[1]",
    "shape[1]": "shape[-1]", "logsumexp(-1": "logsumexp(1"})
exercise.equal("numbers may be tensors, ids a tensor or a list, and nobody asks for a gradient", {
    ".item()": "", ".tolist()": "", "with torch.no_grad():": "if True:", ".detach()": "",
    ".double()": "", "list(best[1:])": "best[1:]", "torch.tensor(best[1])": "best[1]"})
exercise.equal("the order of two numbers does not change the smaller of them", {
    "min(width, logits.shape[-1])": "min(logits.shape[-1], width)",
    "min(width, len(grown))": "min(len(grown), width)"})
exercise.equal("no two scores are equal", {
    "score > best_score": "score >= best_score", "scores.max() > best_score": "scores.max() >= best_score"})
exercise.equal("all kept texts are equally long, and have a row of ids and a total each", {
    "kept[0]": "kept[-1]", "len(ids)": "len(totals)"})
exercise.equal("which are kept is counted where the order does not say it", {
    "longer.sort(key=lambda text: text[1], reverse=True)": (
        "longer", "pass", "longer.sort(reverse=True)", "longer.sort(key=lambda text: text[0], reverse=True)",
        "longer.sort(key=lambda text: text[1])", "longer.sort(key=lambda text: text[1], reverse=False)")})
