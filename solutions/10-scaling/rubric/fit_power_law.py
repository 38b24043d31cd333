"""fit_power_law: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch
from allyouneed.check.drivers.fitted_curve import STEP

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "fit_power_law",
    points={"curves": 3, "other forms": 1},
    section="power-law-with-a-floor",
    driver="fitted_curve",
)


@exercise.probes
def probes(make):
    def middle(number):
        """The middle of a step of the driver's scale."""
        return STEP ** round(math.log(number) / math.log(STEP))

    def data(smallest, largest, n, alpha, floor, share, noise, shuffled=False, whole=True):
        """Sizes evenly apart by factors, and losses: the power part is `share` floors at the smallest
        size."""
        alpha, floor = middle(alpha), middle(floor)
        a = middle(share * floor * smallest**alpha)
        sizes = [smallest * (largest / smallest) ** (place / (n - 1)) for place in range(n)]
        sizes = [round(size) if whole else size for size in sizes]
        if shuffled:
            sizes = [sizes[place] for place in torch.randperm(n, generator=make.generator).tolist()]
            if sizes[-1] == max(sizes):
                sizes = sizes[::-1]
        shakes = (2 * torch.rand(n, generator=make.generator, dtype=torch.float64) - 1) * noise
        return (sizes,
                [(floor + a * size**-alpha) * (1 + shake) for size, shake in zip(sizes, shakes.tolist())])

    curves, forms, pick = {"group": "curves"}, {"group": "other forms"}, make.pick
    yield make.probe("sizes from 1 to 1000",
                     *data(1, 1000, pick(10, 11, 12), pick(0.5, 0.55, 0.6), pick(1.7, 1.4, 1.5), 3,
                           0.0), **curves)
    yield make.probe("models of a million weights",
                     *data(1e4, pick(1e7, 2e7, 3e7), 10, 0.45, pick(1.5, 1.3, 1.2), 2.5,
                           0.0003), **curves) | {"form": "tensor"}
    yield make.probe("small losses", *data(1e6, 1e9, 10, pick(0.55, 0.6, 0.5), pick(0.05, 0.04, 0.06), 4,
                                           0.0003), **curves)
    yield make.probe("large losses", *data(20, 20000, 12, pick(0.65, 0.6, 0.7), pick(60, 75, 90), 6, 0.001),
                     **curves) | {"form": "array"}
    yield make.probe("steep", *data(3, 300, 9, pick(1.1, 1.2, 1.0), pick(0.4, 0.45, 0.35), 9, 0.001,
                                    whole=False), **curves)
    yield make.probe("flat", *data(1e3, 1e9, 13, pick(0.3, 0.27, 0.33), pick(1.7, 1.6, 1.2), 4, 0.001),
                     **curves)
    yield make.probe("six points of a model that counts letters",
                     *data(8000, 256000, 6, pick(0.84, 0.8, 0.76), pick(2.51, 2.3, 2.8), pick(0.25, 0.28, 0.31),
                           0.0), **curves)
    yield make.probe("in no order", *data(10, 10000, 11, pick(0.5, 0.6, 0.55), pick(1.5, 1.2, 1.7), 4, 0.001,
                                          shuffled=True), **forms)
    yield make.probe("falling sizes", *[values[::-1]
                                        for values in data(10, 10000, 10, pick(0.55, 0.5, 0.6),
                                                           pick(1.3, 1.6, 1.1), 5, 0.001)],
                     **forms, edge=True) | {"form": "tuple"}
    yield make.probe("tensors of float32", *data(5, 5000, 10, pick(0.6, 0.55, 0.5), pick(1.2, 0.9, 1.4), 4,
                                                 0.0003), **forms, edge=True) | {"form": "single"}
    yield make.probe("arrays", *data(2, 2000, 9, pick(0.65, 0.6, 0.7), pick(0.8, 1.3, 1.1), 4, 0.0003),
                     **forms, edge=True) | {"form": "array"}


