"""The rubric of distillation_loss: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

from ._shared import writer

exercise = Exercise(
    "distillation_loss",
    points={"loss": 3, "any leading axes, low temperatures and float64": 1},
    section="distillation-loss",
    compact=True,
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "The loss"}],
    mistakes={
        "gradient-into-teacher": ("The values are right, but a gradient flows into the teacher, which would then learn to please the student. Detach the "
                                  "targets.", "distillation-loss"),
        "gradient-into-center": ("The values are right, but a gradient flows into the center. Detach the targets as a whole, or the center too.",
                                 "distillation-loss"),
        "student-detached": ("The values are right, but no gradient reaches the student, which is the one that learns. Detach the teacher's side only.",
                             "distillation-loss"),
        "temperatures-swapped": ("The temperatures are exchanged: the student's logits are divided by teacher_temp, or the teacher's by student_temp.",
                                 "centering-and-temperatures"),
        "temperature-ignored": ("A temperature has no effect. Divide the student's logits by student_temp, and the centred teacher's by teacher_temp.",
                                "centering-and-temperatures"),
        "multiplied": ("Logits are multiplied by a temperature. Divide by it: a low temperature sharpens.", "centering-and-temperatures"),
        "temperature-late": ("A temperature comes after the softmax, as a divisor or as a power. Divide the logits before it.", "centering-and-temperatures"),
        "kl": ("This is a KL divergence: an entropy is subtracted. Return the cross-entropy alone, −Σ p log q.", "distillation-loss"),
        "scaled": ("The loss is multiplied by temperatures, or by a square of one. Return the cross-entropy as it is.", "distillation-loss"),
        "center-added": ("The sign of the center, or of the whole difference, is wrong. Subtract the center from the teacher's logits: t - center.",
                         "centering-and-temperatures"),
        "center-ignored": ("The center has no effect. Subtract it from the teacher's logits, coordinate by coordinate, before the temperature; one number for a whole row "
                           "changes no softmax.", "centering-and-temperatures"),
        "center-late": ("The center is subtracted too late, or only a part of the difference is divided. Subtract first, then divide the whole difference, "
                        "before the softmax: (t - center) / teacher_temp.", "centering-and-temperatures"),
        "center-on-student": ("The center is subtracted from the student's logits. It belongs to the teacher's side only.", "centering-and-temperatures"),
        "other-center": ("The teacher's logits are centred by something other than the given center. Subtract center itself, coordinate by "
                         "coordinate.",
                         "centering-and-temperatures"),
        "no-logarithm": ("The student's side has no logarithm. The loss is −Σ p log q with q the student's softmax.", "distillation-loss"),
        "log-outside": ("The logarithm is taken of the sum or the mean. It stands inside: −Σ p log q.", "distillation-loss"),
        "no-softmax": ("One side has no softmax, another function in its place, or one too many. The teacher's targets are one softmax, and the student's "
                       "side is one log-softmax.", "distillation-loss"),
        "roles-swapped": ("The roles are exchanged: the teacher's logarithm is weighted with the student's probabilities. The teacher gives the targets: −Σ p "
                          "log q, with p the teacher's.", "distillation-loss"),
        "softmax-axis": ("A softmax runs over the wrong axis, such as the batch, or over all values; F.cross_entropy takes the second axis where there are "
                         "three. It must run over the last axis.", "distillation-loss"),
        "sum": ("The losses are summed over a leading axis. Take the mean over all leading axes.", "distillation-loss"),
        "mean-over-outputs": ("The mean is taken over the last axis too, so the loss is too small by the factor D. Sum over the last axis, then take the mean of "
                              "the rest.", "distillation-loss"),
        "divided-by-first": ("The sum is divided by the size of one axis only. Divide by the number of all leading positions.", "distillation-loss"),
        "not-averaged": ("There is still more than one loss, such as one for each position. Return one number, the mean over all leading axes.",
                         "distillation-loss"),
        "sign": ("The sign is flipped: a log-probability is negative, the loss is its negative.", "distillation-loss"),
        "hard-targets": ("Only the teacher's best output counts. Its whole distribution is the target: a softmax, not an argmax.", "distillation-loss"),
        "squared-difference": ("Squared or absolute differences of logits or probabilities are taken. The loss is a cross-entropy: −Σ p log q.",
                               "distillation-loss"),
        "needs-batch": ("Not every number of axes works. The logits are (..., D), with any leading axes or none: name the last axis by -1, and leave the "
                        "others free.", "distillation-loss"),
        "overflow": ("Low temperatures or large logits give inf, nan or a wrong loss: log meets a probability of 0, or exp becomes infinite. Use log_softmax.",
                     "distillation-loss"),
        "dtype-fixed": ("float64 logits do not give a float64 loss. Keep their dtype: cast nothing.", "distillation-loss"),
    },
)
wrong, right = writer(exercise)


@exercise.probes
def _(make):
    def probe(name, shape, temperatures, dtype=torch.float32, scale=1.0, group="loss", by_name=False, **marks):
        student, teacher, center = (make.randn(*sizes, dtype=dtype, scale=scale) for sizes in (shape, shape, shape[-1:]))
        named = dict(zip(("student_temp", "teacher_temp"), temperatures)) if by_name else {}
        return make.probe(name, student, teacher, center, *(() if by_name else temperatures), group=group, gradient=True, **marks, **named)

    yield probe("two rows of three outputs", (2, 3), (0.8, 0.5))
    yield probe("a batch", make.pick((5, 4), (6, 5), (4, 7)), make.pick((0.6, 0.4), (0.5, 0.7), (0.7, 0.45)))
    yield probe("batch and views", make.pick((2, 3, 5), (3, 2, 6), (2, 5, 4)), make.pick((0.5, 0.9), (0.9, 0.6), (0.55, 0.8)))
    yield probe("temperatures above 1", make.pick((3, 6), (4, 7), (5, 6)), make.pick((2.0, 1.5), (1.7, 2.5), (2.2, 1.4)), scale=2.0)
    yield probe("as many rows as outputs", make.pick((4, 4), (5, 5), (3, 3)), (0.7, 0.4), edge=True)
    yield probe("not contiguous", make.pick((3, 5), (4, 6), (5, 4)), (0.9, 0.5), edge=True, strided=True)
    yield probe("a large batch", (150, 5), (0.5, 0.3), long=True)
    group = {"group": "any leading axes, low temperatures and float64", "edge": True}
    yield probe("no leading axis", make.pick((4,), (5,), (6,)), (0.6, 0.4), **group)
    yield probe("three leading axes", make.pick((2, 3, 2, 4), (2, 2, 3, 5), (3, 2, 2, 4)), (0.8, 0.6), **group)
    yield probe("one row", (1, make.pick(5, 6, 4)), (0.7, 0.5), **group)
    yield probe("low temperatures, by name", make.pick((3, 4), (4, 5), (5, 6)), (0.1, 0.04), scale=4.0, by_name=True, **group)
    yield probe("large logits", make.pick((3, 5), (4, 6), (5, 4)), (0.1, 0.04), scale=40.0, **group)
    yield probe("float64", make.pick((3, 4), (2, 5), (4, 3)), (0.6, 0.4), dtype=torch.float64, **group)


@exercise.right
def reference(student, teacher, center, student_temp, teacher_temp):
    with torch.no_grad():
        p = torch.softmax((teacher - center) / teacher_temp, dim=-1)
    log_q = torch.log_softmax(student / student_temp, dim=-1)
    return (p * -log_q).sum(-1).mean()


STEPS = """
def distillation_loss(student, teacher, center, student_temp, teacher_temp):
    t = teacher.detach()
    c = center.detach()
    t = (t - c) / teacher_temp
    s = student / student_temp
    targets = F.softmax(t, dim=-1)
    logs = F.log_softmax(s, dim=-1)
    loss = -(targets * logs).sum(dim=-1)
    return loss.mean()
