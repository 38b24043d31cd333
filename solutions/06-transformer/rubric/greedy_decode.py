"""The rubric of greedy_decode: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F
from allyouneed.check.drivers.decoding import TableModel

from coursegrader.rubric import Exercise

exercise = Exercise(
    "greedy_decode",
    points={"one row": 2, "rows that stop": 2, "a plain function": 1},
    section="greedy-decoding",
    driver="decoding",
    compact=True,
    forbid=("generate", "stream", "greedy", "beam_search"),
    mistakes={
        "one-stop-ends-all": ("Decoding ends for all rows as soon as one row has stopped. Go on until every row has.", "stop-per-row"),
        "first-row-decides": ("The first row alone decides when decoding ends. Go on until every row has stopped.", "stop-per-row"),
        "never-stops": ("Rows do not stop: after its stop token a row goes on with other tokens. From then on it must repeat the stop token.", "stop-per-row"),
        "stop-not-repeated": ("Decoding ends at the right time, but a row that stopped earlier goes on with other tokens. It must repeat the stop token "
                              "to its end.", "stop-per-row"),
        "stops-at-the-same-step": ("Decoding ends only where all rows write the stop token in the same step. Remember for each row whether it has "
                                   "stopped.", "stop-per-row"),
        "filled-with-another-token": ("After its stop token a row is filled with another token. Repeat the stop token to the row's end.", "stop-per-row"),
        "stop-left-out": ("The stop token is missing from the result. It must stay, and then repeat to the row's end.", "stop-per-row"),
        "keeps-start": ("The result begins with start_id. Return the tokens that were written after it.", "start-and-stop"),
        "one-too-few": ("There is one token too few. Up to max_len tokens are written; start_id does not count.", "greedy-decoding"),
        "one-too-many": ("There is one token too many. At most max_len tokens are written; start_id does not count.", "greedy-decoding"),
        "first-token-dropped": ("The first written token is missing from the result. Only start_id is left out.", "start-and-stop"),
        "max-len-ignored": ("max_len is ignored: a row that does not stop keeps growing. Write at most max_len tokens.", "greedy-decoding"),
        "reads-position-0": ("The next token is read at the first position. The logits that follow all ids so far stand at the last one.", "last-position"),
        "reads-another-position": ("The next token is read at a position other than the last. Only there has the model seen all ids so far.", "last-position"),
        "only-the-last-token": ("The model is given the last token alone. Give it all ids so far, from start_id on.", "greedy-decoding"),
        "without-start": ("The model is not given start_id at the beginning of the ids. They begin with it at every step.", "start-and-stop"),
        "another-start": ("The ids begin with a token other than start_id. Put start_id first in every row.", "start-and-stop"),
        "order-of-ids": ("New tokens are put before the old ones. Append them: the ids grow to the right.", "greedy-decoding"),
        "samples": ("Two calls give different ids: tokens are drawn at random. Greedy decoding takes the most likely token each time.", "greedy-decoding"),
        "least-likely": ("The least likely token is taken. Take the one with the largest logit.", "greedy-decoding"),
        "second-best": ("A token other than the most likely one is taken. Take the one with the largest logit.", "greedy-decoding"),
        "argmax-axis": ("argmax runs over the wrong axis. It chooses among the tokens of the vocabulary: the last axis of the logits.", "greedy-decoding"),
        "never-the-stop": ("The stop token is never chosen, or not at every step. It is a token like the others: take the largest logit.", "start-and-stop"),
        "source-ignored": ("The model is not given the source, or not all of it. Hand the whole source over as it is, at every step.", "greedy-decoding"),
        "one-source-for-all": ("All rows are written from one row: they are given its source, or its choices. Row b of the ids belongs to row b "
                               "of the source, and chooses for itself.", "greedy-decoding"),
        "argument-order": ("The model's arguments are exchanged. Call model(source, ids).", "greedy-decoding"),
        "no-source-argument": ("The model is called without the source or the ids. Call model(source, ids).", "greedy-decoding"),
        "one-row-of-ids": ("The ids have one row, whatever the batch. Start with as many rows as source has, each with start_id.", "start-and-stop"),
        "last-token-alone-returned": ("Only the last tokens come back. Return all that were written, (batch, tokens).", "greedy-decoding"),
        "rows-of-different-lengths": ("The rows that come back differ in length. Return one tensor (batch, tokens): a row that has stopped repeats "
                                      "stop_id up to the longest row.", "stop-per-row"),
        "axes-of-the-result": ("The result's axes are not (batch, tokens). A row is a text, also where the batch has one row.", "greedy-decoding"),
        "kind-of-result": ("The result is not one int64 tensor of token ids. Return the chosen ids as such a tensor, and nothing else.", "greedy-decoding"),
        "appended-as-rows": ("The new tokens are joined below the ids, as further rows. Append them at the end of each row: along axis 1.",
                             "greedy-decoding"),
        "held-for-one-step": ("A row that has stopped is held for one step, then it goes on. What has stopped stays stopped: add to the flags, "
                              "do not overwrite them.", "stop-per-row"),
        "fixed-ids": ("Fixed numbers stand in place of start_id or stop_id. Use the arguments: they may be any tokens.", "start-and-stop"),
        "more-than-a-call": ("model is used for more than a call: it is asked for eval, parameters, forward or the like. It may be a plain "
                             "function: call model(source, ids), and nothing else.", "greedy-decoding"),
        "shape-of-a-token": ("The new tokens and the ids cannot be joined: their shapes differ. The new tokens need an axis of length 1 at the end, "
                             "and are joined along axis 1.", "greedy-decoding"),
    },
)


def written(table, source, start, stop, n_steps):
    """The most likely tokens (B, n_steps), whatever has been written before, and by how much each one leads."""
    model, ids, leads = TableModel(table, source), torch.full((len(source), 1), start), []
    for _ in range(n_steps):
        logits = model(source, ids).detach()[:, -1]
        best = logits.topk(2, dim=-1)
        leads.append(best.values[:, 0] - best.values[:, 1])
        ids = torch.cat((ids, best.indices[:, :1]), dim=1)
    return ids[:, 1:], torch.stack(leads, dim=1)


def table_and_source(make, n_source, start, stop, lengths, max_len, vocabulary, rows):
    """A table and a source with which row b writes its first stop token as token number lengths[b], or none in max_len tokens where that is None.

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
        good = all(len(first) == (length <= max_len) and (not first or first[0] + 1 == length) for first, length in zip(firsts, wanted))
        if good and leads.min() > 0.1 and (max_len < 3 or all(len(set(row.tolist())) > 2 for row in found)):
            return table, source