@exercise.right
def reference(size, loss):
    sizes, losses = (torch.as_tensor(values, dtype=torch.float64) for values in (size, loss))
    low, high = 0.01, 4.0
    for _ in range(4):
        exponents = torch.logspace(math.log10(low), math.log10(high), 200, dtype=torch.float64)
        x = (sizes / sizes.max()) ** -exponents[:, None]
        away, above = x - x.mean(1, keepdim=True), losses - losses.mean()
        slopes = (away * above).sum(1) / (away**2).sum(1)
        errors = ((above - slopes[:, None] * away) ** 2).sum(1)
        best = int(errors.argmin())
        low, high = float(exponents[max(best - 1, 0)]), float(exponents[min(best + 1, 199)])
    alpha, slope = float(exponents[best]), float(slopes[best])
    return slope * float(sizes.max()) ** alpha, alpha, float(losses.mean()) - slope * float(x[best].mean())


@exercise.right("floors tried, a straight line for each, refined")
def floors_tried(size, loss):
    sizes = torch.as_tensor(size, dtype=torch.float64)
    losses = torch.as_tensor(loss, dtype=torch.float64)
    x = sizes.log()
    least, low, high = losses.min(), 0.0, 1.0
    for _ in range(4):
        shares = torch.linspace(low, high, 201, dtype=torch.float64)[:-1]
        y = (losses - least * shares[:, None]).log()
        slope = ((x - x.mean()) * (y - y.mean(1, keepdim=True))).sum(1) / ((x - x.mean()) ** 2).sum()
        start = y.mean(1) - slope * x.mean()
        curve = least * shares[:, None] + torch.exp(start[:, None] + slope[:, None] * x)
        best = int(((curve / losses - 1) ** 2).sum(1).argmin())
        low, high = float(shares[max(best - 1, 0)]), float(shares[min(best + 1, 199)])
    a, alpha, floor = float(start[best].exp()), -float(slope[best]), float(least * shares[best])
    return a, alpha, floor


