"""compute_optimal: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "compute_optimal",
    points={"valleys": 3, "any order": 1},
    section="compute-optimal-runs",
    any_float=True,
)


@exercise.probes
def probes(make):
    def valleys(budgets, counts, a, b, wobble=0.06, noise=0.002, width=1.0, shuffled=False,
                aside=0.0):
        """Runs around a best size for each budget. The sizes are not spread evenly about it, and the loss is
        no parabola but near it, so that other fits give other sizes."""
        runs = []
        for place, (budget, count) in enumerate(zip(budgets, counts)):
            best = a * math.log10(budget) + b + wobble * float(make.randn(1))
            spread = [width * (-0.55 + 1.05 * step / (count - 1) + 0.11 * (place % 3 - 1))
                      - aside * (place == 0) for step in range(count)]
            shakes = make.randn(count, scale=noise).tolist()
            height, curve = 3.6 - 0.23 * place, 0.2 + 0.05 * (place % 2)
            losses = [height + curve * x**2 - 0.05 * x**3 + shake for x, shake in zip(spread, shakes)]
            runs += [(float(budget), round(10 ** (best + x)), loss) for x, loss in zip(spread, losses)]
        if shuffled:
            runs = [runs[place] for place in torch.randperm(len(runs), generator=make.generator).tolist()]
        return runs

    core, order, pick = {"group": "valleys"}, {"group": "any order"}, make.pick
    budgets = pick((1e17, 1e18, 1e19), (1e16, 1e18, 1e20), (3e17, 3e18, 3e19))
    runs = valleys(budgets, (5, 6, 7), pick(0.48, 0.55, 0.52), pick(-0.6, -1.2, -0.9))
    yield make.probe("three budgets", runs, **core)
    counts = pick((5, 4, 7, 5, 4), (4, 6, 5, 7, 4), (6, 4, 5, 4, 7))
    runs = valleys((3e10, 1e11, 4e11, 1e12, 5e12), counts, pick(0.42, 0.45, 0.4), pick(0.3, -0.1, 0.4))
    yield make.probe("five budgets of small models", runs, **core)
    budgets = pick((6e18, 1e19, 6e20, 3e21), (4e18, 3e19, 8e20, 2e21), (5e18, 4e19, 1e20, 4e21))
    counts = pick((9, 4, 5, 6), (5, 8, 4, 6), (4, 5, 9, 6))
    runs = valleys(budgets, counts, pick(0.51, 0.47, 0.55), pick(-0.8, 0.1, -1.5))
    yield make.probe("four budgets, unevenly apart", runs, **core)
    budgets, counts = pick((1e15, 1e17), (2e15, 3e17), (1e16, 5e17)), pick((6, 4), (4, 7), (5, 4))
    yield make.probe("two budgets", valleys(budgets, counts, 0.5, pick(-0.5, -0.3, -0.7)), edge=True, **core)
    runs = valleys((1e18, 1e19, 1e20), (3, 3, 3), pick(0.5, 0.6, 0.55), -0.9)
    yield make.probe("three runs for each budget", runs, edge=True, **core)
    runs = valleys((1e18, 1e19, 1e20), (6, 5, 7), pick(0.5, 0.55, 0.45), pick(-0.8, -1.1, -0.2), aside=1.0)
    yield make.probe("a budget whose sizes are all too small", runs, edge=True, **core)

    counts = pick((5, 7, 4, 6), (6, 4, 7, 5), (7, 5, 6, 4))
    a, b = pick((0.5, -0.7), (0.53, -1.0), (0.46, 0.2))
    runs = valleys((1e18, 1e19, 1e20, 1e21), counts, a, b, shuffled=True)
    yield make.probe("in no order", runs, **order)
    runs = valleys((1e21, 1e19, 1e18), pick((4, 6, 7), (7, 4, 5), (5, 7, 4)), pick(0.49, 0.56, 0.44), -0.4)
    yield make.probe("largest budget first", runs, **order)
    runs = valleys((1e22, 1e24, 1e26), (5, 6, 4), 0.5, pick(-0.8, -0.6, -1.0), noise=1e-5, width=0.5)
    yield make.probe("narrow valleys of large models", runs, edge=True, **order)
    runs = valleys((1e12, 1e13, 1e14), (4, 5, 6), pick(0.5, 0.45, 0.55), pick(0.1, 0.4, -0.2))
    yield make.probe("runs as lists", [list(run) for run in runs], edge=True, **order)


@exercise.right
def reference(runs):
    budgets = {}
    for flops, parameters, loss in runs:
        budgets.setdefault(flops, []).append((math.log10(parameters), loss))
    x, y = [], []
    for flops, points in budgets.items():
        sizes, losses = torch.tensor(points, dtype=torch.float64).T
        middle = sizes.mean()
        columns = torch.stack([(sizes - middle) ** 2, sizes - middle, torch.ones_like(sizes)], dim=1)
        curve, slope, _ = (torch.linalg.pinv(columns) @ losses).tolist()
        x.append(math.log10(flops))
        y.append(middle.item() - slope / (2 * curve))
    x, y = torch.tensor(x, dtype=torch.float64), torch.tensor(y, dtype=torch.float64)
    a = (((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()).item()
    return a, y.mean().item() - a * x.mean().item()


@exercise.right("numpy's polyfit, twice")
def polyfit(runs):
    import numpy as np
    runs = [tuple(run) for run in runs]
    log_c, log_n = [], []
    for flops in sorted({run[0] for run in runs}):
        n = np.array([run[1] for run in runs if run[0] == flops], dtype=float)
        loss = np.array([run[2] for run in runs if run[0] == flops])
        p, q, r = np.polyfit(np.log10(n), loss, 2)
        log_c.append(np.log10(flops))
        log_n.append(-q / (2 * p))
    a, b = np.polyfit(log_c, log_n, 1)
    return a, b


@exercise.right("natural logarithms, turned back at the end")
def natural(runs):
    import numpy as np
    table = np.array(sorted(map(tuple, runs)), dtype=float)
    points = []
    for flops in np.unique(table[:, 0]):
        _, n, loss = table[table[:, 0] == flops].T
        fit = np.polynomial.Polynomial.fit(np.log(n), loss, 2)
        points.append((np.log(flops), fit.deriv().roots()[0]))
    x, y = np.array(points).T
    a = np.cov(x, y)[0, 1] / np.var(x, ddof=1)
    b = (y.mean() - a * x.mean()) / np.log(10)
    return float(a), float(b)


@exercise.right("normal equations, plain Python")
def plain(runs):
    groups = {}
    for c, n, loss in runs:
        groups[c] = groups.get(c, []) + [(math.log10(n), loss)]
    points = []
    for c in groups:
        m = sum(u for u, _ in groups[c]) / len(groups[c])

        def S(power, with_loss=False):
            return sum((u - m) ** power * (v if with_loss else 1) for u, v in groups[c])

        matrix = torch.tensor([[S(4), S(3), S(2)], [S(3), S(2), S(1)], [S(2), S(1), S(0)]],
            dtype=torch.float64)
        right = torch.tensor([S(2, True), S(1, True), S(0, True)], dtype=torch.float64)
        p, q, _ = torch.linalg.solve(matrix, right).tolist()
        points.append((math.log10(c), m - q / (2 * p)))
    k = len(points)
    sx, sy = sum(p[0] for p in points), sum(p[1] for p in points)
    sxx, sxy = sum(p[0] ** 2 for p in points), sum(p[0] * p[1] for p in points)
    a = (k * sxy - sx * sy) / (k * sxx - sx**2)
    return [a, (sy - a * sx) / k]


exercise.also_right(
    edit(polyfit, {"return a, b": "return torch.tensor(a), torch.tensor(b)"}, "two tensors"),
    edit(polyfit, {"a, b = np.polyfit(log_c, log_n, 1)":
                   "(a, b), *_ = np.linalg.lstsq(np.stack([log_c, np.ones(len(log_c))], 1), "
                   "np.array(log_n), rcond=None)"},
         "numpy's lstsq for the line"))


exercise.mistake("lowest-run", "compute-optimal-runs",
    "The size of the run with the lowest loss is taken for the best. The sizes that were tried lie far "
    "apart, and one lucky run decides: fit a parabola to all runs of the budget, and take its lowest "
    "point.",
    edit(polyfit, {"p, q, r = np.polyfit(np.log10(n), loss, 2)": "",
                   "-q / (2 * p)": "np.log10(n[loss.argmin()])"}))

exercise.mistake("one-run-of-each", "compute-optimal-runs",
    "One run of each budget is kept, the last or the first. All of them count: collect them in a list "
    "for each budget.",
    edit(polyfit, {"p, q, r = np.polyfit(np.log10(n), loss, 2)": "", "-q / (2 * p)": "np.log10(n[-1])"}),
    edit(polyfit, {"p, q, r = np.polyfit(np.log10(n), loss, 2)": "", "-q / (2 * p)": "np.log10(n[0])"},
         "the first"))

exercise.mistake("not-a-line-of-logarithms", "compute-optimal-runs",
    "The straight line runs through budgets or sizes without a logarithm. Both axes are decimal "
    "logarithms.",
    edit(polyfit, {"np.log10(flops)": "flops"}, "budgets"),
    edit(polyfit, {"-q / (2 * p)": "10 ** (-q / (2 * p))"}, "sizes"),
    edit(polyfit, {"np.log10(flops)": "flops", "-q / (2 * p)": "10 ** (-q / (2 * p))"}, "both"),
    edit(polyfit, {"np.log10(n), loss": "n, loss"}, "sizes, in the parabola too"))

exercise.mistake("fit-in-size", "compute-optimal-runs",
    "The parabola runs over the sizes themselves. It is a parabola over their logarithms: sizes lie "
    "apart by factors.",
    edit(polyfit, {"np.polyfit(np.log10(n), loss, 2)": "np.polyfit(n / n.max(), loss, 2)",
                   "-q / (2 * p)": "np.log10(max(-q / (2 * p), 1e-9) * n.max())"}))

exercise.mistake("mixed-logarithms", "compute-optimal-runs",
    "Logarithms of two bases are mixed: of the two axes of the line, one has decimal logarithms and the "
    "other natural ones, or those to the base 2. Take log10 for both.",
    edit(polyfit, {"np.log10(n), loss": "np.log(n), loss"}, "sizes by the natural one"),
    edit(polyfit, {"np.log10(flops)": "np.log(flops)"}, "budgets by the natural one"),
    edit(natural, {"np.log(flops)": "np.log10(flops)"}, "in the other version"),
    edit(polyfit, {"np.log10(n), loss": "np.log2(n), loss"}, "sizes to the base 2"),
    edit(polyfit, {"np.log10(flops)": "np.log2(flops)"}, "budgets to the base 2"))

exercise.mistake("natural-b", "compute-optimal-runs",
    "The exponent a is right, and b belongs to natural logarithms. With log10 on both axes it is smaller "
    "by the factor 2.303.",
    edit(natural, {" / np.log(10)": ""}),
    edit(polyfit, {every("log10"): "log"}, "polyfit"),
    edit(polyfit, {every("log10"): "log2"}, "logarithms to the base 2"))

exercise.mistake("factor-for-b", "compute-optimal-runs",
    "b comes back as a factor, 10 to the power b. Return b itself: where the line meets the axis.",
    edit(polyfit, {"return a, b": "return a, 10**b"}),
    edit(polyfit, {"return a, b": "return a, np.exp(b)"}, "e to the power b"))

exercise.mistake("order", "compute-optimal-runs",
    "The two numbers are right, but in the other order. Return (a, b), the slope first.",
    edit(polyfit, {"return a, b": "return b, a"}))

exercise.mistake("line-turned-round", "compute-optimal-runs",
    "The line says the budget from the size. The best size as a function of the budget is asked for: "
    "log10 C is the horizontal axis.",
    edit(polyfit, {"polyfit(log_c, log_n, 1)": "polyfit(log_n, log_c, 1)"}),
    edit(polyfit, {"return a, b": "a, b = np.polyfit(log_n, log_c, 1)\nreturn 1 / a, -b / a"},
         "and solved for the size"))

exercise.mistake("vertex-formula", "compute-optimal-runs",
    "The lowest point of the parabola p·x² + q·x + r is taken at another place than its own: its slope "
    "2·p·x + q is 0 there. Look at the sign, at the 2, and at the order in which the fit returns its "
    "numbers.",
    edit(polyfit, {"-q / (2 * p)": "q / (2 * p)"}, "sign"),
    edit(polyfit, {"-q / (2 * p)": "-q / p"}, "without the 2"),
    edit(polyfit, {"-q / (2 * p)": "-q / 2 * p"}, "without brackets"),
    edit(polyfit, {"p, q, r = np": "r, q, p = np"}, "numbers in the other order"),
    edit(polyfit, {"-q / (2 * p)": "-p / (2 * q)"}, "turned round"),
    edit(polyfit, {"-q / (2 * p)": "-r / (2 * q)"}, "with the last number"),
    edit(reference, {"() - slope": "() + slope"}, "sign, from the middle of the sizes"),
    edit(reference, {"(2 * curve)": "curve"}, "without the 2, from the middle"),
    edit(reference, {"(2 * curve)": "2 * curve"}, "without brackets, from the middle"),
    edit(polyfit, {"-q / (2 * p)": "-q * (2 * p)"}, "multiplied"),
    edit(polyfit, {"-q / (2 * p)": "-2 * p / q"}, "upside down"),
    edit(polyfit, {"-q / (2 * p)": "-r / (2 * p)"}, "with the constant"),
    edit(polyfit, {"-q / (2 * p)": "-q / 2"}, "without the curvature"),
    edit(reference, {"slope / (2": "slope * (2"}, "multiplied, from the middle"),
    edit(reference, {"slope / (2 * curve)": "2 * curve / slope"}, "upside down, from the middle"),
    edit(reference, {"- slope / (2": "- _ / (2"}, "with the constant, from the middle"))

exercise.mistake("powers-of-the-sizes", "compute-optimal-runs",
    "What is fitted is no parabola: its three columns are (log10 N)², log10 N and 1, each of them counted from "
    "the same middle.",
    edit(reference, {"(sizes - middle) ** 2,": "(sizes - middle) * 2,"}, "twice"),
    edit(reference, {"(sizes - middle) ** 2,": "(sizes - middle) ** 3,"}, "a cube"),
    edit(reference, {"(sizes - middle) ** 2,": "(sizes + middle) ** 2,"}, "the sum"),
    edit(reference, {"torch.ones_like(sizes)": "sizes"}, "no column of ones"),
    edit(natural, {"loss, 2)": "loss, 3)"}, "a cubic whose first root counts"))

exercise.mistake("parabola-turned-round", "compute-optimal-runs",
    "The parabola gives the size from the loss. It gives the loss from the size: log10 N is its horizontal "
    "axis.",
    edit(polyfit, {"np.log10(n), loss, 2": "loss, np.log10(n), 2"}))

exercise.mistake("slope-of-the-line", "compute-optimal-runs",
    "a is not the slope of least squares: the sum of the products of both deviations, divided by the sum of "
    "the squared deviations of log10 C. Take sums in both, or means in both; np.cov divides by n − 1, and "
    "np.var by n.",
    edit(natural, {", ddof=1": ""}),
    edit(natural, {"var(x": "var(y"}, "the sizes' variance"),
    edit(natural, {" / np.var(x, ddof=1)": ""}, "not divided"),
    edit(reference, {"** 2).sum()": "** 2).mean()"}, "a sum over a mean"),
    edit(reference, {" / ((x - x.mean()) ** 2).sum()": ""}, "a sum that is not divided"),
    edit(plain, {"(k * sxy": "(sxy"}, "the number of budgets left out"),
    edit(plain, {"(k * sxx": "(sxx"}, "the number of budgets left out below"),
    edit(plain, {"- sx * sy": "+ sx * sy"}, "sign"),
    edit(plain, {"- sx**2": "+ sx**2"}, "sign below"),
    edit(plain, {" - sx * sy": ""}, "the means left out"),
    edit(plain, {"- sx**2": "- sx * 2"}, "not squared"),
    edit(plain, {"- sx**2": "- sy**2"}, "the sizes' sum squared"),
    edit(plain, {"- sx * sy": "- sx * sx"}, "the budgets' sum twice"),
    edit(plain, {"- sx * sy": "- sy * sy"}, "the sizes' sum twice"),
    edit(plain, {"sx * sy) / (k": "sx * sy) * (k"}, "multiplied"),
    edit(reference, {"mean())).sum()": "mean())).mean()"}, "a mean over a sum"),
    edit(reference, {".sum() / ((x": ".sum() * ((x"}, "multiplied, from the middle"),
    edit(reference, {"((x - x.mean()) ** 2)": "((x - x.mean()) * 2)"}, "not squared, from the middle"),
    edit(reference, {"((x - x.mean()) ** 2)": "((x + x.mean()) ** 2)"}, "the sum squared"),
    edit(reference, {"((x - x.mean()) ** 2)": "((y - x.mean()) ** 2)"}, "the sizes' deviations"),
    edit(natural, {"var(x": "std(x"}, "the standard deviation"),
    edit(natural, {"[0, 1]": "[1, 1]"}, "the sizes' variance above"))

exercise.mistake("one-axis-twice", "compute-optimal-runs",
    "Sizes are fitted against sizes, or budgets against budgets, so a is 1. The line says log10 N* from log10 C.",
    edit(polyfit, {"polyfit(log_c, log_n, 1)": "polyfit(log_n, log_n, 1)"}))

exercise.mistake("one-number-twice", "compute-optimal-runs",
    "The same number comes back twice. Return (a, b), slope and intercept.",
    edit(polyfit, {"return a, b": "return a, a"}),
    edit(polyfit, {"return a, b": "return b, b"}, "the intercept"))

exercise.mistake("intercept", "compute-optimal-runs",
    "a is right, b is not: the line runs through the mean of all points, so b is the mean of log10 N* less a "
    "times the mean of log10 C.",
    edit(reference, {"() - a *": "() + a *"}, "sign"),
    edit(reference, {" - a * x.mean().item()": ""}, "the mean alone"),
    edit(reference, {" - a * x": " - x"}, "without a"),
    edit(reference, {"() - a * x.mean().item()": "() - a"}, "without the mean"),
    edit(plain, {"a * sx) / k": "a * sx)"}, "the sum"),
    edit(plain, {"a * sx) / k": "a * sx) * k"}, "multiplied"),
    edit(plain, {"(sy - a * sx)": "(sy - a / sx)"}, "divided by the sum"),
    edit(reference, {"() - a * x": "() - a / x"}, "divided by the mean"),
    edit(reference, {"() - a * x": "() - a * y"}, "the sizes' mean twice"),
    edit(reference, {"a, y.mean": "a, x.mean"}, "the budgets' mean twice"))

exercise.mistake("loss-for-size", "compute-optimal-runs",
    "The lowest loss of each budget is fitted. The size at which it is lowest is asked for.",
    edit(polyfit, {"-q / (2 * p)": "r - q**2 / (4 * p)"}),
    edit(polyfit, {"-q / (2 * p)": "np.log10(r - q**2 / (4 * p))"}, "its logarithm"),
    edit(polyfit, {"-q / (2 * p)": "loss.min()"}, "of the runs"),
    edit(polyfit, {"-q / (2 * p)": "np.log10(loss.min())"}, "of the runs, its logarithm"))

exercise.mistake("runs-weigh", "compute-optimal-runs",
    "A budget with more runs weighs more in the line. Each budget gives one point.",
    edit(polyfit, {"log_c.append(np.log10(flops))": "log_c += [np.log10(flops)] * len(n)",
                   "log_n.append(-q / (2 * p))": "log_n += [-q / (2 * p)] * len(n)"}),
    edit(polyfit, {"log_n, 1)": "log_n, 1, w=[sum(run[0] == c for run in runs) "
                                "for c in sorted({r[0] for r in runs})])"},
         "weights of polyfit"))

exercise.mistake("kept-inside", "compute-optimal-runs",
    "The lowest point is moved back to the sizes that were tried where it lies outside of them. Take it "
    "where the parabola has it.",
    edit(polyfit, {"append(-q / (2 * p))":
                   "append(np.clip(-q / (2 * p), np.log10(n.min()), np.log10(n.max())))"}))


IN_32_BITS = ("import numpy as np\n"
              "groups = {}\n"
              "for c, n, loss in runs:\n"
              "    groups.setdefault(c, []).append((math.log10(n), loss))\n"
              "x, y = [], []\n"
              "for c, rows in groups.items():\n"
              "    size, loss = torch.tensor(rows).T\n"
              "    A = torch.stack([size**2, size, torch.ones_like(size)], 1)\n"
              "    p, q, _ = SOLVED.tolist()\n"
              "    x.append(math.log10(c))\n"
              "    y.append(-q / (2 * p))\n"
              "return tuple(np.polyfit(x, y, 1).tolist())")

exercise.mistake("32-bits", "compute-optimal-runs",
    "It is nearly right, but large models are wrong: torch.tensor of Python's floats has 32 bits, and the "
    "columns x² and x are nearly proportional. Take dtype=torch.float64.",
    # not lstsq, whose numbers are other ones from run to run here
    full(IN_32_BITS.replace("SOLVED", "(torch.linalg.pinv(A) @ loss)"), "pinv"),
    full(IN_32_BITS.replace("SOLVED", "torch.linalg.solve(A.T @ A, A.T @ loss)"), "normal equations"))

exercise.mistake("all-runs-in-the-line", "compute-optimal-runs",
    "The line runs through all runs, good and bad. First find the best size of each budget; the line "
    "runs through these.",
    full("import numpy as np\n"
         "c, n, loss = np.array([tuple(run) for run in runs], dtype=float).T\n"
         "a, b = np.polyfit(np.log10(c), np.log10(n), 1)\n"
         "return a, b"),
    edit(polyfit, {"p, q, r = np.polyfit(np.log10(n), loss, 2)": "", "-q / (2 * p)": "np.log10(n).mean()"},
         "the mean size of each budget"),
    edit(polyfit, {"p, q, r = np.polyfit(np.log10(n), loss, 2)": "", "-q / (2 * p)": "np.log10(n.mean())"},
         "the logarithm of the mean size"))

exercise.mistake("middle-by-rank", "compute-optimal-runs",
    "The middle of the sizes that were tried is taken for the best. Where the loss is lowest decides: "
    "fit a parabola.",
    edit(polyfit, {"p, q, r = np.polyfit(np.log10(n), loss, 2)": "",
                   "-q / (2 * p)": "np.log10(np.median(n))"}))

exercise.mistake("three-lowest", "compute-optimal-runs",
    "The parabola runs through three runs alone. Fit it to all runs of the budget, so that no single one "
    "decides.",
    edit(polyfit, {"p, q, r =": "best = np.sort(loss.argsort()[:3])\np, q, r =",
                   "np.polyfit(np.log10(n), loss, 2)": "np.polyfit(np.log10(n[best]), loss[best], 2)"},
                       "the lowest"),
    edit(polyfit, {"p, q, r =": "middle = min(max(loss.argmin(), 1), len(n) - 2)\nbest = slice(middle - 1, "
                                "middle + 2)\n"
                   "p, q, r =",
                   "np.polyfit(np.log10(n), loss, 2)": "np.polyfit(np.log10(n[best]), loss[best], 2)"},
         "the lowest and its neighbours"),
    edit(polyfit, {"p, q, r =": "rows = n.argsort()\nn, loss = n[rows], loss[rows]\n"
                   "middle = min(max(loss.argmin(), 1), len(n) - 2)\nbest = slice(middle - 1, middle + "
                   "2)\np, q, r =",
                   "np.polyfit(np.log10(n), loss, 2)": "np.polyfit(np.log10(n[best]), loss[best], 2)"},
         "the lowest and its neighbours, sorted"),
    edit(polyfit, {"p, q, r =": "rows = n.argsort()\nn, loss = n[rows], loss[rows]\nmiddle = loss.argmin()\n"
                   "best = slice(middle - 1, middle + 2)\np, q, r =",
                   "np.polyfit(np.log10(n), loss, 2)": "np.polyfit(np.log10(n[best]), loss[best], 2)"},
         "the lowest and its neighbours, sorted, whatever the place"))

exercise.mistake("another-curve", "compute-optimal-runs",
    "The lowest point is that of another curve than a parabola, of a cubic or of lines between the runs, "
    "or the nearest of a few places. Fit a parabola, and take the place where its slope is 0.",
    edit(polyfit, {"p, q, r = np.polyfit(np.log10(n), loss, 2)":
                   "found = np.roots(np.polyder(np.polyfit(np.log10(n), loss, 3)))",
                   "-q / (2 * p)": "found[np.argmin(abs(found - np.log10(n).mean()))].real"}, "a cubic"),
    edit(polyfit, {"p, q, r =": "grid = np.linspace(np.log10(n.min()), np.log10(n.max()), 50)\nfit =",
                   "-q / (2 * p)": "grid[np.polyval(fit, grid).argmin()]"}, "50 places"),
    edit(polyfit, {"p, q, r =": "grid = np.linspace(np.log10(n.min()), np.log10(n.max()), 100)\nfit =",
                   "-q / (2 * p)": "grid[np.polyval(fit, grid).argmin()]"}, "100 places"),
    edit(polyfit, {"p, q, r =": "grid = np.linspace(np.log10(n.min()), np.log10(n.max()), 1000)\nfit =",
                   "-q / (2 * p)": "grid[np.polyval(fit, grid).argmin()]"}, "1,000 places"))

exercise.mistake("logarithm-of-the-loss", "compute-optimal-runs",
    "The parabola is fitted to the logarithm of the loss, or to its square. Take the loss itself.",
    edit(polyfit, {"np.log10(n), loss, 2": "np.log10(n), np.log10(loss), 2"}),
    edit(polyfit, {"np.log10(n), loss, 2": "np.log10(n), loss**2, 2"}, "the square"))

exercise.mistake("weighted-by-loss", "compute-optimal-runs",
    "The best size is a mean of sizes, weighted by how low their loss is. Fit a parabola, and take its "
    "lowest point.",
    edit(polyfit, {"p, q, r = np.polyfit(np.log10(n), loss, 2)": "w = np.exp(-loss)",
                   "-q / (2 * p)": "(w * np.log10(n)).sum() / w.sum()"}, "softmax"),
    edit(polyfit, {"p, q, r = np.polyfit(np.log10(n), loss, 2)": "w = 1 / loss",
                   "-q / (2 * p)": "(w * np.log10(n)).sum() / w.sum()"}, "by 1 / loss"))

exercise.mistake("middle-not-added", "compute-optimal-runs",
    "The mean of the sizes' logarithms is subtracted before the fit and not added afterwards. So the lowest "
    "point is counted from the middle of the sizes that were tried: add their mean to it.",
    edit(reference, {"middle.item() - slope": "-slope"}),
    edit(plain, {"m - q / (2 * p)": "-q / (2 * p)"}, "plain Python"))

exercise.mistake("numbers-of-a-run-exchanged", "compute-optimal-runs",
    "The numbers of a run are read in another order. They are the budget, the parameters and the loss, in "
    "this order: runs of one budget belong together.",
    edit(plain, {"for c, n, loss in runs": "for c, loss, n in runs"}, "loss and parameters"),
    full("import numpy as np\n"
         "groups = {}\n"
         "for n, c, loss in runs:\n"
         "    groups.setdefault(c, []).append((math.log10(n), loss))\n"
         "x, y = [], []\n"
         "for c in sorted(groups):\n"
         "    n, loss = np.array(groups[c]).T\n"
         "    p, q, r = np.polyfit(n, loss, 2)\n"
         "    x.append(math.log10(c))\n"
         "    y.append(-q / (2 * p))\n"
         "return tuple(np.polyfit(x, y, 1).tolist())", "parameters and budget"))

exercise.mistake("through-the-first-point", "compute-optimal-runs",
    "a is right, and b is that of a line through the first budget's point alone, or through the last one's. "
    "The line of least squares need not meet any point: it runs through the mean of all.",
    edit(polyfit, {"a, b = np.polyfit(log_c, log_n, 1)":
                   "a, b = np.polyfit(log_c, log_n, 1)\nb = log_n[0] - a * log_c[0]"}),
    edit(polyfit, {"a, b = np.polyfit(log_c, log_n, 1)":
                   "a, b = np.polyfit(log_c, log_n, 1)\nb = log_n[-1] - a * log_c[-1]"}, "the last"),
    edit(polyfit, {"sorted({run[0] for run in runs})": "dict.fromkeys(run[0] for run in runs)",
                   "a, b = np.polyfit(log_c, log_n, 1)":
                   "a, b = np.polyfit(log_c, log_n, 1)\nb = log_n[0] - a * log_c[0]"}, "as they come"))

exercise.mistake("first-and-last-budget", "compute-optimal-runs",
    "The line runs through two budgets alone, the first and the last, or its slope is a mean of slopes "
    "between neighbours. All budgets count: least squares.",
    edit(polyfit, {"a, b = np.polyfit(log_c, log_n, 1)":
                   "a = (log_n[-1] - log_n[0]) / (log_c[-1] - log_c[0])\nb = log_n[0] - a * log_c[0]"}),
    edit(polyfit, {"a, b = np.polyfit(log_c, log_n, 1)":
                   "a = np.mean(np.diff(log_n) / np.diff(log_c))\nb = log_n[0] - a * log_c[0]"},
                       "the mean of the slopes"),
    edit(polyfit, {"a, b = np.polyfit(log_c, log_n, 1)":
                   "a = np.mean(np.diff(log_n) / np.diff(log_c))\nb = np.mean(log_n) - a * np.mean(log_c)"},
         "the mean of the slopes, through the middle"),
    edit(polyfit, {"sorted({run[0] for run in runs})": "dict.fromkeys(run[0] for run in runs)",
                   "a, b = np.polyfit(log_c, log_n, 1)":
                   "a = np.mean(np.diff(log_n) / np.diff(log_c))\nb = log_n[0] - a * log_c[0]"},
         "the mean of the slopes, as they come"))

exercise.mistake("tokens-for-parameters", "compute-optimal-runs",
    "This is the best number of tokens, C / (6·N). The best number of parameters is asked for.",
    edit(polyfit, {"(-q / (2 * p))": "(np.log10(flops / 6) + q / (2 * p))"}))

exercise.mistake("budget-in-another-unit", "compute-optimal-runs",
    "a is right, b belongs to budgets in another unit: divided by 6, or by a power of ten. The first "
    "number of a run is the budget itself.",
    edit(polyfit, {"np.log10(flops)": "np.log10(flops / 6)"}, "C / 6"),
    edit(polyfit, {"np.log10(flops)": "np.log10(flops / 1e18)"}, "10¹⁸"),
    edit(polyfit, {"np.log10(flops)": "np.log10(flops / 1e9)"}, "10⁹"))

exercise.mistake("line-through-the-origin", "compute-optimal-runs",
    "The line is forced through the origin, or has a slope that was chosen beforehand. Fit both, slope "
    "and intercept.",
    edit(polyfit, {"a, b = np.polyfit(log_c, log_n, 1)": "a, b = np.dot(log_c, log_n) / np.dot(log_c, "
                                                         "log_c), 0.0"}),
    edit(polyfit, {"a, b = np.polyfit(log_c, log_n, 1)": "a, b = np.mean(log_n) / np.mean(log_c), 0.0"},
         "means"),
    edit(polyfit, {"a, b = np.polyfit(log_c, log_n, 1)":
                   "a, b = 0.5, np.mean(log_n) - 0.5 * np.mean(log_c)"}, "one half"),
    full("return 0.5, -math.log10(120) / 2", "20 tokens a parameter"))

exercise.mistake("one-parabola", "compute-optimal-runs",
    "One parabola is fitted to the runs of all budgets, or of several. Each budget has its own best "
    "size: fit one for each.",
    edit(polyfit, {"[run[1] for run in runs if run[0] == flops]": "[run[1] for run in runs]",
                   "[run[2] for run in runs if run[0] == flops]": "[run[2] for run in runs]"}),
    full("import numpy as np\n"
         "c, n, loss = np.array([tuple(run) for run in runs], dtype=float).T\n"
         "p, q, r = np.polyfit(np.log10(n), loss, 2)\n"
         "return p, q", "its first two numbers"),
    edit(polyfit, {"runs = [tuple(run) for run in runs]":
                        "runs = [(10.0 ** round(math.log10(c)), n, v) for c, n, v in runs]"},
                            "budgets rounded"))

exercise.mistake("neighbours-grouped", "compute-optimal-runs",
    "Runs in another order give another result: runs of one budget are found together only where they "
    "stand side by side. Collect all runs of a budget, wherever they stand.",
    full("import numpy as np\n"
         "from itertools import groupby\n"
         "x, y = [], []\n"
         "for c, rows in groupby(runs, key=lambda run: run[0]):\n"
         "    rows = list(rows)\n"
         "    if len(rows) >= 3:\n"
         "        p, q, r = np.polyfit(np.log10([run[1] for run in rows]), [run[2] for run in rows], 2)\n"
         "        x.append(np.log10(c))\n"
         "        y.append(-q / (2 * p))\n"
         "return tuple(np.polyfit(x, y, 1)) if len(x) > 1 else (0.0, 0.0)",
             "groups of fewer than three left out"),
    full("import numpy as np\n"
         "from itertools import groupby\n"
         "x, y = [], []\n"
         "for c, rows in groupby(runs, key=lambda run: run[0]):\n"
         "    rows = list(rows)\n"
         "    p, q, r = np.polyfit(np.log10([run[1] for run in rows]), [run[2] for run in rows], 2)\n"
         "    x.append(np.log10(c))\n"
         "    y.append(-q / (2 * p))\n"
         "return tuple(np.polyfit(x, y, 1))", "itertools.groupby"))

exercise.mistake("not-two", "compute-optimal-runs",
    "Two numbers are asked for, (a, b): no dict, no list of sizes, no function.",
    edit(polyfit, {"return a, b": "return log_n"}, "the sizes' logarithms"),
    edit(polyfit, {"return a, b": "return [10**v for v in log_n]"}, "the sizes"),
    edit(polyfit, {"return a, b": "return [float(a)]"}, "a alone"),
    edit(polyfit, {"return a, b": "return {'a': a, 'b': b}"}, "a dict"))

exercise.built_in("returns-nothing", edit(polyfit, {"return a, b": "print(a, b)"}))

exercise.built_in("changes-input",
    edit(polyfit, {"runs = [tuple(run) for run in runs]": "runs.sort(key=lambda run: tuple(run))"}))

exercise.equal("a number may come back as a float, as one of numpy's, or as a tensor",
               {".sum()).item()": ".sum())", ".tolist()": "",
                   "y.mean().item()": "y.mean()",
                "x.mean().item()": "x.mean()", "middle.item()": "middle", "float(a), ": "a, ",
                    ", float(b)": ", b",
                "torch.tensor(a)": "a",
                    "torch.tensor(b)": "b"})
exercise.equal("a few numbers near 0 or 1 are exact enough in 32 bits, and floats are floats without saying "
               "so",
               {"torch.tensor(x, dtype=torch.float64)": "torch.tensor(x)",
                "torch.tensor(y, dtype=torch.float64)": "torch.tensor(y)",
                "torch.tensor(points, dtype=torch.float64)": "torch.tensor(points)", ", dtype=float)": ")"})
exercise.equal("a parabola has its lowest point where it has it, from whatever place the sizes are counted",
               {"sizes.mean()": ("sizes.sum()", "losses.mean()"), "sizes - middle, ": ("sizes + middle, ",
                   "sizes, "),
                "(sizes - middle) **": "((middle - sizes)) **",
                "torch.ones_like(sizes)": "torch.ones_like(losses)",
                "sum(u for u, _ in groups[c]) / len(groups[c])":
                ("(len(groups[c]) / sum(u for u, _ in groups[c]))", "sum(u for u, _ in groups[c])",
                 "sum(_ for u, _ in groups[c]) / len(groups[c])")})
exercise.equal("the deviations of one variable sum to 0, so a constant in the other changes no product with "
               "them",
               {"(x - x.mean()) * (y": ("(x + x.mean()) * (y", "(x) * (y", "(x - x.sum()) * (y",
                   "(x - y.mean()) * (y"),
                "(y - y.mean())).sum()": ("(y + y.mean())).sum()", "(y)).sum()", "(y - y.sum())).sum()",
                                          "(y - x.mean())).sum()"),
                "((x - x.mean()) ** 2)": "(((x.mean() - x)) ** 2)", "np.cov(x, y)": "np.cov(y, x)"})
exercise.equal("the order of the budgets is free, and a run is a triple already",
               {"runs = [tuple(run) for run in runs]": ("pass", "runs = [run for run in runs]"),
                "sorted({run[0] for run in runs})": "({run[0] for run in runs})"})
exercise.equal("numpy makes arrays of lists by itself",
               {"np.array([run[1] for run in runs if run[0] == flops], dtype=float)":
                "([run[1] for run in runs if run[0] == flops])",
                "np.array([run[2] for run in runs if run[0] == flops])":
                "([run[2] for run in runs if run[0] == flops])", "np.array(log_n)": "log_n",
                    ", rcond=None": ""})
exercise.equal("a line has one root, a matrix two axes, and as many best sizes as budgets",
               {"roots()[0]": "roots()[(-1)]", "dim=1": "dim=-1", "], 1), np": "], -1), np",
                   "len(log_c)": "len(log_n)"})
exercise.equal("the zeros of a parabola that has none lie left and right of its lowest point, one imaginary "
               "part away",
               {"fit.deriv().roots()": "fit.roots()"})
exercise.equal("1 and True are equal; all equations doubled have the same solution but for its factor",
               {"S(1, True), S(0": "S(True, 1), S(0", "if with_loss else 1": "if with_loss else 2"})
