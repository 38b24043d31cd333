"""greedy_decode: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F
from allyouneed.check.drivers.decoded_ids import TableModel

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "greedy_decode",
    points={"one row": 2, "rows that stop": 2, "a plain function": 1},
    section="greedy-decoding",
    driver="decoded_ids",
    forbid=("generate", "stream", "greedy", "beam_search"),
)


def written(table, source, start, stop, n_steps):
    """The most likely tokens (B, n_steps), whatever has been written before, and by how much each one
    leads."""
    model, ids, leads = TableModel(table, source), torch.full((len(source), 1), start), []
    for _ in range(n_steps):
        logits = model(source, ids).detach()[:, -1]
        best = logits.topk(2, dim=-1)
        leads.append(best.values[:, 0] - best.values[:, 1])
        ids = torch.cat((ids, best.indices[:, :1]), dim=1)
    return ids[:, 1:], torch.stack(leads, dim=1)


def table_and_source(make, n_source, start, stop, lengths, max_len, vocabulary, rows):
    """A table and a source with which row b writes its first stop token as token number lengths[b], or
    none in max_len tokens where that is None.

    After its stop a row would go on with other tokens, if nobody held it; no choice is close.
    """
    wanted = [max_len + 2 if length is None else length for length in lengths]
    while True:
        source = make.randint(1, 9, (len(lengths), n_source))
        which_row = TableModel(torch.arange(float(rows))[:, None].repeat(1, vocabulary), source)
        table, ids = make.randn(rows, vocabulary, scale=1.5), torch.full((len(source), 1), start)
        for step in range(1, max_len + 1):
            places = which_row(source, ids)[:, -1, 0].long()
            for place, length in zip(places.tolist(), wanted):
                row = table[place]
                row[stop] = row.max() + 0.7 if step == length else row.min()
                others = row.argmax()
                row[others] += 0.3
            ids = torch.cat((ids, table[places].argmax(-1, keepdim=True)), dim=1)
        found, leads = written(table, source, start, stop, max_len)
        firsts = [(row == stop).nonzero().flatten().tolist() for row in found]
        good = all(len(first) == (length <= max_len) and (not first or first[0] + 1 == length) for first,
                   length in zip(firsts, wanted))
        if good and leads.min() > 0.1 and (max_len < 3 or all(len(set(row.tolist())) > 2 for row in found)):
            return table, source


@exercise.probes
def probes(make):
    def probe(name, lengths, max_len, vocabulary, start, stop, group="rows that stop", n_source=None, rows=53,
              function=False, **marks):
        table, source = table_and_source(make, n_source or make.pick(4, 6, 5), start, stop, lengths, max_len,
                                         vocabulary, rows)
        return make.probe(name, table, source, start, stop, max_len, *([True] if function else []),
                          group=group, **marks)

    one = {"group": "one row"}
    yield probe("a row that is cut off", (None,), make.pick(4, 5, 3), 5, 1, 2, **one)
    yield probe("a row that stops", (make.pick(3, 2, 4),), 6, 6, 1, 2, **one)
    yield probe("one token at most", (None,), 1, 5, 3, 0, edge=True, **one)
    yield probe("a row that stops at the last moment", (4,), 4, 5, 0, 3, edge=True, **one)

    yield probe("rows that stop at different times", make.pick((2, 5, 3), (4, 2, 6), (3, 6, 2)), 8, 6, 1, 2)
    yield probe("the last row stops first", (make.pick(4, 5, 3), make.pick(2, 3, 1)), 7, 5, 2, 0)
    yield probe("one of two rows never stops", make.pick((2, None), (1, None), (3, None)), 5, 7, 0, 1)
    yield probe("the first row never stops", make.pick((None, 2), (None, 3), (None, 1)), 6, 5, 4, 3)
    yield probe("no row stops", (None, None, None), make.pick(4, 3, 5), 5, 1, 0)
    yield probe("a row that stops at once", (1, make.pick(4, 3, 5)), 6, 6, 5, 4)
    yield probe("all rows stop at the same time", (3, 3), 6, 5, 2, 1, edge=True)
    yield probe("as many rows as tokens", (2, None, 3, 1), 4, 5, 1, 2, n_source=4, edge=True)
    yield probe("a model that is a plain function", (2, 4), 5, 6, 1, 2, group="a plain function",
                function=True, edge=True)
    yield probe("a long text", (3, None), 130, 4, 1, 2, rows=1009, long=True)


@exercise.right
def reference(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.right("runs on to max_len")
def runs_max_len(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id, dtype=torch.long)
    with torch.no_grad():
        for _ in range(max_len):
            best = model(source, ids)[:, -1, :].argmax(-1, keepdim=True)
            best = best.masked_fill(ids[:, -1:] == stop_id, stop_id)
            ids = torch.cat([ids, best], dim=-1)
    return ids[:, 1:]


@exercise.right("each row by itself")
def row_itself(model, source, start_id, stop_id, max_len):
    rows = []
    for b in range(len(source)):
        row = [start_id]
        while len(row) <= max_len and row[-1] != stop_id:
            logits = model(source[b:b + 1], torch.tensor([row]))
            row.append(logits[0, -1].argmax().item())
        rows.append(row[1:])
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [stop_id] * (longest - len(row)) for row in rows])


@exercise.right("overwritten at the end")
def overwritten(model, source, start_id, stop_id, max_len):
    ids = source.new_full((source.size(0), 1), start_id)
    for _ in range(max_len):
        probabilities = torch.softmax(model(source, ids)[:, -1], dim=-1)
        ids = torch.cat([ids, probabilities.max(dim=-1).indices.unsqueeze(1)], dim=1)
    new = ids[:, 1:]
    before = (new == stop_id).long().cumsum(dim=1) - (new == stop_id).long()
    return new.masked_fill(before > 0, stop_id)


@exercise.right("a tensor of stops, filled in")
def tensor_stops(model, source, start_id, stop_id, max_len):
    B = source.shape[0]
    written = torch.full((B, max_len + 1), stop_id)
    written[:, 0] = start_id
    going = torch.ones(B, dtype=torch.bool)
    for t in range(max_len):
        best = model(source, written[:, :t + 1])[:, t].argmax(-1)
        written[going, t + 1] = best[going]
        going = going & (best != stop_id)
        if not going.any():
            return written[:, 1:t + 2]
    return written[:, 1:]


@exercise.right("only rows that go on are asked")
def only_rows(model, source, start_id, stop_id, max_len):
    B = len(source)
    result = torch.full((B, max_len), stop_id)
    active, ids = torch.arange(B), torch.full((B, 1), start_id)
    for t in range(max_len):
        best = torch.topk(model(source[active], ids)[:, -1], 1).indices
        result[active, t] = best[:, 0]
        keep = best[:, 0] != stop_id
        active, ids = active[keep], torch.cat([ids, best], dim=1)[keep]
        if len(active) == 0:
            break
    return result


@exercise.right("Python lists")
def python(model, source, start_id, stop_id, max_len):
    ids = [[start_id] for _ in source]
    for _ in range(max_len):
        logits = model(source, torch.tensor(ids))
        for row, one in zip(ids, logits):
            row.append(stop_id if stop_id in row[1:] else int(one[-1].argmax()))
    return [row[1:] for row in ids]


@exercise.right("inference mode and the source's device")
def inference(model, source, start_id, stop_id, max_len):
    device = source.device
    ids = torch.tensor([start_id], device=device).repeat(len(source), 1)
    finished = torch.zeros(len(source), 1, dtype=torch.bool, device=device)
    with torch.inference_mode():
        while ids.shape[1] < max_len + 1 and not finished.all():
            step = model(source, ids)[:, [-1]].argmax(-1)
            step[finished] = stop_id
            finished = finished | step.eq(stop_id)
            ids = torch.hstack((ids, step))
    return ids[:, 1:]


@exercise.right("recursion")
def recursion(model, source, start_id, stop_id, max_len):
    def extend(ids, stopped, left):
        if left == 0 or bool(stopped.all()):
            return ids
        best = F.log_softmax(model(source, ids)[:, -1], dim=-1).argmax(-1)
        best = best * ~stopped + stop_id * stopped
        return extend(torch.cat([ids, best.unsqueeze(-1)], 1), stopped | (best == stop_id), left - 1)

    n = source.shape[0]
    return extend(torch.full([n, 1], start_id), torch.zeros(n, dtype=torch.bool), max_len)[:, 1:]


@exercise.right("a column a step, stacked at the end")
def column_step(model, source, start_id, stop_id, max_len):
    columns = [torch.full((source.shape[0],), start_id)]
    for _ in range(max_len):
        logits = model(source, torch.stack(columns, dim=1))[:, -1]
        logits = logits.detach().clone()
        done = (torch.stack(columns[1:], dim=1).eq(stop_id).any(dim=1)
                if len(columns) > 1 else torch.zeros(len(source), dtype=torch.bool))
        logits[done] = -torch.inf
        logits[done, stop_id] = 0.0
        columns.append(logits.argmax(dim=1))
    return torch.stack(columns[1:], dim=1)


STOP_NOT_REPEATED = {"best = torch.where(stopped, stop_id, best)": ""}

exercise.mistake("one-stop-ends-all", "stop-per-row",
    "Decoding ends for all rows as soon as one row has stopped. Go on until every row has.",
    edit(reference, STOP_NOT_REPEATED | {"stopped = stopped | (best == stop_id)": "",
                                         "stopped.all": "(best == stop_id).any"}),
    edit(reference, {"best = torch.where(stopped, stop_id, best)": "if (best == stop_id).any():\n    break",
                     "stopped = stopped | (best == stop_id)\nif stopped.all():\n    break": ""},
         "before it is written"))

exercise.mistake("first-row-decides", "stop-per-row",
    "The first row alone decides when decoding ends. Go on until every row has stopped.",
    edit(reference, STOP_NOT_REPEATED | {"stopped = stopped | (best == stop_id)\n"
                                         "if stopped.all():":
                                         "if best[0] == stop_id:"}),
    edit(reference, {".all()": "[0]"}, "others held"),
    edit(reference, {"best = torch.where(stopped, stop_id, best)": "if best[0].item() == stop_id:\n"
                                                                   "    break",
                     "stopped = stopped | (best == stop_id)\nif stopped.all():\n    break": ""},
         "before it is written"))

exercise.mistake("never-stops", "stop-per-row",
    "Rows do not stop: after its stop token a row goes on with other tokens. From then on it must repeat "
    "the stop token.",
    edit(reference, STOP_NOT_REPEATED | {"stopped = torch.zeros(source.shape[0], dtype=torch.bool)": "",
                                         "stopped = stopped | (best == stop_id)\n"
                                         "if stopped.all():\n"
                                         "    break":
                                         ""}),
    edit(column_step, {".any(dim=1)": ".all(dim=1)"}, "but those that stop at once"))

exercise.mistake("held-without-a-stop", "stop-per-row",
    "A row is held at stop_id though it has not written it. What stops a row is stop_id alone, not any other "
    "token.",
    edit(column_step, {".eq(stop_id)": ""}))

exercise.mistake("stop-0-is-false", "stop-per-row",
    "Where stop_id is 0, nothing stops: 0 counts as False in `if stop_id`. 0 is a token like the others: ask "
    "nothing about stop_id, it is always given.",
    edit(reference, {"best = torch.where": "if stop_id:\n    best = torch.where",
                     "stopped = stopped |": "if stop_id:\n    stopped = stopped |"}))

exercise.mistake("stop-not-repeated", "stop-per-row",
    "Decoding ends at the right time, but a row that stopped earlier goes on with other tokens. It must "
    "repeat the stop token to its end.",
    edit(reference, STOP_NOT_REPEATED))

exercise.mistake("stops-at-the-same-step", "stop-per-row",
    "Decoding ends only where all rows write the stop token in the same step. Remember for each row "
    "whether it has stopped.",
    edit(reference, STOP_NOT_REPEATED | {"stopped = torch.zeros(source.shape[0], dtype=torch.bool)": "",
                                         "stopped = stopped | (best == stop_id)": "",
                                         "if stopped": "if (best == stop_id)"}))


def filled(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id)
    done = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids.clamp(min=0))[:, -1].argmax(-1)
        best = torch.where(done, torch.zeros_like(best), best)
        done = done | (best == stop_id)
        ids = torch.cat([ids, best[:, None]], 1)
    return ids[:, 1:]


def filled_another(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id)
    done = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids.clamp(min=0))[:, -1].argmax(-1)
        best = torch.where(done, start_id, best)
        done = done | (best == stop_id)
        ids = torch.cat([ids, best[:, None]], 1)
    return ids[:, 1:]


def filled_another_token(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id)
    done = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids.clamp(min=0))[:, -1].argmax(-1)
        best = torch.where(done, -1, best)
        done = done | (best == stop_id)
        ids = torch.cat([ids, best[:, None]], 1)
    return ids[:, 1:]


exercise.mistake("filled-with-another-token", "stop-per-row",
    "After its stop token a row is filled with another token. Repeat the stop token to the row's end.",
    edit(reference, {", ids": ", ids.clamp(min=0)", "best = torch": "now = torch",
                     "stop_id, best": "0, best", "ids, best": "ids, now"}, "zeros"),
    edit(reference, {", ids": ", ids.clamp(min=0)", "best = torch": "now = torch",
                     "stop_id, best": "start_id, best", "ids, best": "ids, now"}, "start_id"),
    edit(reference, {", ids": ", ids.clamp(min=0)", "best = torch": "now = torch",
                     "stop_id, best": "-1, best", "ids, best": "ids, now"}, "minus one"),
    edit(reference, {", ids": ", ids.clamp(min=0)", "best = torch": "now = torch",
                     "stop_id, best": "1, best", "ids, best": "ids, now"}, "ones"),
    edit(reference, {", ids": ", ids.clamp(min=0)", "best = torch": "now = torch",
                     "stop_id, best": "-100, best", "ids, best": "ids, now"}, "minus hundred"),
    edit(reference, {"stop_id, best)": "ids[:, -1], best)\n"
                                       "stopped = stopped | (best == stop_id)\n"
                                       "best = torch.where(best == stop_id, ids[:, -1], best)",
                     "stopped = stopped | (best == stop_id)": ""}, "the token before"),
    full(filled, "zeros, running on"),
    full(filled_another, "start_id, running on"),
    full(filled_another_token, "minus one, running on"),
    edit(reference, {"stop_id, best": "-1, best"}, "minus one, handed to the model"),
    edit(reference, {"ids[:, 1:]": "F.pad(ids[:, 1:], (0, max_len + 1 - ids.shape[1]))"},
         "zeros up to max_len"))


def stop(model, source, start_id, stop_id, max_len):
    rows = []
    for one in source:
        row = [start_id]
        for _ in range(max_len):
            token = int(model(one[None], torch.tensor([row]))[0, -1].argmax())
            if token == stop_id:
                break
            row.append(token)
        rows.append(row[1:])
    return rows


exercise.mistake("stop-left-out", "stop-per-row",
    "The stop token is missing from the result. It must stay, and then repeat to the row's end.",
    edit(reference, {"ids = torch.cat((ids, best[:, None]), dim=1)": "",
                     "return": "    ids = torch.cat((ids, best[:, None]), dim=1)\nreturn"}),
    full(stop, "lists without it"))


def rows_different(model, source, start_id, stop_id, max_len):
    rows = []
    for one in source:
        row = [start_id]
        while len(row) <= max_len and row[-1] != stop_id:
            row.append(int(model(one[None], torch.tensor([row]))[0, -1].argmax()))
        rows.append(row[1:])
    return rows


exercise.mistake("rows-of-different-lengths", "stop-per-row",
    "The rows that come back differ in length. Return one tensor (batch, tokens): a row that has stopped "
    "repeats stop_id up to the longest row.",
    full(rows_different))

exercise.mistake("keeps-start", "start-and-stop",
    "The result begins with start_id. Return the tokens that were written after it.",
    edit(reference, {"[:, 1:]": ""}),
    edit(reference, {"if stopped.all():\n    break": "", "[:, 1:]": ""}, "runs on"),
    edit(reference, STOP_NOT_REPEATED | {"[:, 1:]": ""}, "and the stop is not repeated"),
    edit(reference, STOP_NOT_REPEATED | {"stopped = stopped | (best == stop_id)\n"
                                         "if stopped.all():\n"
                                         "    break":
                                         "",
                                         "[:, 1:]": ""}, "and rows do not stop"))

exercise.mistake("one-too-few", "greedy-decoding",
    "There is one token too few. Up to max_len tokens are written; start_id does not count.",
    edit(reference, {"(max_len)": "(max_len - 1)"}))

exercise.mistake("one-too-many", "greedy-decoding",
    "There is one token too many. At most max_len tokens are written; start_id does not count.",
    edit(reference, {"(max_len)": "(max_len + 1)"}))

exercise.mistake("first-token-dropped", "start-and-stop",
    "The first written token is missing from the result. Only start_id is left out.",
    edit(reference, {"[:, 1:]": "[:, 2:]"}))

exercise.mistake("max-len-ignored", "greedy-decoding",
    "max_len is ignored: a row that does not stop keeps growing. Write at most max_len tokens.",
    edit(reference, {"for _ in range(max_len):": "while not stopped.all():",
                     "if stopped.all():\n    break": ""}))

exercise.mistake("reads-position-0", "last-position",
    "The next token is read at the first position. The logits that follow all ids so far stand at the last "
    "one.",
    edit(reference, {"[:, -1]": "[:, 0]"}))

exercise.mistake("reads-another-position", "last-position",
    "The next token is read at a position other than the last. Only there has the model seen all ids so far.",
    edit(reference, {"[:, -1]": "[:, max(ids.shape[1] - 2, 0)]"}, "the last but one"),
    edit(reference, {"[:, -1]": ".mean(dim=1)"}, "the mean of all"),
    edit(reference, {"[:, -1]": ".amax(dim=1)"}, "the largest of all"))

exercise.mistake("only-the-last-token", "greedy-decoding",
    "The model is given the last token alone. Give it all ids so far, from start_id on.",
    edit(reference, {", ids": ", ids[:, -1:]"}),
    full("ids = torch.full((source.shape[0], 1), start_id)\n"
         "for _ in range(max_len):\n"
         "    best = model(source, ids[:, -1:])[:, 0].argmax(dim=-1)\n"
         "    ids = torch.cat((ids, best[:, None]), dim=1)\n"
         "return ids[:, 1:]", "and rows do not stop"))

exercise.mistake("without-start", "start-and-stop",
    "The model is not given start_id at the beginning of the ids. They begin with it at every step.",
    edit(reference, {", ids": ", ids if ids.shape[1] == 1 else ids[:, 1:]"}, "after the first step"),
    edit(reference, {"full((source.shape[0], 1), start_id)": "zeros(source.shape[0], 0, dtype=torch.long)",
                     "[:, 1:]": ""}, "from the first step"))

exercise.mistake("another-start", "start-and-stop",
    "The ids begin with a token other than start_id. Put start_id first in every row.",
    edit(reference, {"start_id)": "0)"}, "zeros"),
    edit(reference, {"start_id)": "stop_id)"}, "stop_id"),
    edit(reference, {"start_id)": "1)"}, "ones"),
    edit(reference, {"ids = torch.full((source.shape[0], 1), start_id)": "ids = source[:, :1] % 5"},
         "the source's first token"))

exercise.mistake("order-of-ids", "greedy-decoding",
    "New tokens are put before the old ones. Append them: the ids grow to the right.",
    edit(reference, {"ids, best[:, None]": "best[:, None], ids", "[:, 1:]": "[:, :-1]"}),
    edit(reference, {"ids, best[:, None]": "best[:, None], ids"}, "start_id kept at the end"),
    edit(reference, {"ids, best[:, None]": "best[:, None], ids",
                     "[:, 1:]": "[:, :-1].flip(1)"}, "turned at the end"))

exercise.mistake("samples", "greedy-decoding",
    "Two calls give different ids: tokens are drawn at random. Greedy decoding takes the most likely token "
    "each time.",
    edit(reference, {"argmax(dim=-1)": "softmax(-1).multinomial(1)[:, 0]"}),
    edit(reference, {"= model": "=torch.multinomial(torch.softmax(model",
                     ".argmax(dim=-1)": ", -1), 1).squeeze(-1)", "all": "any"}, "and one stop ends all"))

exercise.mistake("least-likely", "greedy-decoding",
    "The least likely token is taken. Take the one with the largest logit.",
    edit(reference, {"argmax": "argmin"}))

exercise.mistake("second-best", "greedy-decoding",
    "A token other than the most likely one is taken. Take the one with the largest logit.",
    edit(reference, {"argmax(dim=-1)": "topk(2).indices[:, 1]"}),
    edit(reference, {"argmax": "abs().argmax"}, "the largest without its sign"))


def argmax_axis(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=0)
        ids = torch.cat([ids, best[:, None]], 1)
        if (ids == stop_id).any(1).all():
            break
    return ids[:, 1:]


def argmax_axis_single(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax()
        ids = torch.cat([ids, best[:, None]], 1)
        if (ids == stop_id).any(1).all():
            break
    return ids[:, 1:]


exercise.mistake("argmax-axis", "greedy-decoding",
    "argmax runs over the wrong axis. It chooses among the tokens of the vocabulary: the last axis of the "
    "logits.",
    full(argmax_axis, "batch, the shapes do not fit"),
    full(argmax_axis_single, "a single number"),
    edit(reference, {"[:, -1].argmax(dim=-1)": ".argmax(dim=1)[:, -1]"}, "time"),
    edit(reference, {"(dim=-1)": "(dim=0)[:len(ids)] % 2"}, "batch"),
    edit(reference, {"(dim=-1)": "().expand(len(ids)) % 5"}, "everything"),
    edit(reference, {"(dim=-1)": "().expand(len(source))"}, "all rows and tokens"))

exercise.mistake("never-the-stop", "start-and-stop",
    "The stop token is never chosen, or not at every step. It is a token like the others: take the largest "
    "logit.",
    edit(reference, {"best = model": "logits = model", "argmax(dim=-1)": "clone()",
                     "best = torch": "logits[:, stop_id] = float('-inf')\n"
                                     "best = logits.argmax(dim=-1)\n"
                                     "best = torch"}))

exercise.mistake("source-ignored", "greedy-decoding",
    "The model is not given the source, or not all of it. Hand the whole source over as it is, at every "
    "step.",
    edit(reference, {"source, ids": "torch.zeros_like(source), ids"}, "zeros"),
    edit(reference, {"source, ids": "None, ids"}, "None"),
    edit(reference, {", ids": "[:, : ids.shape[1]], ids"}, "as much of it as there are ids"))

exercise.mistake("one-source-for-all", "greedy-decoding",
    "All rows are written from one row: they are given its source, or its choices. Row b of the ids "
    "belongs to row b of the source, and chooses for itself.",
    edit(reference, {", ids": "[:1].expand_as(source), ids"}),
    edit(reference, {", ids": "[:1], ids"}, "one row handed over"))

exercise.mistake("argument-order", "greedy-decoding",
    "The model's arguments are exchanged. Call model(source, ids).",
    edit(reference, {"source, ids": "ids, source"}))

exercise.mistake("no-source-argument", "greedy-decoding",
    "The model is called without the source or the ids. Call model(source, ids).",
    edit(reference, {"source, ids": "ids"}))

exercise.mistake("one-row-of-ids", "start-and-stop",
    "The ids have one row, whatever the batch. Start with as many rows as source has, each with start_id.",
    edit(reference, {"full((source.shape[0], 1), start_id)": "tensor([[start_id]])"}),
    edit(reference, {every("0"): "1"}, "as many as source has tokens"))

exercise.mistake("last-token-alone-returned", "greedy-decoding",
    "Only the last tokens come back. Return all that were written, (batch, tokens).",
    edit(reference, {"[:, 1:]": "[:, -1]"}),
    edit(reference, {"[:, 1:]": "[:, -1:]"}, "a column"))

exercise.mistake("axes-of-the-result", "greedy-decoding",
    "The result's axes are not (batch, tokens). A row is a text, also where the batch has one row.",
    edit(reference, {"[:, 1:]": "[:, 1:].T"}, "transposed"),
    edit(reference, {"[:, 1:]": "[:, 1:].flatten()"}, "flat"),
    edit(reference, {"[:, 1:]": "[:, 1:].squeeze()"}, "squeezed"),
    edit(reference, {"[:, 1:]": "[:, 1:].unsqueeze(0)"}, "an axis more"),
    edit(reference, {"[:, 1:]": "[0, 1:].tolist()"}, "the first row's list"))

exercise.mistake("kind-of-result", "greedy-decoding",
    "The result is not one int64 tensor of token ids. Return the chosen ids as such a tensor, and nothing "
    "else.",
    edit(reference, {"[:, 1:]": "[:, 1:].float()"}),
    edit(reference, {"return ids[:, 1:]": "return model(source, ids)"}, "logits"),
    edit(reference, {"[:, 1:]": "[:, 1:], stopped"}, "two results"))

exercise.mistake("shape-of-a-token", "greedy-decoding",
    "The new tokens and the ids cannot be joined: their shapes differ. The new tokens need an axis of "
    "length 1 at the end, and are joined along axis 1.",
    edit(reference, {"[:, None]": ""}))

exercise.mistake("appended-as-rows", "greedy-decoding",
    "The new tokens are joined below the ids, as further rows. Append them at the end of each row: along "
    "axis 1.",
    edit(reference, {"dim=1": "dim=0"}, "torch.cat"))

exercise.mistake("held-for-one-step", "stop-per-row",
    "A row that has stopped is held for one step, then it goes on. What has stopped stays stopped: add to "
    "the flags, do not overwrite them.",
    edit(reference, STOP_NOT_REPEATED | {"ids, best": "ids, torch.where(stopped, stop_id, best)",
                                         "stopped | (best == stop_id)": "best == stop_id"},
         "the flag overwritten"))

exercise.mistake("fixed-ids", "start-and-stop",
    "Fixed numbers stand in place of start_id or stop_id. Use the arguments: they may be any tokens.",
    edit(reference, {"start_id)": "1)", "stop_id, best": "2, best", "== stop_id": "== 2"}, "both"),
    edit(reference, {"stop_id, best": "2, best", "== stop_id": "== 2"}, "the stop token"),
    edit(reference, {"start_id)": "1)", "stop_id, best": "0, best",
                     "== stop_id": "== 0"}, "both, by their other values"))

exercise.mistake("more-than-a-call", "greedy-decoding",
    "model is used for more than a call: it is asked for eval, parameters, forward or the like. It may be "
    "a plain function: call model(source, ids), and nothing else.",
    edit(reference, {"ids = torch.full": "model.eval()\nids = torch.full"}, "eval"),
    edit(reference, {"ids = torch.full": "device = next(model.parameters()).device\nids = torch.full",
                     "start_id)": "start_id, device=device)"}, "the device of its parameters"),
    edit(reference, {"= model": "= model.forward"}, "forward"),
    edit(reference, {"ids = torch.full": "was_training = model.training\n"
                                         "model.train(False)\n"
                                         "ids = torch.full",
                     "return": "model.train(was_training)\nreturn"}, "training switched off and on again"))

exercise.built_in("changes-input",
    edit(reference, {"return": "source.fill_(stop_id)\nreturn"}))

exercise.built_in("returns-nothing",
    edit(reference, {"return": "ids ="}))


def timeout(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    import time

    stopped = False
    while not stopped:
        best = model(source, ids)[:, -1].argmax(-1)
        time.sleep(0.05)
    return ids


exercise.built_in("timeout",
    full(timeout))


def ready(model, source, start_id, stop_id, max_len):
    from allyouneed.generation.sampling import generate

    class Bound:
        config, training = None, False

    return generate(Bound(), [[start_id]] * len(source), max_len, temperature=0, stop_id=stop_id,
                    use_cache=False)


exercise.built_in("ready-made",
    full(ready))

exercise.equal("a text may run on to max_len: rows that have stopped repeat their stop", {
    "if stopped.all():": "if False:", "if not going.any():": "if False:", "break": "pass",
    "t + 2]": ("]", "t + 3]", "(t + 2) + 1]"), " and not finished.all()": "", " or bool(stopped.all())": ""})
exercise.equal("a row that has stopped is given stop_id again, which says that it has stopped", {
    "stopped | (best": "(best", "finished | step": "step"})
exercise.equal("at a row's first stop stands stop_id, whether it is written once more or not", {
    " - (new == stop_id).long()": ("", " + (new == stop_id).long()")})
exercise.equal("a softmax runs over the last of two axes by itself, and keeps the order of its numbers", {
    "torch.softmax(model(source, ids)[:, -1], dim=-1)": "model(source, ids)[:, -1]",
    "F.log_softmax(model(source, ids)[:, -1], dim=-1)": (
        "model(source, ids)[:, -1]", "F.log_softmax(model(source, ids)[:, -1])")})
exercise.equal("what a model guesses at a place rests on the ids up to that place", {
    ":t + 1])[:, t]": (":])[:, t]", ":t + 2])[:, t]", ":(t + 1) + 1])[:, t]")})
exercise.equal("one row, or one best token for each row of ids, is the first and the last", {
    "best[:, 0]": "best[:, -1]", "logits[0, -1]": "logits[-1, -1]", "len(active)": "len(ids)"})
exercise.equal("start_id is not stop_id", {"[1:]": ("[:]", "[0:]")})
exercise.equal("ids may be lists or hold tensors, whole numbers are int64 anyway, and all is on one device", {
    "torch.tensor([row": "([row", ".item()": "", "int(one": "(one", ", dtype=torch.long": "", ".long()": "",
    ", device=device": ""})
exercise.equal("nobody asks for a gradient, and logits of a row that has stopped are not read again", {
    "with torch.no_grad():": "if True:", "with torch.inference_mode():": "if True:", ".detach()": "",
    ".clone()": "", "logits = logits.detach().clone()": "pass"})