"""
CROSS = """
def distillation_loss(student, teacher, center, student_temp, teacher_temp):
    D = student.shape[-1]
    truth = ((teacher - center) / teacher_temp).softmax(-1).detach()
    guess = student / student_temp
    return F.cross_entropy(guess.reshape(-1, D), truth.reshape(-1, D))
"""
LOOP = """
def distillation_loss(student, teacher, center, student_temp, teacher_temp):
    D = len(center)
    losses = []
    for s, t in zip(student.reshape(-1, D), teacher.detach().reshape(-1, D)):
        p = torch.softmax((t - center.detach()) / teacher_temp, 0)
        z = s / student_temp
        losses.append(torch.logsumexp(z, 0) - (p * z).sum())
    return sum(losses) / len(losses)
"""
right("step by step", STEPS)
right("cross_entropy with probabilities", CROSS)
right("rows one by one, logsumexp", LOOP)
right("einsum over a flat batch", CROSS, ("F.cross_entropy(guess.reshape(-1, D), truth.reshape(-1, D))", "-torch.einsum('nd,nd->', truth.reshape(-1, D), guess.reshape(-1, D).log_softmax(1)) / (student.numel() // D)"))
right("KL plus the teacher's entropy", STEPS, ("loss = -(targets * logs).sum(dim=-1)", "logt = F.log_softmax(t, dim=-1)\n    loss = F.kl_div(logs, logt, reduction='none', log_target=True).sum(-1) - (targets * logt).sum(-1)"))
right("the mean times the outputs", STEPS, ("loss = -(targets * logs).sum(dim=-1)", "loss = -targets * logs * student.shape[-1]"))
right("detached at the end of the teacher's side", STEPS, ("teacher.detach()", "teacher"), ("center.detach()", "center"), ("targets = F.softmax(t, dim=-1)", "targets = F.softmax(t, dim=-1).detach()"))
right("the data", STEPS, ("teacher.detach()", "teacher.data"), ("center.detach()", "center.data"))
right("log_softmax by hand", STEPS, ("F.log_softmax(s, dim=-1)", "s - s.amax(-1, keepdim=True) - (s - s.amax(-1, keepdim=True)).exp().sum(-1, keepdim=True).log()"))
right("softmax of a shifted exponential", STEPS, ("targets = F.softmax(t, dim=-1)", "e = torch.exp(t - t.max(dim=-1, keepdim=True).values)\n    targets = e / e.sum(-1, keepdim=True)"))
right("classes on the second axis", CROSS, ("F.cross_entropy(guess.reshape(-1, D), truth.reshape(-1, D))", "F.cross_entropy(guess.reshape(1, -1, D).transpose(1, 2), truth.reshape(1, -1, D).transpose(1, 2))"))

T, S, TARGETS, LOGS, LOSS, END = "t = (t - c) / teacher_temp", "s = student / student_temp", "targets = F.softmax(t, dim=-1)", "logs = F.log_softmax(s, dim=-1)", "loss = -(targets * logs).sum(dim=-1)", "return loss.mean()"
CE = "F.cross_entropy(guess.reshape(-1, D), truth.reshape(-1, D))"
wrong("gradient-into-teacher", "", STEPS, ("teacher.detach()", "teacher"), ("center.detach()", "center"))
wrong("gradient-into-teacher", "the center is detached", STEPS, ("teacher.detach()", "teacher"))
wrong("gradient-into-teacher", "cross_entropy", CROSS, (".detach()", ""))
wrong("gradient-into-center", "", STEPS, ("center.detach()", "center"))
wrong("gradient-into-center", "cross_entropy", CROSS, ("(teacher - center)", "(teacher.detach() - center)"), (".softmax(-1).detach()", ".softmax(-1)"))
wrong("student-detached", "instead of the teacher", STEPS, ("teacher.detach()", "teacher"), ("center.detach()", "center"), (S, "s = student.detach() / student_temp"))
wrong("student-detached", "all three", STEPS, (S, "s = student.detach() / student_temp"))
wrong("student-detached", "instead of the teacher, center too", STEPS, ("teacher.detach()", "teacher"), (S, "s = student.detach() / student_temp"))
wrong("student-detached", "no_grad around everything", """
def distillation_loss(student, teacher, center, student_temp, teacher_temp):
    with torch.no_grad():
        p = torch.softmax((teacher - center) / teacher_temp, dim=-1)
        return -(p * torch.log_softmax(student / student_temp, dim=-1)).sum(-1).mean()