@exercise.right("numpy, 3,000 floors at once")
def numpy_3(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.right("a loop over 2,000 floors")
def loop(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    best = None
    for floor in np.linspace(0, y.min(), 2000)[:-1]:
        slope, start = np.polyfit(np.log(s), np.log(y - floor), 1)
        miss = np.sum((np.log(y - floor) - start - slope * np.log(s)) ** 2)
        if best is None or miss < best[0]:
            best = miss, np.exp(start), -slope, floor
    _, a, alpha, floor = best
    return a, alpha, floor


@exercise.right("scipy's curve_fit")
def scipy_curve_fit(size, loss):
    import numpy as np
    from scipy.optimize import curve_fit
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    curve = lambda s, log_a, alpha, floor: floor + np.exp(log_a - alpha * np.log(s))
    (log_a, alpha, floor), _ = curve_fit(curve, s, y, p0=(0.0, 0.5, y.min()), maxfev=20000)
    a = np.exp(log_a)
    return a, alpha, floor


@exercise.right("curve_fit with start values from a straight line")
def curve_fit_start(size, loss):
    import numpy as np
    from scipy import optimize
    s, y = np.array([float(v) for v in size]), np.array([float(v) for v in loss])
    slope, start = np.polyfit(np.log(s), np.log(y - 0.9 * y.min()), 1)
    found = optimize.curve_fit(lambda s, a, alpha, c: c + a * s ** (-alpha), s, y,
                               p0=[np.exp(start), -slope, 0.9 * y.min()], maxfev=50000)
    return tuple(float(v) for v in found[0])


@exercise.right("torch's LBFGS")
def torch_lbfgs(size, loss):
    x = torch.log(torch.as_tensor(size, dtype=torch.float64))
    y = torch.as_tensor(loss, dtype=torch.float64)
    centre, scale = x.mean(), y.min()
    p = torch.tensor([0.0, -0.7, 0.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([p], lr=1, max_iter=300, history_size=20, tolerance_grad=1e-14,
                                  tolerance_change=1e-18, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        curve = torch.sigmoid(p[2]) + torch.exp(p[0] - p[1].exp() * (x - centre))
        miss = ((curve * scale / y - 1) ** 2).sum()
        miss.backward()
        return miss

    optimizer.step(closure)
    alpha = p[1].exp().item()
    return ((torch.exp(p[0]) * scale).item() * math.exp(alpha * centre.item()), alpha,
            (torch.sigmoid(p[2]) * scale).item())


@exercise.right("least squares for each exponent, a list of tensors")
def least_squares(size, loss):
    sizes, y = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
    best = None
    for alpha in torch.linspace(0.05, 2.0, 800, dtype=torch.float64):
        columns = torch.stack([(sizes / sizes.min()) ** -alpha, torch.ones_like(y)], dim=1)
        answer = torch.linalg.lstsq(columns, y[:, None], driver="gelsd").solution.squeeze(1)
        miss = ((columns @ answer - y) ** 2).sum()
        if best is None or miss < best[0]:
            best = miss, answer[0] * sizes.min() ** alpha, alpha, answer[1]
    return list(best[1:])


@exercise.right("Gauss and Newton by hand, an array")
def gauss(size, loss):
    import numpy as np
    x, y = np.log(np.array(size, dtype=np.float64)), np.array(loss, dtype=np.float64)
    x0, unit = x.mean(), y.min()
    b, alpha, c = np.log(0.5), 0.5, 0.7
    for _ in range(200):
        power = np.exp(b - alpha * (x - x0))
        jacobian = np.stack([power, -power * (x - x0), np.ones_like(x)], axis=1)
        step = np.linalg.solve(jacobian.T @ jacobian + 1e-9 * np.eye(3), jacobian.T @ (y / unit - c - power))
        step *= min(1.0, 0.3 / np.abs(step).max())
        b, alpha, c = b + step[0], alpha + step[1], c + step[2]
    return np.array([unit * np.exp(b + alpha * x0), alpha, unit * c])


@exercise.right("golden section over the floor, plain Python")
def golden_section(size, loss):
    x, y = [math.log(float(s)) for s in size], [float(v) for v in loss]
    mean_x = sum(x) / len(x)

    def line(floor):
        z = [math.log(v - floor) for v in y]
        mean_z = sum(z) / len(z)
        slope = sum((p - mean_x) * (q - mean_z) for p, q in zip(x, z)) / sum((p - mean_x) ** 2 for p in x)
        start = mean_z - slope * mean_x
        return sum((q - start - slope * p) ** 2 for p, q in zip(x, z)), math.exp(start), -slope, floor

    golden, share = (math.sqrt(5) - 1) / 2, min(range(1, 900), key=lambda step: line(step / 900 * min(y))[0])
    low, high = (share - 1) / 900 * min(y), min(share + 1, 899.9) / 900 * min(y)
    for _ in range(80):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if line(left)[0] < line(right)[0]:
            high = right
        else:
            low = left
    return line((low + high) / 2)[1:]


@exercise.right("residuals of a projection, a tensor")
def residuals(size, loss):
    x = torch.log(torch.as_tensor(size).double())
    y = torch.as_tensor(loss).double()
    A = torch.stack((torch.ones_like(x), x), dim=1)
    projector = torch.eye(len(x), dtype=torch.float64) - A @ torch.linalg.pinv(A)
    candidates = y.min() * (1 - torch.logspace(0, -5, 3000, dtype=torch.float64))
    z = torch.log(y[:, None] - candidates)
    errors = (projector @ z).square().sum(0)
    best = errors.argmin()
    c, s = torch.linalg.pinv(A) @ z[:, best]
    return torch.stack((c.exp(), -s, candidates[best]))


SIZES = "sizes = torch.as_tensor(size, dtype=torch.float64)"

exercise.mistake("floor-ignored", "power-law-with-a-floor",
    "The floor comes back as 0. Either no floor is fitted, and the losses themselves bend away from any "
    "straight line, since they approach a floor; or 0 came out as the best, because sizes or losses were "
    "taken without logarithm. Find the floor whose curve, floor + exp(the straight line), lies closest to "
    "the losses.",
    edit(scipy_curve_fit, {"a, alpha, floor": "a, alpha, 0"}),
    full("import numpy as np\n"
         "s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)\n"
         "slope, start = np.polyfit(np.log(s), np.log(y), 1)\n"
         "a, alpha, floor = np.exp(start), -slope, 0.0\n"
         "return a, slope, floor", "and the sign"))

exercise.mistake("floor-guessed", "power-law-with-a-floor",
    "The floor is the smallest loss, or a round share of it: guessed, one of a few, or the last that was "
    "tried. The losses are still above their floor, nobody knows how far: find the floor that makes the "
    "curve fit best.",
    full("import numpy as np\n"
         "s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)\n"
         "slope, start = np.polyfit(np.log(s), np.log(y - 0.95 * y.min()), 1)\n"
         "a, alpha, floor = np.exp(start), -slope, 0.95 * y.min()\n"
         "return a, alpha, floor", "0.95"),
    full("import numpy as np\n"
         "s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)\n"
         "slope, start = np.polyfit(np.log(s), np.log(y - 0.5 * y.min()), 1)\n"
         "a, alpha, floor = np.exp(start), -slope, 0.5 * y.min()\n"
         "return a, alpha, floor", "half"),
    full("import numpy as np\n"
         "s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)\n"
         "slope, start = np.polyfit(np.log(s), np.log(y), 1)\n"
         "a, alpha, floor = np.exp(start), -slope, y.min()\n"
         "return a, alpha, floor", "the floor beside a line without it"),
    edit(numpy_3, {"(), 3000": "(), 11"}, "ten round shares tried"))


def curve_off(size, loss):
    s, y = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
    p = torch.tensor([1.0, 0.5, 1.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([p], lr=0.01)
    for _ in range(300):
        optimizer.zero_grad()
        ((p[2] + p[0] * s ** -p[1] - y) ** 2).mean().backward()
        optimizer.step()
    a, alpha, floor = p.tolist()
    return a, alpha, floor


def curve_off_line(size, loss):
    import numpy as np
    x, y = np.log(np.array(size, dtype=float)), np.array(loss, dtype=float)
    best = None
    for f in np.linspace(0, y.min(), 1501)[:-1]:
        z = np.log(y - f)
        s, c = np.polyfit(z, x, 1)
        r = float(((x - s * z - c) ** 2).sum())
        if best is None or r < best[0]:
            best = r, s, c, f
    r, s, c, f = best
    return float(np.exp(c)), float(-s), float(f)


exercise.mistake("slope-of-the-line", "power-law-with-a-floor",
    "The slope of log(loss − floor) against log(size) is not that of least squares: the sum of the products "
    "of both deviations from their means, divided by the sum of the squared deviations of log(size). Take "
    "sums in both, or means in both.",
    edit(floors_tried, {"True))).sum": "True))).mean"}, "a mean over a sum"),
    edit(floors_tried, {"((x - x.mean()) ** 2)": "(x ** 2)"}, "squares of the sizes themselves"),
    edit(floors_tried, {"((x - x.mean()) * (y - y.mean(1, keepdim=True)))": "(x * y)"}, "products themselves"))

exercise.mistake("intercept", "power-law-with-a-floor",
    "The slope is right, but the line does not run through the mean of its points: its intercept is the mean "
    "of log(loss − floor) less the slope times the mean of log(size).",
    edit(floors_tried, {" - slope * x.mean()": ""}, "the mean alone"),
    edit(floors_tried, {" - slope * x.mean()": " - slope"}, "without the mean of the sizes"))

exercise.mistake("wrong-side-kept", "power-law-with-a-floor",
    "The search between two floors runs to one end, wherever the best one is. Of two floors within, compare "
    "the errors, not the numbers themselves, and keep the side of the smaller one; the left one must be the "
    "smaller floor, at 1 − 0.618 of the way.",
    edit(golden_section, {"line(left)[0] < line(right)[0]": "True"}, "always the lower side"),
    edit(golden_section, {"line(left)[0] < line(right)[0]": "False"}, "always the upper side"),
    edit(golden_section, {"line(left)[0] < line(right)[0]": "line(left)[0] > line(right)[0]"}, "the worse side"))

exercise.mistake("axes-exchanged", "power-law-with-a-floor",
    "Sizes and losses are exchanged in the fit: the sizes are what is given, and the losses what the curve "
    "says.",
    edit(scipy_curve_fit, {"curve, s, y": "curve, y, s"}))

def adam_from_floor(size, loss):
    s, y = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
    p = torch.tensor([0.0, 0.5, float(y.min())], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([p], lr=0.02)
    for _ in range(600):
        optimizer.zero_grad()
        ((p[2] + torch.exp(p[0] - p[1] * s.log()) - y) ** 2).mean().backward()
        optimizer.step()
    return p[0].exp().item(), p[1].item(), p[2].item()


def adam_from_zero(size, loss):
    s, y = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
    p = torch.tensor([0.0, 0.5, 0.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([p], lr=0.01)
    for _ in range(400):
        optimizer.zero_grad()
        ((p[2] + torch.exp(p[0]) * s ** -p[1] - y) ** 2).mean().backward()
        optimizer.step()
    return p[0].exp().item(), p[1].item(), p[2].item()


exercise.mistake("curve-off", "power-law-with-a-floor",
    "The curve of these three numbers misses the losses. Put them into floor + a · size^(−alpha) and "
    "compare. Does an optimizer start too far away, or stop too early? Then fit the logarithm of a, take start "
    "values from the data, and let it run until the error falls no more. Or is another curve fitted, such as "
    "an exponential or log(size) as a function of the losses, a floor added to a curve that was fitted without "
    "one, or left out of the curve that is compared? Are slope and intercept exchanged, are misses added up "
    "that were not squared and so cancel, or is exp taken of a logarithm to base 10?",
    full("import numpy as np\n"
         "s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)\n"
         "slope, start = np.polyfit(np.log(s), np.log(y), 1)\n"
         "a, alpha, floor = np.exp(start), -slope, 0.0\n"
         "return a, alpha, np.mean(y - a * s**-alpha)", "the floor is what remains on average"),
    full(curve_off, "Adam, stopped early"),
    edit(loop, {"np.log(s),": "s / s.max(),",
                "np.log(y - floor) - start - slope * np.log(s)":
                "y - floor - np.exp(start + slope * s / s.max())"}, "an exponential"),
    full("return 1.0, 0.5, 0.1", "constants"),
    full("return 8.0, 0.5, max(map(float, loss))", "a curve above all losses"),
    full(curve_off_line, "the line turned round"),
    edit(floors_tried, {"curve = least * shares[:, None] +": "curve ="}, "the floor left out of the curve"),
    edit(loop, {"slope, start = np.polyfit": "start, slope = np.polyfit",
                "np.log(y - floor) - start - slope * np.log(s)":
                "y - floor - np.exp(start + slope * np.log(s))"},
         "slope and intercept exchanged"),
    edit(floors_tried, {"x = sizes.log()": "x = sizes.log10()",
                        "shares[:, None]).log()": "shares[:, None]).log10()"},
         "exp of a logarithm to base 10"),
    full("import numpy as np\n"
         "from scipy.optimize import curve_fit\n"
         "found, _ = curve_fit(lambda s, a, alpha, floor: floor + a * s**-alpha, np.asarray(size, "
         "dtype=float),\n"
         "                     np.asarray(loss, dtype=float), maxfev=20000)\n"
         "return tuple(found)", "curve_fit without any"),
    full(adam_from_floor, "Adam from the smallest loss, stopped early"),
    full(adam_from_zero, "Adam from a floor of 0, stopped early"),
    edit(torch_lbfgs, {"max_iter=300": "max_iter=8"}, "LBFGS, stopped early"))

exercise.mistake("floor-after-the-fit", "power-law-with-a-floor",
    "The power law is fitted without a floor first, and the floor is what remains. Both must be fitted "
    "together: the slope is wrong without the floor.",
    full("import numpy as np\n"
         "s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)\n"
         "slope, start = np.polyfit(np.log(s), np.log(y), 1)\n"
         "a, alpha, floor = np.exp(start), -slope, 0.0\n"
         "return a, alpha, np.min(y - a * s**-alpha)"))

exercise.mistake("alpha-sign", "power-law-with-a-floor",
    "alpha has the wrong sign. The slope of log(loss − floor) against log(size) is −alpha, and alpha is "
    "positive where larger is better.",
    edit(scipy_curve_fit, {"a, alpha": "a, -alpha"}, "curve_fit"))

exercise.mistake("logarithm-of-a", "power-law-with-a-floor",
    "The logarithm of a comes back. The straight line meets the axis at log(a): take exp of it, or 10 to "
    "this power if the logarithm is log10.",
    edit(scipy_curve_fit, {"return a": "return math.log(a)"}, "curve_fit"),
    edit(numpy_3, {"return a,": "return np.log(a), -"}, "and the sign"))

exercise.mistake("another-base-for-a", "power-law-with-a-floor",
    "The intercept is turned back with another base than the logarithm had: 10 to the power belongs to "
    "log10, exp to the natural logarithm.",
    edit(numpy_3, {every("log"): "log10"}, "e for 10"))

exercise.mistake("two-bases", "power-law-with-a-floor",
    "One axis has the natural logarithm, the other one of another base, so alpha is multiplied by a "
    "constant. Use the same logarithm for both.",
    edit(numpy_3, {"log(s)": "log10(s)"}, "sizes by log10"))

exercise.mistake("order", "power-law-with-a-floor",
    "The three numbers are right, but in another order. Return (a, alpha, floor).",
    edit(floors_tried, {"return a, alpha,": "return alpha, a,"}, "alpha first, tried floors"),
    edit(floors_tried, {"return a, alpha, floor": "return floor, a, alpha"}, "floor first, tried floors"),
    edit(floors_tried, {"return a, alpha, floor": "return floor, alpha, a"},
         "a and floor exchanged, tried floors"),
    edit(floors_tried, {"return a, alpha, floor": "return a, floor, alpha"}, "alpha last, tried floors"))

exercise.mistake("inverted", "power-law-with-a-floor",
    "a or alpha comes back as its reciprocal. The curve is floor + a · size^(−alpha).",
    edit(floors_tried, {"return a,": "return a, 1 /"}, "alpha, tried floors"),
    edit(floors_tried, {"return": "return 1 /"}, "a, tried floors"))

exercise.mistake("sizes-rescaled", "power-law-with-a-floor",
    "The factor a belongs to sizes in another unit: the sizes were divided by a number, or their "
    "logarithms shifted, before the fit. Undo it: multiply the factor a by that number to the power alpha.",
    edit(floors_tried, {"sizes.": "(sizes / sizes.mean())."}, "by the mean"))

exercise.mistake("losses-rescaled", "power-law-with-a-floor",
    "a and floor belong to losses in another unit: the losses were divided by a number before the fit. "
    "Multiply both by it.",
    edit(numpy_3, {"floors =": "y = y / y.max()\nfloors ="}, "by the largest"),
    edit(floors_tried, {"least,": "losses = losses / losses.min()\nleast,"}, "by the smallest"))

exercise.mistake("loss-at-one", "power-law-with-a-floor",
    "The whole loss at size 1 comes back in place of the factor a. That factor is only the part above the "
    "floor: subtract the floor.",
    edit(floors_tried, {"return a": "return a + floor"}, "tried floors"))

exercise.mistake("fixed-range", "power-law-with-a-floor",
    "Losses of some magnitudes are fitted well, others are missed: floors are searched for in a range or "
    "with a step of your own. Take both from the data: the floor lies between 0 and the smallest loss.",
    edit(numpy_3, {"(0, y.min(), 3000)[:-1]": "(0, min(1.0, 0.9999 * y.min()), 1000)"}, "from 0 to 1"),
    edit(numpy_3, {"(0, y.min(), 3000)[:-1]": "(0, min(2.0, 0.9999 * y.min()), 1500)"}, "from 0 to 2"),
    edit(numpy_3, {"linspace(0, y.min(), 3000)[:-1]": "arange(0, min(y.min(), 5), 0.01)"}, "steps of 0.01"),
    edit(numpy_3, {"linspace(0, y.min(), 3000)[:-1]": "arange(0, y.min(), 0.01)"},
         "steps of 0.01, up to the smallest loss"))

CURVE = "floor + np.exp(start + slope * np.log(s)) - y"
MISS = "np.log(y - floor) - start - slope * np.log(s)"
exercise.mistake("coarse-floors", "power-law-with-a-floor",
    "The floors that are tried lie too far apart: the true one is between two of them. The losses of real "
    "models lie a few percent above their floor, and a hundredth of the smallest loss is a large step "
    "there. Try two thousand floors, or finer ones around the best, and compare curve and losses themselves: "
    "between floors that lie far apart, differences of logarithms choose badly.",
    edit(numpy_3, {"(0, y.min(), 3000)[:-1]": "(0, 0.99 * y.min(), 20)"}, "twenty floors"),
    edit(loop, {"2000": "50"}, "49 floors"),
    edit(loop, {"2000": "100"}, "99 floors"),
    edit(loop, {"2000": "51", MISS: CURVE}, "50 floors, curve and losses compared"),
    edit(loop, {"2000": "101", MISS: CURVE}, "100 floors, curve and losses compared"))

exercise.mistake("coarse", "power-law-with-a-floor",
    "The curve runs near the losses, but the numbers are more than 5 % off: too few exponents were tried. "
    "Try more of them, or refine around the best.",
    edit(least_squares, {"linspace(0.05, 2.0, 800, dtype=torch.float64)": "arange(0.1, 2.0, 0.1)"},
         "exponents in steps of 0.1"))

exercise.mistake("not-finite", "power-law-with-a-floor",
    "NaN or infinity comes back. The logarithm of loss − floor needs a floor below every loss.",
    edit(numpy_3, {"min(), 3000)[:-1]": "max(), 400)"}, "floors above the losses"))

exercise.mistake("sorted-assumed", "power-law-with-a-floor",
    "The last point is taken for the largest model, or the first for the smallest, or losses are sorted and "
    "sizes are not. They may come in any order: sort both together, or use max and min.",
    edit(numpy_3, {"floors =": "y = np.sort(y)[::-1]\nfloors ="}, "losses sorted alone"),
    edit(least_squares, {"best = None": "y = y.sort(descending=True).values\nbest = None"},
         "losses sorted alone, least squares"),
    edit(numpy_3, {"y.min()": "y[-1]"}, "numpy"))

exercise.mistake("complex", "power-law-with-a-floor",
    "Python refuses the logarithm of 0 or of a negative number, and a negative number to a fractional "
    "power becomes complex. Keep the floor below the smallest loss.",
    full("x, y = [math.log(float(s)) for s in size], [float(v) for v in loss]\n"
         "z = [math.log(v - min(y)) for v in y]\n"
         "slope = (z[0] - z[-1]) / (x[0] - x[-1])\n"
         "return math.exp(z[0] - slope * x[0]), -slope, min(y)"))

exercise.mistake("form-refused", "power-law-with-a-floor",
    "It works for some forms of sizes and losses only. They may come as lists, tuples, tensors or numpy "
    "arrays: convert them first, for instance with torch.as_tensor(size, dtype=torch.float64).",
    edit(floors_tried, {SIZES: "x = torch.log(size)",
                        "losses = torch.as_tensor(loss, dtype=torch.float64)":
                        "sizes, losses = size.double(), loss.double()"}, "torch's log"),
    edit(floors_tried, {SIZES: "x = size.log()\nsizes , losses = size.double(), loss.double()"},
         "the method log"),
    edit(floors_tried, {"= torch.as_tensor(size, dtype=torch.float64)":
                        ", losses = size.double(), loss.double()"}, "the method double"),
    edit(floors_tried, {"sizes =": "x = loss.min()\nsizes, losses =",
                        "(size, dtype=torch.float64)": "(size).double(), torch.as_tensor(loss).double()"},
         "min of a list"),
    edit(floors_tried, {"sizes =": "n = size.shape[0]\nsizes, losses =",
                        "(size, dtype=torch.float64)": "(size).double(), torch.as_tensor(loss).double()"},
         "a shape"),
    edit(floors_tried, {"= torch.as_tensor(size, dtype=torch.float64)":
                        ", losses = torch.from_numpy(size).double(), torch.from_numpy(loss).double()"},
         "from_numpy"),
    edit(floors_tried, {"sizes =": "rest = loss - 0.0\nsizes, losses =",
                        "(size, dtype=torch.float64)": "(size).double(), torch.as_tensor(loss).double()"},
         "a difference"),
    edit(floors_tried, {"sizes =": "rest = loss * 1.0\nsizes, losses =",
                        "(size, dtype=torch.float64)": "(size).double(), torch.as_tensor(loss).double()"},
         "a product"),
    edit(floors_tried, {"sizes =": "rest = size ** -0.5\nsizes, losses =",
                        "(size, dtype=torch.float64)": "(size).double(), torch.as_tensor(loss).double()"},
         "a power"),
    edit(floors_tried, {"sizes =": "rest = size / 1.0\nsizes, losses =",
                        "(size, dtype=torch.float64)": "(size).double(), torch.as_tensor(loss).double()"},
         "a quotient"),
    edit(floors_tried, {SIZES: "if not isinstance(size, list):\n"
                               "    raise TypeError('size must be a list')\n"
                               "sizes , losses = torch.tensor(size).double(), torch.tensor(loss).double()"},
         "lists alone"))

exercise.mistake("not-three", "power-law-with-a-floor",
    "Three numbers are asked for, (a, alpha, floor): no dict, nothing else beside them, and none missing.",
    edit(numpy_3, {"return a, alpha, floor": "return floor + a * s**-alpha"}, "the fitted losses"))


def first_point(size, loss):
    import numpy as np
    x, y = np.log(np.array(size, dtype=float)), np.array(loss, dtype=float)
    best = None
    for f in np.linspace(0, y.min(), 1501)[:-1]:
        z = np.log(y - f)
        s, c = np.polyfit(x, z, 1)
        r = float(((z - s * x - c) ** 2).sum())
        if best is None or r < best[0]:
            best = r, s, c, f
    r, s, c, f = best
    return float(y[0] - f), float(-s), float(f)


exercise.mistake("first-point-for-a", "power-law-with-a-floor",
    "The factor a is what the first loss has above the floor, as if the first size were 1. Take it from "
    "the line, where log(size) is 0.",
    full(first_point, "the first loss"))

exercise.built_in("changes-input",
    edit(reference, {"sizes,": "if isinstance(loss, list):\n"
                               "    order = sorted(range(len(size)), key=lambda place: -size[place])\n"
                               "    size[:], loss[:] = [size[place] for place in order], [loss[place] "
                               "for place in order]\n"
                               "sizes,"}))

exercise.built_in("returns-nothing",
    edit(numpy_3, {"return a, alpha, floor": "print(a, alpha, floor)"}))

exercise.built_in("timeout",
    full("from time import sleep\n"
         "floor = min(float(v) for v in loss)\n"
         "while floor > 0:\n"
         "    sleep(0.01)\n"
         "return 1.0, 0.5, floor"))

exercise.equal("numbers within 5 % are right: the range, the start, the steps and the end of a search are free",
    dict.fromkeys([
        "0.01, 4.0", "range(4)", "logspace(math.log10(low), math.log10(high), 200", "linspace(low, high, 201",
        "max(best - 1, 0)", "min(best + 1, 199)", "[best]", "[:, best]", "[:-1]", "linspace(0, y.min(), 2000)",
        ", maxfev=20000", "0.0, 0.5, y.min()", "np.log(s), np.log(y - 0.9 * y.min())", "0.9 * y.min()], maxfev=50000",
        "lr=1, max_iter=300, history_size=20, tolerance_grad=1e-14,", "tolerance_change=1e-18,", ', line_search_fn="strong_wolfe"',
        "[0.0, -0.7, 0.0]", "linspace(0.05, 2.0, 800", "np.log(0.5), 0.5, 0.7", "range(200)",
        "-power * (x - x0), np.ones_like(x)", "+ 1e-9 * np.eye(3)", "step *= min(1.0, 0.3 / np.abs(step).max())",
        "math.sqrt(5)", "range(1, 900)", "step / 900", "(share - 1) / 900", "min(share + 1, 899.9) / 900 * min(y)",
        "range(80)", "golden * ", "high = right", "low = left", "low + high", "line(left)[0] < line(right)[0]",
        "logspace(0, -5, 3000", "miss < best[0]"], ...))

exercise.equal("another measure of how far a curve lies from the losses, which is least at the same curve",
    dict.fromkeys([
        "(above - slopes[:, None] * away) ** 2).sum", "(curve / losses - 1) ** 2).sum",
        "sum((z - start - slope * x[:, None]) ** 2", "sum((np.log(y - floor) - start - slope * np.log(s)) ** 2",
        "(curve * scale / y - 1) ** 2).sum", "(columns @ answer - y) ** 2).sum", "square().sum",
        "sum((q - start - slope * p) ** 2", "torch.eye(len(x), dtype=torch.float64) - A @ torch.linalg.pinv(A)"], ...))

exercise.equal("the deviations of one factor sum to 0, so that a constant in the other one drops out",
    dict.fromkeys([
        "losses - losses.mean()", "(x - x.mean()) * (y - y.mean(1, keepdim=True))",
        "(p - mean_x) * (q - mean_z)", "(x - x.mean()) ** 2", "(p - mean_x) ** 2"], ...))

exercise.equal("the numbers may come in any form, and so do those on the way",
    {"float": "", "int": "", ".item()": "", ", dtype=torch.float64": "", ", dtype=float": "", ".double()": "",
     ", dtype=np.float64": "", "np.array": "", "torch.stack": "", "list": "", "tuple": ""})

exercise.equal("both have as many numbers, or a unit that is any of the losses",
    {"len(x)": "len(y)", "ones_like(y)": "ones_like(sizes)", "y.min()": "y.max()", ', driver="gelsd"': ""})