@exercise.probes
def _(make):
    def probe(name, lengths, max_len, vocabulary, start, stop, group="rows that stop", n_source=None, rows=53, function=False, **marks):
        table, source = table_and_source(make, n_source or make.pick(4, 6, 5), start, stop, lengths, max_len, vocabulary, rows)
        return make.probe(name, table, source, start, stop, max_len, *([True] if function else []), group=group, **marks)

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
    yield probe("a model that is a plain function", (2, 4), 5, 6, 1, 2, group="a plain function", function=True, edge=True)
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


@exercise.alternative("runs on to max_len")
def right_one(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id, dtype=torch.long)
    with torch.no_grad():
        for _ in range(max_len):
            best = model(source, ids)[:, -1, :].argmax(-1, keepdim=True)
            best = best.masked_fill(ids[:, -1:] == stop_id, stop_id)
            ids = torch.cat([ids, best], dim=-1)
    return ids[:, 1:]


@exercise.alternative("each row by itself")
def right_two(model, source, start_id, stop_id, max_len):
    rows = []
    for b in range(len(source)):
        row = [start_id]
        while len(row) <= max_len and row[-1] != stop_id:
            logits = model(source[b:b + 1], torch.tensor([row]))
            row.append(logits[0, -1].argmax().item())
        rows.append(row[1:])
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [stop_id] * (longest - len(row)) for row in rows])


