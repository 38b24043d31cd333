"""distillation_loss: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "distillation_loss",
    points={"loss": 3, "any leading axes, low temperatures and float64": 1},
    section="distillation-loss",
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "The loss"}],
)


@exercise.probes
def probes(make):
    def probe(name, shape, temperatures, dtype=torch.float32, scale=1.0, group="loss", by_name=False,
              **marks):
        student, teacher, center = (make.randn(*sizes, dtype=dtype, scale=scale)
                                    for sizes in (shape, shape, shape[-1:]))
        named = dict(zip(("student_temp", "teacher_temp"), temperatures)) if by_name else {}
        return make.probe(name, student, teacher, center, *(() if by_name else temperatures), group=group,
                          gradient=True, **marks, **named)

    yield probe("two rows of three outputs", (2, 3), (0.8, 0.5))
    yield probe("a batch", make.pick((5, 4), (6, 5), (4, 7)), make.pick((0.6, 0.4), (0.5, 0.7), (0.7, 0.45)))
    yield probe("batch and views", make.pick((2, 3, 5), (3, 2, 6), (2, 5, 4)),
                make.pick((0.5, 0.9), (0.9, 0.6), (0.55, 0.8)))
    yield probe("temperatures above 1", make.pick((3, 6), (4, 7), (5, 6)),
                make.pick((2.0, 1.5), (1.7, 2.5), (2.2, 1.4)), scale=2.0)
    yield probe("as many rows as outputs", make.pick((4, 4), (5, 5), (3, 3)), (0.7, 0.4), edge=True)
    yield probe("not contiguous", make.pick((3, 2, 5), (2, 4, 6), (2, 3, 4)), (0.9, 0.5),
                edge=True, strided=True)
    yield probe("a large batch", (150, 5), (0.5, 0.3), long=True)
    group = {"group": "any leading axes, low temperatures and float64", "edge": True}
    yield probe("no leading axis", make.pick((4,), (5,), (6,)), (0.6, 0.4), **group)
    yield probe("three leading axes", make.pick((2, 3, 2, 4), (2, 2, 3, 5), (3, 2, 2, 4)), (0.8, 0.6),
                **group)
    yield probe("one row", (1, make.pick(5, 6, 4)), (0.7, 0.5), **group)
    yield probe("low temperatures, by name", make.pick((3, 4), (4, 5), (5, 6)), (0.1, 0.04), scale=4.0,
                by_name=True, **group)
    yield probe("large logits", make.pick((3, 5), (4, 6), (5, 4)), (0.1, 0.04), scale=40.0, **group)
    yield probe("float64", make.pick((3, 4), (2, 5), (4, 3)), (0.6, 0.4), dtype=torch.float64, **group)


@exercise.right
def reference(student, teacher, center, student_temp, teacher_temp):
    with torch.no_grad():
        p = torch.softmax((teacher - center) / teacher_temp, dim=-1)
    log_q = torch.log_softmax(student / student_temp, dim=-1)
    return (p * -log_q).sum(-1).mean()


@exercise.right("step by step")
def steps(student, teacher, center, student_temp, teacher_temp):
    t = teacher.detach()
    c = center.detach()
    t = (t - c) / teacher_temp
    s = student / student_temp
    targets = F.softmax(t, dim=-1)
    logs = F.log_softmax(s, dim=-1)
    loss = -(targets * logs).sum(dim=-1)
    return loss.mean()


@exercise.right("cross_entropy with probabilities")
def cross_entropy_probabilities(student, teacher, center, student_temp, teacher_temp):
    D = student.shape[-1]
    truth = ((teacher - center) / teacher_temp).softmax(-1).detach()
    guess = student / student_temp
    return F.cross_entropy(guess.reshape(-1, D), truth.reshape(-1, D))


@exercise.right("rows one by one, logsumexp")
def rows(student, teacher, center, student_temp, teacher_temp):
    D = len(center)
    losses = []
    for s, t in zip(student.reshape(-1, D), teacher.detach().reshape(-1, D)):
        p = torch.softmax((t - center.detach()) / teacher_temp, 0)
        z = s / student_temp
        losses.append(torch.logsumexp(z, 0) - (p * z).sum())
    return sum(losses) / len(losses)


exercise.also_right(
    edit(cross_entropy_probabilities, {"F.cross_entropy(guess.reshape(-1, D), truth.reshape(-1, D))":
                                       '-torch.einsum("nd,nd->", truth.reshape(-1, D), guess.reshape(-1, '
                                       "D).log_softmax(1)) / (student.numel() // D )"},
         "einsum over a flat batch"),
    edit(steps, {"loss =": "logt = F.log_softmax(t, dim=-1)\nloss =",
                 "-(targets * logs).sum(dim=-1)":
                 'F.kl_div(logs, logt, reduction="none", log_target=True).sum(-1) - (targets * '
                 "logt).sum(-1)"}, "KL plus the teacher's entropy"),
    edit(steps, {"(targets * logs).sum(dim=-1)": "targets * logs * student.shape[-1]"},
         "the mean times the outputs"),
    edit(steps, {every(".detach()"): "",
                 "(t, dim=-1)": "(t, dim=-1).detach()"}, "detached at the end of the teacher's side"),
    edit(steps, {every("detach()"): "data"}, "the data"),
    edit(steps, {"logs = F.log_softmax(s, dim=-1)":
                 "logs = s - s.amax(-1, keepdim=True) - (s - s.amax(-1, keepdim=True)).exp().sum(-1, "
                 "keepdim=True).log()"}, "log_softmax by hand"),
    edit(steps, {"targets =": "e = torch.exp(t - t.max(dim=-1, keepdim=True).values)\ntargets =",
                 "F.softmax(t, dim=-1)": "e / e.sum(-1, keepdim=True)"}, "softmax of a shifted exponential"),
    edit(cross_entropy_probabilities, {"(-1, D),": "(1, -1, D).transpose(1, 2),",
                                       "(-1, D))": "(1, -1, D).transpose(1, 2) )"},
         "classes on the second axis"))


exercise.mistake("gradient-into-teacher", "distillation-loss",
    "The values are right, but a gradient flows into the teacher, which would then learn to please the "
    "student. Detach the targets.",
    edit(steps, {every(".detach()"): ""}),
    edit(steps, {"teacher.detach()": "teacher"}, "the center is detached"))

exercise.mistake("gradient-into-center", "distillation-loss",
    "The values are right, but a gradient flows into the center. Detach the targets as a whole, or the "
    "center too.",
    edit(steps, {"center.detach()": "center"}))

exercise.mistake("student-detached", "distillation-loss",
    "The values are right, but no gradient reaches the student, which is the one that learns. Detach the "
    "teacher's side only.",
    edit(steps, {every(".detach()"): "", "s = student": "s = student.detach()"}, "instead of the teacher"),
    edit(steps, {"s = student": "s = student.detach()"}, "all three"),
    edit(steps, {"teacher.detach()": "teacher",
                 "s = student": "s = student.detach()"}, "instead of the teacher, center too"))

exercise.mistake("temperatures-swapped", "centering-and-temperatures",
    "The temperatures are exchanged: the student's logits are divided by teacher_temp, or the teacher's by "
    "student_temp.",
    edit(steps, {"/ teacher_temp": "/ student_temp", "/ student_temp": "/ teacher_temp"}),
    edit(steps, {"/ teacher_temp": "/ student_temp"}, "the student's for both"),
    edit(steps, {"/ student_temp": "/ teacher_temp"}, "the teacher's for both"))

exercise.mistake("temperature-ignored", "centering-and-temperatures",
    "A temperature has no effect. Divide the student's logits by student_temp, and the centred teacher's "
    "by teacher_temp.",
    edit(steps, {" / student_temp": ""}, "the student's"),
    edit(steps, {"(t - c) / teacher_temp": "t - c"}, "the teacher's"),
    edit(cross_entropy_probabilities, {"((teacher - center) / teacher_temp)": "(teacher - center)",
                                       " / student_temp": ""}, "both"),
    edit(cross_entropy_probabilities, {"/ teacher_temp": "/ 0.04", "/ student_temp": "/ 0.1"}, "fixed ones"))

exercise.mistake("multiplied", "centering-and-temperatures",
    "Logits are multiplied by a temperature. Divide by it: a low temperature sharpens.",
    edit(steps, {"/ teacher_temp": "* teacher_temp", "student /": "student *"}, "both"),
    edit(steps, {"student /": "student *"}, "the student's"),
    edit(steps, {"/ teacher_temp": "* teacher_temp"}, "the teacher's"))

exercise.mistake("temperature-late", "centering-and-temperatures",
    "A temperature comes after the softmax, as a divisor or as a power. Divide the logits before it.",
    edit(steps, {" / student_temp": "", "(s, dim=-1)": "(s, dim=-1) / student_temp"}, "the student's"),
    edit(steps, {"(t - c) / teacher_temp": "t - c",
                 "(t, dim=-1)": "(t, dim=-1) / teacher_temp"}, "the teacher's"),
    edit(steps, {"(t - c) / teacher_temp": "t - c", " / student_temp": "",
                 "(t, dim=-1)": "(t, dim=-1) / teacher_temp",
                 "(s, dim=-1)": "(s, dim=-1) / student_temp"}, "both"),
    edit(steps, {" / student_temp": "",
                 "F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1) / student_temp)"},
         "the student's probabilities"),
    edit(steps, {"(t - c) / teacher_temp": "t - c",
                 "(t, dim=-1)": "(t, dim=-1) ** (1 / teacher_temp)"}, "a power of the teacher's"),
    edit(steps, {"(t - c) / teacher_temp": "t - c", " / student_temp": "",
                 "(t, dim=-1)": "(t, dim=-1) ** (1 / teacher_temp)",
                 "F.log_softmax(s, dim=-1)": "(F.softmax(s, dim=-1) ** (1 / student_temp)).log()"},
         "powers of both"),
    edit(steps, {"(t - c) / teacher_temp": "t - c",
                 "F.softmax(t, dim=-1)": "F.softmax(F.softmax(t, dim=-1) / teacher_temp, dim=-1)"},
         "the teacher's, one more softmax"))

exercise.mistake("kl", "distillation-loss",
    "This is a KL divergence: an entropy is subtracted. Return the cross-entropy alone, −Σ p log q.",
    edit(steps, {"-(targets * logs)": "(targets * (targets.clamp(min=1e-30).log() - logs))"}, "by hand"),
    edit(steps, {"loss.mean()": "F.kl_div(logs, targets)"}, "kl_div, mean of everything"),
    edit(steps, {"loss.mean()": 'F.kl_div(logs, targets, reduction="batchmean")'},
         "kl_div, batchmean of three axes"),
    edit(steps, {"loss.mean()": 'F.kl_div(logs, targets, reduction="sum")'}, "kl_div, sum"),
    edit(steps, {"-(targets * logs).sum(dim=-1)":
                 'F.kl_div(logs, targets, reduction="none").sum(-1) * student_temp**2'},
         "times the squared temperature"),
    edit(steps, {"-(targets * logs).sum(dim=-1)":
                 "(logs.exp() * (logs - targets.clamp(min=1e-30).log())).sum(-1)"}, "the other way round"))

exercise.mistake("scaled", "distillation-loss",
    "The loss is multiplied by temperatures, or by a square of one. Return the cross-entropy as it is.",
    edit(steps, {"mean()": "mean() * student_temp**2"}, "by the squared temperature"),
    edit(steps, {"mean()": "mean() * student_temp"}, "by the temperature"),
    edit(steps, {"mean()": "mean() * student_temp * teacher_temp"}, "by both"),
    edit(cross_entropy_probabilities, {"1, D))": "1, D)) * teacher_temp**2"}, "by the teacher's, squared"))

exercise.mistake("center-added", "centering-and-temperatures",
    "The sign of the center, or of the whole difference, is wrong. Subtract the center from the teacher's "
    "logits: t - center.",
    edit(steps, {"t - c": "t + c"}),
    edit(steps, {"t - c": "c - t"}, "subtracted the other way round"))

exercise.mistake("center-ignored", "centering-and-temperatures",
    "The center has no effect. Subtract it from the teacher's logits, coordinate by coordinate, before the "
    "temperature; one number for a whole row changes no softmax.",
    edit(steps, {"(t - c)": "t"}))

exercise.mistake("center-late", "centering-and-temperatures",
    "The center is subtracted too late, or only a part of the difference is divided. Subtract first, then "
    "divide the whole difference, before the softmax: (t - center) / teacher_temp.",
    edit(steps, {"(t - c) / teacher_temp": "t / teacher_temp - c"}),
    edit(steps, {"(t - c)": "t", "(t, dim=-1)": "(t, dim=-1) - c"}, "after the softmax"),
    edit(steps, {"(t - c)": "t - c"}, "a bracket is missing"),
    edit(cross_entropy_probabilities, {"(teacher - center) / teacher_temp":
                                       "teacher / teacher_temp - center / student_temp"},
         "before the wrong division"))

exercise.mistake("center-on-student", "centering-and-temperatures",
    "The center is subtracted from the student's logits. It belongs to the teacher's side only.",
    edit(steps, {"(t - c)": "t", "s = student": "s = (student - c)"}, "only"),
    edit(steps, {"s = student": "s = (student - c)"}, "both"),
    edit(cross_entropy_probabilities, {"student /": "(student - center) /"}, "both, with its gradient"))

exercise.mistake("other-center", "centering-and-temperatures",
    "The teacher's logits are centred by something other than the given center. Subtract center itself, "
    "coordinate by coordinate.",
    edit(steps, {"t - c": "t - t.reshape(-1, t.shape[-1]).mean(0)"}, "the mean of the teacher"),
    edit(steps, {"t - c": "t - (c - t.reshape(-1, t.shape[-1]).mean(0))"}, "center and the teacher's mean"),
    edit(steps, {"t - c": "t - c.softmax(-1)"}, "softmax of the center"),
    edit(steps, {"t - c": "t - 0.5 * c"}, "half of it"),
    edit(steps, {"t - c": "t - 2 * c"}, "twice"),
    edit(steps, {"t - c": "t - (0.9 * c - 0.1 * t.reshape(-1, t.shape[-1]).mean(0))"},
         "0.9 of it and the mean"),
    edit(steps, {"t - c": "t - t.mean(-2 if t.dim() > 1 else 0, keepdim=True)"},
         "the teacher's mean over the second to last axis"),
    edit(steps, {"t - c": "t - t.mean(0)"}, "the teacher's mean over the batch, without keepdim"))

exercise.mistake("no-logarithm", "distillation-loss",
    "The student's side has no logarithm. The loss is −Σ p log q with q the student's softmax.",
    edit(steps, {"log_softmax": "softmax"}),
    edit(steps, {"log_softmax": "softmax", "loss =": "loss = 1"}, "one minus it"))

exercise.mistake("log-outside", "distillation-loss",
    "The logarithm is taken of the sum or the mean. It stands inside: −Σ p log q.",
    edit(steps, {"log_softmax": "softmax",
                 "(targets * logs).sum(dim=-1)": "torch.log((targets * logs).sum(dim=-1))"}),
    edit(steps, {"log_softmax": "softmax", "loss = -": "loss =",
                 "loss.mean()": "-torch.log(loss.mean())"}, "of the mean"))

exercise.mistake("no-softmax", "distillation-loss",
    "One side has no softmax, another function in its place, or one too many. The teacher's targets are "
    "one softmax, and the student's side is one log-softmax.",
    edit(steps, {"F.softmax(t, dim=-1)": "t"}, "the teacher"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "s"}, "the student"),
    edit(steps, {"F.softmax(t, dim=-1)": "torch.sigmoid(t)"}, "a sigmoid for the teacher"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "s.abs().log()"}, "a logarithm only"),
    edit(steps, {"log_softmax(s, dim=-1)": "logsigmoid(s)"}, "log of a sigmoid"),
    edit(steps, {"softmax": "log_softmax"}, "log_softmax twice for the teacher"),
    edit(steps, {"(s, dim=-1)": "(F.softmax(s, dim=-1), dim=-1)"}, "a softmax twice for the student"),
    edit(steps, {"F.softmax(t, dim=-1)": "F.softmax(F.softmax(t, dim=-1), dim=-1)"},
         "a softmax twice for the teacher"))

exercise.mistake("roles-swapped", "distillation-loss",
    "The roles are exchanged: the teacher's logarithm is weighted with the student's probabilities. The "
    "teacher gives the targets: −Σ p log q, with p the teacher's.",
    edit(steps, {"targets * logs": "F.softmax(s, dim=-1) * F.log_softmax(t, dim=-1)"}),
    edit(steps, {"t = teacher": "t , student = student, teacher"}, "the arguments are exchanged"),
    edit(cross_entropy_probabilities, {"guess.": "((teacher - center) / teacher_temp).",
                                       "truth.": "guess.softmax(-1)."}, "cross_entropy"),
    edit(steps, {"(t - c)": "t", "s = student": "s = (student - c)",
                 "targets * logs": "F.softmax(s, dim=-1) * F.log_softmax(t, dim=-1)"},
         "names only: the center leaves the other"))

exercise.mistake("softmax-axis", "distillation-loss",
    "A softmax runs over the wrong axis, such as the batch, or over all values; F.cross_entropy takes the "
    "second axis where there are three. It must run over the last axis.",
    edit(steps, {every(", dim=-1"): ", dim=0"}, "both, over the first"),
    edit(steps, {"t, dim=-1": "t, dim=0"}, "the teacher's"),
    edit(steps, {"s, dim=-1": "s, dim=0"}, "the student's"),
    edit(steps, {every(", dim=-"): ", dim="}, "axis 1"),
    edit(steps, {every("-1"): "1"}, "axis 1, summed there"),
    edit(steps, {"(t, dim=-1)": "(t.flatten(), 0).view_as(t)",
                 "(s, dim=-1)": "(s.flatten(), 0).view_as(s)"}, "all values"),
    edit(cross_entropy_probabilities, {"(guess.reshape(-1, D), truth.reshape(-1, D))": "(guess, truth)"},
         "cross_entropy of three axes"))

exercise.mistake("sum", "distillation-loss",
    "The losses are summed over a leading axis. Take the mean over all leading axes.",
    edit(steps, {"mean": "sum"}),
    edit(steps, {"return loss.mean()":
                 "return loss.flatten(1).sum(1).mean() if loss.dim() > 1 else loss.sum()"},
         "over all but the first axis"))

exercise.mistake("mean-over-outputs", "distillation-loss",
    "The mean is taken over the last axis too, so the loss is too small by the factor D. Sum over the last "
    "axis, then take the mean of the rest.",
    edit(steps, {".sum(dim=-1)": ""}))

exercise.mistake("divided-by-first", "distillation-loss",
    "The sum is divided by the size of one axis only. Divide by the number of all leading positions.",
    edit(steps, {"mean()": "sum() / student.shape[0]"}),
    edit(steps, {"mean()": "sum() / loss.shape[-1]"}, "the last leading axis"),
    edit(steps, {"mean()": "mean(dim=0).sum()"}, "summed over the others"),
    edit(steps, {"mean()": "sum() / student.shape[1]"}, "the second"))

exercise.mistake("not-averaged", "distillation-loss",
    "There is still more than one loss, such as one for each position. Return one number, the mean over "
    "all leading axes.",
    edit(steps, {".mean()": ""}),
    edit(steps, {"mean()": "mean(dim=0)"}, "the first axis alone"),
    edit(steps, {"mean()": "mean(dim=-1)"}, "the last axis alone"),
    edit(cross_entropy_probabilities, {"1, D))": '1, D), reduction="none")'}, "cross_entropy"),
    edit(steps, {".sum(dim=-1)": "", "mean()": "mean(dim=0)"}, "the mean over the batch, for each output"))

exercise.mistake("sign", "distillation-loss",
    "The sign is flipped: a log-probability is negative, the loss is its negative.",
    edit(steps, {"loss = -": "loss ="}))

exercise.mistake("hard-targets", "distillation-loss",
    "Only the teacher's best output counts. Its whole distribution is the target: a softmax, not an argmax.",
    edit(steps, {"softmax(t, dim=-1)": "one_hot(t.argmax(-1), t.shape[-1]).to(t.dtype)"}),
    edit(steps, {"sum(dim=-1)": "amax(-1)"}, "times its probability"),
    edit(cross_entropy_probabilities, {"truth.": "teacher.",
                                       "1, D))": "1, D).argmax(-1))"}, "of the raw teacher"))

exercise.mistake("squared-difference", "distillation-loss",
    "Squared or absolute differences of logits or probabilities are taken. The loss is a cross-entropy: −Σ "
    "p log q.",
    edit(steps, {"return loss.mean()": "return F.mse_loss(F.softmax(s, dim=-1), targets)"}, "probabilities"),
    edit(steps, {"loss.mean()": "F.mse_loss(s, t)"}, "logits"),
    edit(steps, {"-(targets * logs)": "(targets - logs.exp()).square()"}, "probabilities, summed"),
    edit(steps, {"-(targets * logs)": "(s - t).square()"}, "logits, summed"),
    edit(steps, {"-(targets * logs)": "(targets - logs.exp()).abs()"}, "absolute"),
    edit(steps, {"loss.mean()": "F.mse_loss(student, teacher.detach())"}, "raw logits"))

exercise.mistake("needs-batch", "distillation-loss",
    "Not every number of axes works. The logits are (..., D), with any leading axes or none: name the last "
    "axis by -1, and leave the others free.",
    edit(steps, {"t = teacher": "B, D = student.shape\nt = teacher",
                 "mean()": "sum() / B"}, "two sizes are read"),
    edit(steps, {"(targets * logs).sum(dim=-1)": 'torch.einsum("bd,bd->b", targets, logs)'}, "einsum"),
    edit(steps, {"(dim=-1)": "(dim=1)"}, "axis 1 is summed"),
    edit(rows, {every(".reshape(-1, D)"): "",
                "torch.logsumexp(z, 0) - (p * z).sum()": "F.cross_entropy(z, p)"}, "a loop over rows"),
    edit(cross_entropy_probabilities, {"shape[-1]": "shape[1]"}, "axes by number"),
    edit(cross_entropy_probabilities, {"shape[-1]": "shape[max(1, student.dim() - 1)]"},
         "not without an axis"),
    edit(steps, {"return loss.mean()":
                 "return loss.sum() / (student.shape[:-1].numel() if student.dim() > 1 else "
                 "student.shape[0])"}, "the first size"))

exercise.mistake("overflow", "distillation-loss",
    "Low temperatures or large logits give inf, nan or a wrong loss: log meets a probability of 0, or exp "
    "becomes infinite. Use log_softmax.",
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1))"}, "log of a softmax"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(s.exp() / s.exp().sum(-1, keepdim=True))"},
         "exp over a sum"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "s - s.exp().sum(-1, keepdim=True).log()"},
         "log of a sum of exp"),
    edit(steps, {"F.softmax(t, dim=-1)": "t.exp() / t.exp().sum(-1, keepdim=True)"},
         "the teacher's exponentials"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1) + 1e-16)"},
         "1e-16 in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1) + 1e-12)"},
         "1e-12 in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1) + 1e-9)"},
         "1e-09 in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1) + 1e-8)"},
         "1e-08 in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1) + 1e-7)"},
         "1e-07 in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1) + 1e-6)"},
         "1e-06 in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1) + 1e-5)"},
         "1e-05 in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1).clamp(min=1e-10))"},
         "at least 1e-10 in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1).clamp(min=1e-9))"},
         "at least 1e-09 in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1).clamp(min=1e-8))"},
         "at least 1e-08 in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1).clamp(min=1e-7))"},
         "at least 1e-07 in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1).clamp(min=1e-6))"},
         "at least 1e-06 in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1) + 1e-10)"},
         "a small number in the logarithm"),
    edit(steps, {"F.log_softmax(s, dim=-1)": "torch.log(F.softmax(s, dim=-1).clamp(min=1e-12))"},
         "clamped probabilities"))

exercise.mistake("dtype-fixed", "distillation-loss",
    "float64 logits do not give a float64 loss. Keep their dtype: cast nothing.",
    edit(steps, {"mean()": "mean().float()"}))

exercise.built_in("changes-input",
    edit(steps, {"t = (t - c)": "t -= c\nt = t"}),
    edit(steps, {"t = (t - c) / teacher_temp": "t -= c\n"
                                               "t /= teacher_temp\n"
                                               "student.data /= student_temp",
                 " / student_temp": ""}, "the teacher and the student"),
    edit(steps, {"s = student":
                 "c.mul_(0.9).add_(teacher.detach().reshape(-1, len(c)).mean(0), alpha=0.1)\n"
                 "s = student"}, "the center"))

exercise.built_in("returns-nothing",
    edit(steps, {"return loss.mean()": ""}))

exercise.built_in("ready-made",
    full("from allyouneed.models.dino import distillation_loss as loss\n"
         "\n"
         "return loss(student, teacher, center, student_temp, teacher_temp)", "the library's"),
    full("import transformers.losses\n"
         "\n"
         "return transformers.losses.distillation_loss(student, teacher)", "from an invented library"))

exercise.equal("student and teacher agree in shape", {
    "student.shape": "teacher.shape", "student.numel": "teacher.numel"})
exercise.equal("the batch is a whole number of rows", {"// D": "/ D"})
exercise.equal("a product has its factors in either order", {
    "truth.reshape(-1, D), guess.reshape(-1, D).log_softmax(1)":
    "guess.reshape(-1, D).log_softmax(1), truth.reshape(-1, D)"})