""")
wrong("temperatures-swapped", "", STEPS, (T, "t = (t - c) / student_temp"), (S, "s = student / teacher_temp"))
wrong("temperatures-swapped", "the student's for both", STEPS, (T, "t = (t - c) / student_temp"))
wrong("temperatures-swapped", "the teacher's for both", STEPS, (S, "s = student / teacher_temp"))
wrong("temperature-ignored", "the student's", STEPS, (S, "s = student"))
wrong("temperature-ignored", "the teacher's", STEPS, (T, "t = t - c"))
wrong("temperature-ignored", "both", CROSS, (" / teacher_temp", ""), (" / student_temp", ""))
wrong("temperature-ignored", "fixed ones", CROSS, ("/ teacher_temp", "/ 0.04"), ("/ student_temp", "/ 0.1"))
wrong("multiplied", "both", STEPS, (T, "t = (t - c) * teacher_temp"), (S, "s = student * student_temp"))
wrong("multiplied", "the student's", STEPS, (S, "s = student * student_temp"))
wrong("multiplied", "the teacher's", STEPS, (T, "t = (t - c) * teacher_temp"))
wrong("temperature-late", "the student's", STEPS, (S, "s = student"), (LOGS, "logs = F.log_softmax(s, dim=-1) / student_temp"))
wrong("temperature-late", "the teacher's", STEPS, (T, "t = t - c"), (TARGETS, "targets = F.softmax(t, dim=-1) / teacher_temp"))
wrong("temperature-late", "both", STEPS, (S, "s = student"), (LOGS, "logs = F.log_softmax(s, dim=-1) / student_temp"), (T, "t = t - c"), (TARGETS, "targets = F.softmax(t, dim=-1) / teacher_temp"))
wrong("temperature-late", "the student's probabilities", STEPS, (S, "s = student"), (LOGS, "logs = torch.log(F.softmax(s, dim=-1) / student_temp)"))
wrong("temperature-late", "a power of the teacher's", STEPS, (T, "t = t - c"), (TARGETS, "targets = F.softmax(t, dim=-1) ** (1 / teacher_temp)"))
wrong("temperature-late", "powers of both", STEPS, (T, "t = t - c"), (TARGETS, "targets = F.softmax(t, dim=-1) ** (1 / teacher_temp)"), (S, "s = student"), (LOGS, "logs = (F.softmax(s, dim=-1) ** (1 / student_temp)).log()"))
wrong("temperature-late", "the teacher's, one more softmax", STEPS, (T, "t = t - c"), (TARGETS, "targets = F.softmax(F.softmax(t, dim=-1) / teacher_temp, dim=-1)"))
wrong("kl", "by hand", STEPS, (LOSS, "loss = (targets * (targets.clamp(min=1e-30).log() - logs)).sum(dim=-1)"))
wrong("kl", "kl_div", STEPS, (END, "return F.kl_div(logs.reshape(-1, len(c)), targets.reshape(-1, len(c)), reduction='batchmean')"))
wrong("kl", "kl_div, mean of everything", STEPS, (END, "return F.kl_div(logs, targets)"))
wrong("kl", "kl_div, batchmean of three axes", STEPS, (END, "return F.kl_div(logs, targets, reduction='batchmean')"))
wrong("kl", "kl_div, sum", STEPS, (END, "return F.kl_div(logs, targets, reduction='sum')"))
wrong("kl", "times the squared temperature", STEPS, (LOSS, "loss = F.kl_div(logs, targets, reduction='none').sum(-1) * student_temp ** 2"))
wrong("kl", "the other way round", STEPS, (LOSS, "loss = (logs.exp() * (logs - targets.clamp(min=1e-30).log())).sum(-1)"))
wrong("scaled", "by the squared temperature", STEPS, (END, "return loss.mean() * student_temp ** 2"))
wrong("scaled", "by the temperature", STEPS, (END, "return loss.mean() * student_temp"))
wrong("scaled", "by both", STEPS, (END, "return loss.mean() * student_temp * teacher_temp"))
wrong("scaled", "by the teacher's, squared", CROSS, (CE, CE + " * teacher_temp ** 2"))
wrong("center-added", "", STEPS, (T, "t = (t + c) / teacher_temp"))
wrong("center-added", "cross_entropy", CROSS, ("(teacher - center)", "(teacher + center)"))
wrong("center-added", "subtracted the other way round", STEPS, (T, "t = (c - t) / teacher_temp"))
wrong("center-ignored", "", STEPS, (T, "t = t / teacher_temp"))
wrong("center-ignored", "cross_entropy", CROSS, ("(teacher - center)", "teacher"))
for label, other in (("the mean of the row", "t.mean(-1, keepdim=True)"), ("the mean of the center", "c.mean()"), ("the largest of the center", "c.max()")):
    wrong("center-ignored", label, STEPS, (T, f"t = (t - {other}) / teacher_temp"))
wrong("center-late", "", STEPS, (T, "t = t / teacher_temp - c"))
wrong("center-late", "after the softmax", STEPS, (T, "t = t / teacher_temp"), (TARGETS, "targets = F.softmax(t, dim=-1) - c"))
wrong("center-late", "a bracket is missing", STEPS, (T, "t = t - c / teacher_temp"))
wrong("center-late", "before the wrong division", CROSS, ("(teacher - center) / teacher_temp", "teacher / teacher_temp - center / student_temp"))
wrong("center-on-student", "only", STEPS, (T, "t = t / teacher_temp"), (S, "s = (student - c) / student_temp"))
wrong("center-on-student", "both", STEPS, (S, "s = (student - c) / student_temp"))
wrong("center-on-student", "both, with its gradient", CROSS, ("guess = student / student_temp", "guess = (student - center) / student_temp"))
for label, other in (("the mean of the teacher", "t.reshape(-1, t.shape[-1]).mean(0)"), ("center and the teacher's mean", "c - t.reshape(-1, t.shape[-1]).mean(0)"),
                     ("softmax of the center", "c.softmax(-1)"), ("half of it", "0.5 * c"), ("twice", "2 * c"), ("0.9 of it and the mean", "0.9 * c - 0.1 * t.reshape(-1, t.shape[-1]).mean(0)")):
    wrong("other-center", label, STEPS, (T, f"t = (t - ({other})) / teacher_temp"))
for label, axis in (("first", "0"), ("second to last", "-2 if t.dim() > 1 else 0")):
    wrong("other-center", f"the teacher's mean over the {label} axis", STEPS, (T, f"t = (t - t.mean({axis}, keepdim=True)) / teacher_temp"))
wrong("other-center", "the teacher's mean over the batch, without keepdim", STEPS, (T, "t = (t - t.mean(0)) / teacher_temp"))
wrong("no-logarithm", "", STEPS, ("F.log_softmax", "F.softmax"))
wrong("no-logarithm", "one minus it", STEPS, ("F.log_softmax", "F.softmax"), (LOSS, "loss = 1 - (targets * logs).sum(dim=-1)"))
wrong("log-outside", "", STEPS, ("F.log_softmax", "F.softmax"), (LOSS, "loss = -torch.log((targets * logs).sum(dim=-1))"))
wrong("log-outside", "of the mean", STEPS, ("F.log_softmax", "F.softmax"), (LOSS, "loss = (targets * logs).sum(dim=-1)"), (END, "return -torch.log(loss.mean())"))
wrong("no-softmax", "the teacher", STEPS, (TARGETS, "targets = t"))
wrong("no-softmax", "the student", STEPS, (LOGS, "logs = s"))
wrong("no-softmax", "a sigmoid for the teacher", STEPS, (TARGETS, "targets = torch.sigmoid(t)"))
wrong("no-softmax", "a logarithm only", STEPS, (LOGS, "logs = s.abs().log()"))
wrong("no-softmax", "log of a sigmoid", STEPS, (LOGS, "logs = F.logsigmoid(s)"))
wrong("no-softmax", "log_softmax twice for the teacher", STEPS, (TARGETS, "targets = F.log_softmax(t, dim=-1)"))
wrong("no-softmax", "cross_entropy of probabilities", CROSS, ("guess = student / student_temp", "guess = (student / student_temp).softmax(-1)"))
wrong("no-softmax", "a softmax twice for the student", STEPS, (LOGS, "logs = F.log_softmax(F.softmax(s, dim=-1), dim=-1)"))
wrong("no-softmax", "a softmax twice for the teacher", STEPS, (TARGETS, "targets = F.softmax(F.softmax(t, dim=-1), dim=-1)"))
wrong("roles-swapped", "", STEPS, (LOSS, "loss = -(F.softmax(s, dim=-1) * F.log_softmax(t, dim=-1)).sum(dim=-1)"))
wrong("roles-swapped", "the arguments are exchanged", STEPS, ("t = teacher.detach()", "t, student = student, teacher.detach()"))
wrong("roles-swapped", "cross_entropy", CROSS, (CE, "F.cross_entropy(((teacher - center) / teacher_temp).reshape(-1, D), guess.softmax(-1).reshape(-1, D))"))
wrong("roles-swapped", "names only: the center leaves the other", STEPS, (T, "t = t / teacher_temp"), (S, "s = (student - c) / student_temp"), (LOSS, "loss = -(F.softmax(s, dim=-1) * F.log_softmax(t, dim=-1)).sum(dim=-1)"))
wrong("softmax-axis", "both, over the first", STEPS, (TARGETS, "targets = F.softmax(t, dim=0)"), (LOGS, "logs = F.log_softmax(s, dim=0)"))
wrong("softmax-axis", "the teacher's", STEPS, (TARGETS, "targets = F.softmax(t, dim=0)"))
wrong("softmax-axis", "the student's", STEPS, (LOGS, "logs = F.log_softmax(s, dim=0)"))
wrong("softmax-axis", "axis 1", STEPS, (TARGETS, "targets = F.softmax(t, dim=1)"), (LOGS, "logs = F.log_softmax(s, dim=1)"))
wrong("softmax-axis", "axis 1, summed there", STEPS, (TARGETS, "targets = F.softmax(t, dim=1)"), (LOGS, "logs = F.log_softmax(s, dim=1)"), (LOSS, "loss = -(targets * logs).sum(dim=1)"))
wrong("softmax-axis", "all values", STEPS, (TARGETS, "targets = F.softmax(t.flatten(), 0).view_as(t)"), (LOGS, "logs = F.log_softmax(s.flatten(), 0).view_as(s)"))
wrong("softmax-axis", "cross_entropy of three axes", CROSS, (CE, "F.cross_entropy(guess, truth)"))
wrong("sum", "", STEPS, (END, "return loss.sum()"))
wrong("sum", "cross_entropy", CROSS, (CE, CE[:-1] + ", reduction='sum')"))
wrong("sum", "over all but the first axis", STEPS, (END, "return loss.flatten(1).sum(1).mean() if loss.dim() > 1 else loss.sum()"))
wrong("mean-over-outputs", "", STEPS, (LOSS, "loss = -(targets * logs)"))
wrong("mean-over-outputs", "in two steps", STEPS, (".sum(dim=-1)", ".mean(dim=-1)"))
wrong("divided-by-first", "", STEPS, (END, "return loss.sum() / student.shape[0]"))
wrong("divided-by-first", "the last leading axis", STEPS, (END, "return loss.sum() / loss.shape[-1]"))
wrong("divided-by-first", "summed over the others", STEPS, (END, "return loss.mean(dim=0).sum()"))
wrong("divided-by-first", "the second", STEPS, (END, "return loss.sum() / student.shape[1]"))
wrong("not-averaged", "", STEPS, (END, "return loss"))
wrong("not-averaged", "the first axis alone", STEPS, (END, "return loss.mean(dim=0)"))
wrong("not-averaged", "the last axis alone", STEPS, (END, "return loss.mean(dim=-1)"))
wrong("not-averaged", "cross_entropy", CROSS, (CE, CE[:-1] + ", reduction='none')"))
wrong("not-averaged", "the mean over the batch, for each output", STEPS, (LOSS, "loss = -(targets * logs)"), (END, "return loss.mean(dim=0)"))
wrong("sign", "", STEPS, (LOSS, "loss = (targets * logs).sum(dim=-1)"))
wrong("sign", "cross_entropy", CROSS, ("return F", "return -F"))
wrong("hard-targets", "", STEPS, (TARGETS, "targets = F.one_hot(t.argmax(-1), t.shape[-1]).to(t.dtype)"))
wrong("hard-targets", "cross_entropy", CROSS, (CE, "F.cross_entropy(guess.reshape(-1, D), truth.reshape(-1, D).argmax(-1))"))
wrong("hard-targets", "times its probability", STEPS, (LOSS, "loss = -(targets * logs).amax(-1)"))
wrong("hard-targets", "of the raw teacher", CROSS, (CE, "F.cross_entropy(guess.reshape(-1, D), teacher.reshape(-1, D).argmax(-1))"))
wrong("squared-difference", "probabilities", STEPS, (END, "return F.mse_loss(F.softmax(s, dim=-1), targets)"))
wrong("squared-difference", "logits", STEPS, (END, "return F.mse_loss(s, t)"))
wrong("squared-difference", "probabilities, summed", STEPS, (LOSS, "loss = (targets - logs.exp()).square().sum(dim=-1)"))
wrong("squared-difference", "logits, summed", STEPS, (LOSS, "loss = (s - t).square().sum(dim=-1)"))
wrong("squared-difference", "absolute", STEPS, (LOSS, "loss = (targets - logs.exp()).abs().sum(dim=-1)"))
wrong("squared-difference", "raw logits", STEPS, (END, "return F.mse_loss(student, teacher.detach())"))
wrong("needs-batch", "two sizes are read", STEPS, ("t = teacher.detach()", "B, D = student.shape\n    t = teacher.detach()"), (END, "return loss.sum() / B"))
wrong("needs-batch", "einsum", STEPS, (LOSS, "loss = -torch.einsum('bd,bd->b', targets, logs)"))
wrong("needs-batch", "axis 1 is summed", STEPS, (LOSS, "loss = -(targets * logs).sum(dim=1)"))
wrong("needs-batch", "a loop over rows", LOOP, ("zip(student.reshape(-1, D), teacher.detach().reshape(-1, D))", "zip(student, teacher.detach())"), ("losses.append(torch.logsumexp(z, 0) - (p * z).sum())", "losses.append(F.cross_entropy(z, p))"))
wrong("needs-batch", "axes by number", CROSS, ("D = student.shape[-1]", "D = student.shape[1]"))
wrong("needs-batch", "not without an axis", CROSS, ("D = student.shape[-1]", "D = student.shape[max(1, student.dim() - 1)]"))
wrong("needs-batch", "the first size", STEPS, (END, "return loss.sum() / (student.shape[:-1].numel() if student.dim() > 1 else student.shape[0])"))
wrong("overflow", "log of a softmax", STEPS, (LOGS, "logs = torch.log(F.softmax(s, dim=-1))"))
wrong("overflow", "exp over a sum", STEPS, (LOGS, "logs = torch.log(s.exp() / s.exp().sum(-1, keepdim=True))"))
wrong("overflow", "log of a sum of exp", STEPS, (LOGS, "logs = s - s.exp().sum(-1, keepdim=True).log()"))
wrong("overflow", "the teacher's exponentials", STEPS, (TARGETS, "targets = t.exp() / t.exp().sum(-1, keepdim=True)"))
for small in (1e-16, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5):
    wrong("overflow", f"{small} in the logarithm", STEPS, (LOGS, f"logs = torch.log(F.softmax(s, dim=-1) + {small})"))
for small in (1e-10, 1e-9, 1e-8, 1e-7, 1e-6):
    wrong("overflow", f"at least {small} in the logarithm", STEPS, (LOGS, f"logs = torch.log(F.softmax(s, dim=-1).clamp(min={small}))"))
wrong("overflow", "a small number in the logarithm", STEPS, (LOGS, "logs = torch.log(F.softmax(s, dim=-1) + 1e-10)"))
wrong("overflow", "clamped probabilities", STEPS, (LOGS, "logs = torch.log(F.softmax(s, dim=-1).clamp(min=1e-12))"))
wrong("dtype-fixed", "", STEPS, (END, "return loss.mean().float()"))
wrong("dtype-fixed", "everything", STEPS, ("teacher.detach()", "teacher.detach().float()"), ("center.detach()", "center.detach().float()"), (S, "s = student.float() / student_temp"))
wrong("changes-input", "", STEPS, ("t = (t - c) / teacher_temp", "t -= c\n    t = t / teacher_temp"))
wrong("changes-input", "the teacher and the student", STEPS, ("t = (t - c) / teacher_temp", "t -= c\n    t /= teacher_temp"), (S, "student.data /= student_temp\n    s = student"))
wrong("changes-input", "the center", STEPS, ("t = (t - c) / teacher_temp", "t = (t - c) / teacher_temp\n    c.mul_(0.9).add_(teacher.detach().reshape(-1, len(c)).mean(0), alpha=0.1)"))
wrong("returns-nothing", "", STEPS, ("    return loss.mean()\n", ""))
wrong("ready-made", "the library's", """
def distillation_loss(student, teacher, center, student_temp, teacher_temp):
    from allyouneed.models.dino import distillation_loss as loss
    return loss(student, teacher, center, student_temp, teacher_temp)
""")
wrong("ready-made", "from an invented library", """
def distillation_loss(student, teacher, center, student_temp, teacher_temp):
    import transformers.losses
    return transformers.losses.distillation_loss(student, teacher)
""")