@exercise.alternative("overwritten at the end")
def right_three(model, source, start_id, stop_id, max_len):
    ids = source.new_full((source.size(0), 1), start_id)
    for _ in range(max_len):
        probabilities = torch.softmax(model(source, ids)[:, -1], dim=-1)
        ids = torch.cat([ids, probabilities.max(dim=-1).indices.unsqueeze(1)], dim=1)
    new = ids[:, 1:]
    before = (new == stop_id).long().cumsum(dim=1) - (new == stop_id).long()
    return new.masked_fill(before > 0, stop_id)


@exercise.alternative("a tensor of stops, filled in")
def right_four(model, source, start_id, stop_id, max_len):
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


@exercise.alternative("only rows that go on are asked")
def right_five(model, source, start_id, stop_id, max_len):
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


@exercise.alternative("Python lists")
def right_six(model, source, start_id, stop_id, max_len):
    ids = [[start_id] for _ in source]
    for _ in range(max_len):
        logits = model(source, torch.tensor(ids))
        for row, one in zip(ids, logits):
            row.append(stop_id if stop_id in row[1:] else int(one[-1].argmax()))
        if all(row[-1] == stop_id for row in ids):
            break
    return [row[1:] for row in ids]


@exercise.alternative("inference mode and the source's device")
def right_seven(model, source, start_id, stop_id, max_len):
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


@exercise.alternative("recursion")
def right_eight(model, source, start_id, stop_id, max_len):
    def extend(ids, stopped, left):
        if left == 0 or bool(stopped.all()):
            return ids
        best = F.log_softmax(model(source, ids)[:, -1], dim=-1).argmax(-1)
        best = best * ~stopped + stop_id * stopped
        return extend(torch.cat([ids, best.unsqueeze(-1)], 1), stopped | (best == stop_id), left - 1)

    n = source.shape[0]
    return extend(torch.full([n, 1], start_id), torch.zeros(n, dtype=torch.bool), max_len)[:, 1:]


@exercise.alternative("a column a step, stacked at the end")
def right_nine(model, source, start_id, stop_id, max_len):
    columns = [torch.full((source.shape[0],), start_id)]
    for _ in range(max_len):
        logits = model(source, torch.stack(columns, dim=1))[:, -1]
        logits = logits.detach().clone()
        done = torch.stack(columns[1:], dim=1).eq(stop_id).any(dim=1) if len(columns) > 1 else torch.zeros(len(source), dtype=torch.bool)
        logits[done] = -torch.inf
        logits[done, stop_id] = 0.0
        columns.append(logits.argmax(dim=1))
    return torch.stack(columns[1:], dim=1)


@exercise.wrong("one-stop-ends-all")
def one_stop_ends_all(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        ids = torch.cat((ids, best[:, None]), dim=1)
        if (best == stop_id).any():
            break
    return ids[:, 1:]


@exercise.wrong("one-stop-ends-all", "before it is written")
def one_stop_ends_all3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        if (best == stop_id).any():
            break
        ids = torch.cat((ids, best[:, None]), dim=1)
    return ids[:, 1:]


@exercise.wrong("first-row-decides")
def first_row_decides(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        ids = torch.cat((ids, best[:, None]), dim=1)
        if best[0] == stop_id:
            break
    return ids[:, 1:]


@exercise.wrong("first-row-decides", "others held")
def first_row_decides2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped[0]:
            break
    return ids[:, 1:]


@exercise.wrong("first-row-decides", "before it is written")
def first_row_decides3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        if best[0].item() == stop_id:
            break
        ids = torch.cat((ids, best[:, None]), dim=1)
    return ids[:, 1:]


@exercise.wrong("never-stops")
def never_stops(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        ids = torch.cat((ids, best[:, None]), dim=1)
    return ids[:, 1:]


@exercise.wrong("stop-not-repeated")
def stop_not_repeated(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("stops-at-the-same-step")
def stops_at_the_same_step(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        ids = torch.cat((ids, best[:, None]), dim=1)
        if (best == stop_id).all():
            break
    return ids[:, 1:]


@exercise.wrong("filled-with-another-token", "zeros")
def filled_with_another_token(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids.clamp(min=0))[:, -1].argmax(dim=-1)
        now = torch.where(stopped, 0, best)
        ids = torch.cat((ids, now[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("filled-with-another-token", "start_id")
def filled_with_another_token2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids.clamp(min=0))[:, -1].argmax(dim=-1)
        now = torch.where(stopped, start_id, best)
        ids = torch.cat((ids, now[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("filled-with-another-token", "minus one")
def filled_with_another_token3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids.clamp(min=0))[:, -1].argmax(dim=-1)
        now = torch.where(stopped, -1, best)
        ids = torch.cat((ids, now[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("filled-with-another-token", "ones")
def filled_with_another_token4(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids.clamp(min=0))[:, -1].argmax(dim=-1)
        now = torch.where(stopped, 1, best)
        ids = torch.cat((ids, now[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("filled-with-another-token", "minus hundred")
def filled_with_another_token5(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids.clamp(min=0))[:, -1].argmax(dim=-1)
        now = torch.where(stopped, -100, best)
        ids = torch.cat((ids, now[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("filled-with-another-token", "the token before")
def filled_with_another_token6(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, ids[:, -1], best)
        stopped = stopped | (best == stop_id)
        best = torch.where(best == stop_id, ids[:, -1], best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("stop-left-out")
def stop_left_out(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
        ids = torch.cat((ids, best[:, None]), dim=1)
    return ids[:, 1:]


@exercise.wrong("stop-left-out", "lists without it")
def stop_left_out3(model, source, start_id, stop_id, max_len):
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


@exercise.wrong("rows-of-different-lengths")
def axes_of_the_result(model, source, start_id, stop_id, max_len):
    rows = []
    for one in source:
        row = [start_id]
        while len(row) <= max_len and row[-1] != stop_id:
            row.append(int(model(one[None], torch.tensor([row]))[0, -1].argmax()))
        rows.append(row[1:])
    return rows


@exercise.wrong("keeps-start")
def keeps_start(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids


@exercise.wrong("keeps-start", "runs on")
def keeps_start2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
    return ids


@exercise.wrong("keeps-start", "and the stop is not repeated")
def keeps_start3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids


@exercise.wrong("keeps-start", "and rows do not stop")
def keeps_start4(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        ids = torch.cat((ids, best[:, None]), dim=1)
    return ids


@exercise.wrong("one-too-few")
def one_too_few(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len - 1):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("one-too-many")
def one_too_many(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len + 1):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("first-token-dropped")
def first_token_dropped(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 2:]


@exercise.wrong("max-len-ignored")
def max_len_ignored(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    while not stopped.all():
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
    return ids[:, 1:]


@exercise.wrong("reads-position-0")
def reads_position0(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, 0].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("reads-another-position", "the last but one")
def reads_another_position(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, max(ids.shape[1] - 2, 0)].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("reads-another-position", "the mean of all")
def reads_another_position2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids).mean(dim=1).argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("reads-another-position", "the largest of all")
def reads_another_position4(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids).amax(dim=1).argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("only-the-last-token")
def only_the_last_token(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids[:, -1:])[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("only-the-last-token", "and rows do not stop")
def only_the_last_token3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    for _ in range(max_len):
        best = model(source, ids[:, -1:])[:, 0].argmax(dim=-1)
        ids = torch.cat((ids, best[:, None]), dim=1)
    return ids[:, 1:]


@exercise.wrong("without-start", "after the first step")
def without_start(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids if ids.shape[1] == 1 else ids[:, 1:])[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("without-start", "from the first step")
def without_start2(model, source, start_id, stop_id, max_len):
    ids = torch.zeros(source.shape[0], 0, dtype=torch.long)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids


@exercise.wrong("another-start", "zeros")
def another_start(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), 0)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("another-start", "stop_id")
def another_start2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), stop_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("another-start", "ones")
def another_start3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), 1)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("another-start", "the source's first token")
def another_start4(model, source, start_id, stop_id, max_len):
    ids = source[:, :1] % 5
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("order-of-ids")
def order_of_ids(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((best[:, None], ids), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, :-1]


@exercise.wrong("order-of-ids", "start_id kept at the end")
def order_of_ids2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((best[:, None], ids), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("order-of-ids", "turned at the end")
def order_of_ids3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((best[:, None], ids), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, :-1].flip(1)


@exercise.wrong("samples")
def samples(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].softmax(-1).multinomial(1)[:, 0]
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("samples", "and one stop ends all")
def samples3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = torch.multinomial(torch.softmax(model(source, ids)[:, -1], -1), 1).squeeze(-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.any():
            break
    return ids[:, 1:]


@exercise.wrong("least-likely")
def least_likely(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmin(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("second-best")
def second_best(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].topk(2).indices[:, 1]
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("second-best", "the largest without its sign")
def second_best2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].abs().argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("filled-with-another-token", "zeros, running on")
def filled_running_on1(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id)
    done = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids.clamp(min=0))[:, -1].argmax(-1)
        best = torch.where(done, torch.zeros_like(best), best)
        done = done | (best == stop_id)
        ids = torch.cat([ids, best[:, None]], 1)
    return ids[:, 1:]


@exercise.wrong("filled-with-another-token", "start_id, running on")
def filled_running_on2(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id)
    done = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids.clamp(min=0))[:, -1].argmax(-1)
        best = torch.where(done, start_id, best)
        done = done | (best == stop_id)
        ids = torch.cat([ids, best[:, None]], 1)
    return ids[:, 1:]


@exercise.wrong("filled-with-another-token", "minus one, running on")
def filled_running_on3(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id)
    done = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids.clamp(min=0))[:, -1].argmax(-1)
        best = torch.where(done, -1, best)
        done = done | (best == stop_id)
        ids = torch.cat([ids, best[:, None]], 1)
    return ids[:, 1:]


@exercise.wrong("argmax-axis", "batch, the shapes do not fit")
def argmax_axis_unfit1(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=0)
        ids = torch.cat([ids, best[:, None]], 1)
        if (ids == stop_id).any(1).all():
            break
    return ids[:, 1:]


@exercise.wrong("argmax-axis", "a single number")
def argmax_axis_unfit2(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax()
        ids = torch.cat([ids, best[:, None]], 1)
        if (ids == stop_id).any(1).all():
            break
    return ids[:, 1:]


@exercise.wrong("argmax-axis", "time")
def argmax_axis(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids).argmax(dim=1)[:, -1]
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("argmax-axis", "batch")
def argmax_axis2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=0)[:len(ids)] % 2
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("argmax-axis", "everything")
def argmax_axis3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax().expand(len(ids)) % 5
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("never-the-stop")
def never_the_stop(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        logits = model(source, ids)[:, -1].clone()
        logits[:, stop_id] = float('-inf')
        best = logits.argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("source-ignored", "zeros")
def source_ignored(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(torch.zeros_like(source), ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("source-ignored", "None")
def source_ignored2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(None, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("one-source-for-all")
def one_source_for_all(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source[:1].expand_as(source), ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("one-source-for-all", "one row handed over")
def one_source_for_all2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source[:1], ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("argument-order")
def argument_order(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(ids, source)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("no-source-argument")
def no_source_argument(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("one-row-of-ids")
def one_row_of_ids(model, source, start_id, stop_id, max_len):
    ids = torch.tensor([[start_id]])
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("one-row-of-ids", "as many as source has tokens")
def one_row_of_ids3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[1], 1), start_id)
    stopped = torch.zeros(source.shape[1], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("last-token-alone-returned")
def last_token_alone_returned(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, -1]


@exercise.wrong("last-token-alone-returned", "a column")
def last_token_alone_returned2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, -1:]


@exercise.wrong("axes-of-the-result", "transposed")
def axes_of_the_result2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:].T


@exercise.wrong("axes-of-the-result", "flat")
def axes_of_the_result3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:].flatten()


@exercise.wrong("axes-of-the-result", "squeezed")
def axes_of_the_result4(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:].squeeze()


@exercise.wrong("axes-of-the-result", "an axis more")
def axes_of_the_result5(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:].unsqueeze(0)


@exercise.wrong("axes-of-the-result", "the first row's list")
def axes_of_the_result6(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[0, 1:].tolist()


@exercise.wrong("kind-of-result")
def kind_of_result(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:].float()


@exercise.wrong("kind-of-result", "logits")
def kind_of_result2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return model(source, ids)


@exercise.wrong("kind-of-result", "two results")
def kind_of_result3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:], stopped


@exercise.wrong("shape-of-a-token")
def shape_of_a_token(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("changes-input")
def changes_input(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    source.fill_(stop_id)
    return ids[:, 1:]


@exercise.wrong("returns-nothing")
def returns_nothing(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    ids = ids[:, 1:]


@exercise.wrong("timeout")
def timeout(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    import time

    stopped = False
    while not stopped:
        best = model(source, ids)[:, -1].argmax(-1)
        time.sleep(0.05)
    return ids


@exercise.wrong("ready-made")
def ready_made(model, source, start_id, stop_id, max_len):
    from allyouneed.generation import generate

    class Bound:
        config, training = None, False

    return generate(Bound(), [[start_id]] * len(source), max_len, temperature=0, stop_id=stop_id, use_cache=False)


@exercise.wrong("source-ignored", "as much of it as there are ids")
def source_cut(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source[:, : ids.shape[1]], ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("appended-as-rows", "torch.cat")
def appended_as_rows(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=0)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("filled-with-another-token", "minus one, handed to the model")
def filled_and_asked(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, -1, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("filled-with-another-token", "zeros up to max_len")
def filled_to_the_end(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return F.pad(ids[:, 1:], (0, max_len + 1 - ids.shape[1]))


@exercise.wrong("held-for-one-step", "the flag overwritten")
def held_for_one_step(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        ids = torch.cat((ids, torch.where(stopped, stop_id, best)[:, None]), dim=1)
        stopped = best == stop_id
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("fixed-ids", "both")
def fixed_ids(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), 1)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, 2, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == 2)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("fixed-ids", "the stop token")
def fixed_ids2(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, 2, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == 2)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("fixed-ids", "both, by their other values")
def fixed_ids3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), 1)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, 0, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == 0)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("argmax-axis", "all rows and tokens")
def argmax_over_all(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax().expand(len(source))
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("more-than-a-call", "eval")
def more_than_a_call(model, source, start_id, stop_id, max_len):
    model.eval()
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


@exercise.wrong("more-than-a-call", "the device of its parameters")
def more_than_a_call2(model, source, start_id, stop_id, max_len):
    device = next(model.parameters()).device
    ids = torch.full((source.shape[0], 1), start_id, device=device)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("more-than-a-call", "forward")
def more_than_a_call3(model, source, start_id, stop_id, max_len):
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model.forward(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    return ids[:, 1:]


@exercise.wrong("more-than-a-call", "training switched off and on again")
def more_than_a_call4(model, source, start_id, stop_id, max_len):
    was_training = model.training
    model.train(False)
    ids = torch.full((source.shape[0], 1), start_id)
    stopped = torch.zeros(source.shape[0], dtype=torch.bool)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(dim=-1)
        best = torch.where(stopped, stop_id, best)
        ids = torch.cat((ids, best[:, None]), dim=1)
        stopped = stopped | (best == stop_id)
        if stopped.all():
            break
    model.train(was_training)
    return ids[:, 1:]
