"""The rubric of fit_power_law: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch

from allyouneed.check.drivers.fitted_curve import STEP
from coursegrader.rubric import Exercise

exercise = Exercise(
    "fit_power_law",
    points={"curves": 3, "other forms": 1},
    section="power-law-with-a-floor",
    driver="fitted_curve",
    compact=True,
    mistakes={
        "floor-ignored": ("The floor comes back as 0. Either no floor is fitted, and the losses themselves bend away from any straight line, since they approach a floor; or 0 came out "
                          "as the best, because sizes or losses were taken without logarithm. Find the floor for which log(loss − floor) against log(size) is straightest.", "power-law-with-a-floor"),
        "floor-guessed": ("The floor is the smallest loss, or a round share of it: guessed, one of a few, or the last that was tried. The losses are still above their floor, nobody knows how far: find the floor that makes "
                          "the curve fit best.", "power-law-with-a-floor"),
        "floor-after-the-fit": ("The power law is fitted without a floor first, and the floor is what remains. Both must be fitted together: "
                                "the slope is wrong without the floor.", "power-law-with-a-floor"),
        "alpha-sign": ("alpha has the wrong sign. The slope of log(loss − floor) against log(size) is −alpha, and alpha is positive where larger is better.",
                       "power-law-with-a-floor"),
        "logarithm-of-a": ("The logarithm of a comes back. The straight line meets the axis at log(a): take exp of it, or 10 to this power if the logarithm "
                           "is log10.", "power-law-with-a-floor"),
        "another-base-for-a": ("The intercept is turned back with another base than the logarithm had: 10 to the power belongs to log10, exp to the natural logarithm.",
                               "power-law-with-a-floor"),
        "two-bases": ("One axis has the natural logarithm, the other one of another base, so alpha is multiplied by a constant. Use the same logarithm for both.",
                      "power-law-with-a-floor"),
        "order": ("The three numbers are right, but in another order. Return (a, alpha, floor).", "power-law-with-a-floor"),
        "inverted": ("a or alpha comes back as its reciprocal. The curve is floor + a · size^(−alpha).", "power-law-with-a-floor"),
        "sizes-rescaled": ("The factor a belongs to sizes in another unit: the sizes were divided by a number, or their logarithms shifted, before the fit. Undo it: multiply "
                           "the factor a by that number to the power alpha.", "power-law-with-a-floor"),
        "losses-rescaled": ("a and floor belong to losses in another unit: the losses were divided by a number before the fit. Multiply both by it.",
                            "power-law-with-a-floor"),
        "first-point-for-a": ("The factor a is what the first loss has above the floor, as if the first size were 1. Take it from the line, where log(size) is 0.",
                              "power-law-with-a-floor"),
        "loss-at-one": ("The whole loss at size 1 comes back in place of the factor a. That factor is only the part above the floor: subtract the floor.", "power-law-with-a-floor"),
        "fixed-range": ("Losses of some magnitudes are fitted well, others are missed: floors are searched for in a range or with a step of your own. Take both from the "
                        "data: the floor lies between 0 and the smallest loss.", "power-law-with-a-floor"),
        "start-values": ("The search does not arrive at the curve, at least where sizes are large: an optimizer starts too far away, or stops too early. Fit "
                         "the logarithm of a, and take start values from the data.", "power-law-with-a-floor"),
        "curve-off": ("The curve of these three numbers misses the losses. Put them into floor + a · size^(−alpha) and compare. Did the "
                      "search stop early, start far away, fit another curve, such as an exponential or log(size) as a function of the "
                      "losses, or was a floor added to a curve that was fitted without one?", "power-law-with-a-floor"),
        "coarse": ("The curve runs near the losses, but the numbers are more than 5 % off: too few floors, or exponents, were tried. Try more of them, or refine around the "
                   "best.", "power-law-with-a-floor"),
        "not-finite": ("NaN or infinity comes back. The logarithm of loss − floor needs a floor below every loss.", "power-law-with-a-floor"),
        "sorted-assumed": ("The last point is taken for the largest model, or the first for the smallest. They may come in any order: sort them, or use max and min.",
                           "power-law-with-a-floor"),
        "form-refused": ("It works for some forms of sizes and losses only. They may come as lists, tuples, tensors or numpy arrays: convert them first, "
                         "for instance with torch.as_tensor(size, dtype=torch.float64).", "power-law-with-a-floor"),
        "not-three": ("Three numbers are asked for, (a, alpha, floor): no dict, nothing else beside them, and none missing.", "power-law-with-a-floor"),
        "complex": ("Python refuses the logarithm of 0 or of a negative number, and a negative number to a fractional power becomes complex. Keep the floor below "
                    "the smallest loss.", "power-law-with-a-floor"),
    },
)


@exercise.probes
def _(make):
    def middle(number):
        """The middle of a step of the driver's scale."""
        return STEP ** round(math.log(number) / math.log(STEP))

    def data(smallest, largest, n, alpha, floor, share, noise, shuffled=False, whole=True):
        """Sizes evenly apart by factors, and losses: the power part is `share` floors at the smallest size."""
        alpha, floor = middle(alpha), middle(floor)
        a = middle(share * floor * smallest**alpha)
        sizes = [smallest * (largest / smallest) ** (place / (n - 1)) for place in range(n)]
        sizes = [round(size) if whole else size for size in sizes]
        if shuffled:
            sizes = [sizes[place] for place in torch.randperm(n, generator=make.generator).tolist()]
            if sizes[-1] == max(sizes):
                sizes = sizes[::-1]
        shakes = (2 * torch.rand(n, generator=make.generator, dtype=torch.float64) - 1) * noise
        return sizes, [(floor + a * size**-alpha) * (1 + shake) for size, shake in zip(sizes, shakes.tolist())]

    curves, forms, pick = {"group": "curves"}, {"group": "other forms"}, make.pick
    yield make.probe("sizes from 1 to 1000", *data(1, 1000, pick(10, 11, 12), pick(0.5, 0.55, 0.6), pick(1.7, 1.4, 1.5), 3, 0.0), **curves)
    yield make.probe("models of a million weights", *data(1e4, pick(1e7, 2e7, 3e7), 10, 0.45, pick(1.5, 1.3, 1.2), 2.5, 0.0003), **curves) | {"form": "tensor"}
    yield make.probe("small losses", *data(1e6, 1e9, 10, pick(0.55, 0.6, 0.5), pick(0.05, 0.04, 0.06), 4, 0.0003), **curves)
    yield make.probe("large losses", *data(20, 20000, 12, pick(0.65, 0.6, 0.7), pick(60, 75, 90), 6, 0.001), **curves) | {"form": "array"}
    yield make.probe("steep", *data(3, 300, 9, pick(1.1, 1.2, 1.0), pick(0.4, 0.45, 0.35), 9, 0.001, whole=False), **curves)
    yield make.probe("flat", *data(1e3, 1e9, 13, pick(0.3, 0.27, 0.33), pick(1.7, 1.6, 1.2), 4, 0.001), **curves)
    yield make.probe("in no order", *data(10, 10000, 11, pick(0.5, 0.6, 0.55), pick(1.5, 1.2, 1.7), 4, 0.001, shuffled=True), **forms)
    yield make.probe("falling sizes", *[values[::-1] for values in data(10, 10000, 10, pick(0.55, 0.5, 0.6), pick(1.3, 1.6, 1.1), 5, 0.001)], **forms, edge=True) | {"form": "tuple"}
    yield make.probe("tensors of float32", *data(5, 5000, 10, pick(0.6, 0.55, 0.5), pick(1.2, 0.9, 1.4), 4, 0.0003), **forms, edge=True) | {"form": "single"}
    yield make.probe("arrays", *data(2, 2000, 9, pick(0.65, 0.6, 0.7), pick(0.8, 1.3, 1.1), 4, 0.0003), **forms, edge=True) | {"form": "array"}


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


@exercise.alternative("floors tried, a straight line for each, refined")
def version_1(size, loss):
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


@exercise.alternative("numpy, 3,000 floors at once")
def version_2(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.alternative("a loop over 1,000 floors")
def version_3(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    best = None
    for floor in np.linspace(0, y.min(), 1000)[:-1]:
        slope, start = np.polyfit(np.log(s), np.log(y - floor), 1)
        miss = np.sum((np.log(y - floor) - start - slope * np.log(s)) ** 2)
        if best is None or miss < best[0]:
            best = miss, np.exp(start), -slope, floor
    _, a, alpha, floor = best
    return a, alpha, floor


@exercise.alternative("scipy's curve_fit")
def version_4(size, loss):
    import numpy as np
    from scipy.optimize import curve_fit
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    curve = lambda s, log_a, alpha, floor: floor + np.exp(log_a - alpha * np.log(s))
    (log_a, alpha, floor), _ = curve_fit(curve, s, y, p0=(0.0, 0.5, y.min()), maxfev=20000)
    a = np.exp(log_a)
    return a, alpha, floor


@exercise.alternative("curve_fit with start values from a straight line")
def version_5(size, loss):
    import numpy as np
    from scipy import optimize
    s, y = np.array([float(v) for v in size]), np.array([float(v) for v in loss])
    slope, start = np.polyfit(np.log(s), np.log(y - 0.9 * y.min()), 1)
    found = optimize.curve_fit(lambda s, a, alpha, c: c + a * s ** (-alpha), s, y, p0=[np.exp(start), -slope, 0.9 * y.min()], maxfev=50000)
    return tuple(float(v) for v in found[0])


@exercise.alternative("torch's LBFGS")
def version_6(size, loss):
    x = torch.log(torch.as_tensor(size, dtype=torch.float64))
    y = torch.as_tensor(loss, dtype=torch.float64)
    centre, scale = x.mean(), y.min()
    p = torch.tensor([0.0, -0.7, 0.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([p], lr=1, max_iter=300, history_size=20, tolerance_grad=1e-14, tolerance_change=1e-18, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        curve = torch.sigmoid(p[2]) + torch.exp(p[0] - p[1].exp() * (x - centre))
        miss = ((curve * scale / y - 1) ** 2).sum()
        miss.backward()
        return miss

    optimizer.step(closure)
    alpha = p[1].exp().item()
    return (torch.exp(p[0]) * scale).item() * math.exp(alpha * centre.item()), alpha, (torch.sigmoid(p[2]) * scale).item()


@exercise.alternative("least squares for each exponent, a list of tensors")
def version_7(size, loss):
    sizes, y = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
    best = None
    for alpha in torch.linspace(0.05, 2.0, 800, dtype=torch.float64):
        columns = torch.stack([(sizes / sizes.min()) ** -alpha, torch.ones_like(y)], dim=1)
        answer = torch.linalg.lstsq(columns, y[:, None], driver="gelsd").solution.squeeze(1)
        miss = ((columns @ answer - y) ** 2).sum()
        if best is None or miss < best[0]:
            best = miss, answer[0] * sizes.min() ** alpha, alpha, answer[1]
    return list(best[1:])


@exercise.alternative("Gauss and Newton by hand, an array")
def version_8(size, loss):
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


@exercise.alternative("golden section over the floor, plain Python")
def version_9(size, loss):
    x, y = [math.log(float(s)) for s in size], [float(v) for v in loss]
    mean_x = sum(x) / len(x)

    def line(floor):
        z = [math.log(v - floor) for v in y]
        mean_z = sum(z) / len(z)
        slope = sum((p - mean_x) * (q - mean_z) for p, q in zip(x, z)) / sum((p - mean_x) ** 2 for p in x)
        start = mean_z - slope * mean_x
        return sum((q - start - slope * p) ** 2 for p, q in zip(x, z)), math.exp(start), -slope, floor

    golden, share = (math.sqrt(5) - 1) / 2, min(range(1, 60), key=lambda step: line(step / 60 * min(y))[0])
    low, high = (share - 1) / 60 * min(y), min(share + 1, 59.9) / 60 * min(y)
    for _ in range(80):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if line(left)[0] < line(right)[0]:
            high = right
        else:
            low = left
    return line((low + high) / 2)[1:]


@exercise.alternative("residuals of a projection, a tensor")
def version_92(size, loss):
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


@exercise.wrong("floor-ignored")
def version_10(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    slope, start = np.polyfit(np.log(s), np.log(y), 1)
    a, alpha, floor = np.exp(start), -slope, 0.0
    return a, alpha, floor


@exercise.wrong("floor-ignored", "torch")
def version_11(size, loss):
    x, y = torch.as_tensor(size).double().log(), torch.as_tensor(loss).double().log()
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return (y.mean() - slope * x.mean()).exp().item(), -slope.item(), 0.0


@exercise.wrong("floor-ignored", "and the sign")
def version_12(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    slope, start = np.polyfit(np.log(s), np.log(y), 1)
    a, alpha, floor = np.exp(start), -slope, 0.0
    return a, slope, floor


@exercise.wrong("floor-ignored", "log10")
def version_13(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    slope, start = np.polyfit(np.log10(s), np.log10(y), 1)
    a, alpha, floor = 10**start, -slope, 0.0
    return a, alpha, floor


@exercise.wrong("floor-ignored", "first and last")
def version_14(size, loss):
    s, y = [float(v) for v in size], [float(v) for v in loss]
    big, small = s.index(max(s)), s.index(min(s))
    alpha = math.log(y[small] / y[big]) / math.log(s[big] / s[small])
    return y[small] * s[small] ** alpha, alpha, 0.0


@exercise.wrong("floor-ignored", "curve_fit of two numbers")
def version_15(size, loss):
    import numpy as np
    from scipy.optimize import curve_fit
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    curve = lambda s, log_a, alpha: np.exp(log_a - alpha * np.log(s))
    (log_a, alpha), _ = curve_fit(curve, s, y, p0=(0.0, 0.5), maxfev=20000)
    a = np.exp(log_a)
    return a, alpha, 0


@exercise.wrong("floor-guessed", "just below the smallest")
def version_16(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    slope, start = np.polyfit(np.log(s), np.log(y - 0.999 * y.min()), 1)
    a, alpha, floor = np.exp(start), -slope, 0.999 * y.min()
    return a, alpha, floor


@exercise.wrong("floor-guessed", "a tiny number below")
def version_17(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    slope, start = np.polyfit(np.log(s), np.log(y - y.min() + 1e-9), 1)
    a, alpha, floor = np.exp(start), -slope, y.min()
    return a, alpha, floor


@exercise.wrong("floor-guessed", "0.9")
def version_18(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    slope, start = np.polyfit(np.log(s), np.log(y - 0.9 * y.min()), 1)
    a, alpha, floor = np.exp(start), -slope, 0.9 * y.min()
    return a, alpha, floor


@exercise.wrong("floor-guessed", "0.95")
def version_19(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    slope, start = np.polyfit(np.log(s), np.log(y - 0.95 * y.min()), 1)
    a, alpha, floor = np.exp(start), -slope, 0.95 * y.min()
    return a, alpha, floor


@exercise.wrong("floor-guessed", "half")
def version_20(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    slope, start = np.polyfit(np.log(s), np.log(y - 0.5 * y.min()), 1)
    a, alpha, floor = np.exp(start), -slope, 0.5 * y.min()
    return a, alpha, floor


@exercise.wrong("floor-guessed", "without the smallest")
def version_21(size, loss):
    x, y = torch.as_tensor(size).double().log(), torch.as_tensor(loss).double()
    floor = y.min()
    keep = y > floor
    x, z = x[keep], (y[keep] - floor).log()
    slope = ((x - x.mean()) * (z - z.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return (z.mean() - slope * x.mean()).exp().item(), -slope.item(), floor.item()


@exercise.wrong("floor-guessed", "the floor beside a line without it")
def version_22(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    slope, start = np.polyfit(np.log(s), np.log(y), 1)
    a, alpha, floor = np.exp(start), -slope, y.min()
    return a, alpha, floor


@exercise.wrong("curve-off", "the floor is what remains on average")
def version_23(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    slope, start = np.polyfit(np.log(s), np.log(y), 1)
    a, alpha, floor = np.exp(start), -slope, 0.0
    return a, alpha, np.mean(y - a * s**-alpha)


@exercise.wrong("floor-after-the-fit")
def version_24(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    slope, start = np.polyfit(np.log(s), np.log(y), 1)
    a, alpha, floor = np.exp(start), -slope, 0.0
    return a, alpha, np.min(y - a * s**-alpha)


@exercise.wrong("alpha-sign", "tried floors")
def version_25(size, loss):
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
    return a, -alpha, floor


@exercise.wrong("alpha-sign", "curve_fit")
def version_26(size, loss):
    import numpy as np
    from scipy.optimize import curve_fit
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    curve = lambda s, log_a, alpha, floor: floor + np.exp(log_a - alpha * np.log(s))
    (log_a, alpha, floor), _ = curve_fit(curve, s, y, p0=(0.0, 0.5, y.min()), maxfev=20000)
    a = np.exp(log_a)
    return a, -alpha, floor


@exercise.wrong("logarithm-of-a", "tried floors")
def version_27(size, loss):
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
    return math.log(a), alpha, floor


@exercise.wrong("logarithm-of-a", "curve_fit")
def version_28(size, loss):
    import numpy as np
    from scipy.optimize import curve_fit
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    curve = lambda s, log_a, alpha, floor: floor + np.exp(log_a - alpha * np.log(s))
    (log_a, alpha, floor), _ = curve_fit(curve, s, y, p0=(0.0, 0.5, y.min()), maxfev=20000)
    a = np.exp(log_a)
    return math.log(a), alpha, floor


@exercise.wrong("logarithm-of-a", "base 10, tried floors")
def version_29(size, loss):
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
    return math.log10(a), alpha, floor


@exercise.wrong("logarithm-of-a", "base 10, curve_fit")
def version_30(size, loss):
    import numpy as np
    from scipy.optimize import curve_fit
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    curve = lambda s, log_a, alpha, floor: floor + np.exp(log_a - alpha * np.log(s))
    (log_a, alpha, floor), _ = curve_fit(curve, s, y, p0=(0.0, 0.5, y.min()), maxfev=20000)
    a = np.exp(log_a)
    return math.log10(a), alpha, floor


@exercise.wrong("logarithm-of-a", "and the sign")
def version_31(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return np.log(a), -alpha, floor


@exercise.wrong("another-base-for-a", "10 for e")
def version_32(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = 10**start[best], -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("another-base-for-a", "e for 10")
def version_33(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log10(s), np.log10(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("another-base-for-a", "2 for e")
def version_34(size, loss):
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
    a, alpha, floor = 2 ** float(start[best]), -float(slope[best]), float(least * shares[best])
    return a, alpha, floor


@exercise.wrong("another-base-for-a", "e for 10, torch")
def version_35(size, loss):
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
    a, alpha, floor = float((start[best] / math.log(10)).exp()), -float(slope[best]), float(least * shares[best])
    return a, alpha, floor


@exercise.wrong("two-bases", "sizes by log10")
def version_36(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log10(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("two-bases", "losses by log10")
def version_37(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log(s), np.log10(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = 10**start[best], -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("two-bases", "sizes by log2")
def version_38(size, loss):
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
    return a, alpha * math.log(2), floor


@exercise.wrong("two-bases", "alpha in decades")
def version_39(size, loss):
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
    return a, alpha * math.log(10), floor


@exercise.wrong("order", "alpha first, tried floors")
def version_40(size, loss):
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
    return alpha, a, floor


@exercise.wrong("order", "floor first, tried floors")
def version_41(size, loss):
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
    return floor, a, alpha


@exercise.wrong("order", "a and floor exchanged, tried floors")
def version_42(size, loss):
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
    return floor, alpha, a


@exercise.wrong("order", "alpha last, tried floors")
def version_43(size, loss):
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
    return a, floor, alpha


@exercise.wrong("inverted", "alpha, tried floors")
def version_44(size, loss):
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
    return a, 1 / alpha, floor


@exercise.wrong("inverted", "a, tried floors")
def version_45(size, loss):
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
    return 1 / a, alpha, floor


@exercise.wrong("sizes-rescaled", "by the largest")
def version_46(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    s = s / s.max()
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("sizes-rescaled", "the logarithms centred")
def version_47(size, loss):
    sizes = torch.as_tensor(size, dtype=torch.float64)
    losses = torch.as_tensor(loss, dtype=torch.float64)
    x = sizes.log()
    x = x - x.mean()
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


@exercise.wrong("sizes-rescaled", "by the mean")
def version_48(size, loss):
    sizes = torch.as_tensor(size, dtype=torch.float64)
    losses = torch.as_tensor(loss, dtype=torch.float64)
    x = (sizes / sizes.mean()).log()
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


@exercise.wrong("losses-rescaled", "by the largest")
def version_49(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    y = y / y.max()
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("losses-rescaled", "by the smallest")
def version_50(size, loss):
    sizes = torch.as_tensor(size, dtype=torch.float64)
    losses = torch.as_tensor(loss, dtype=torch.float64)
    x = sizes.log()
    losses = losses / losses.min()
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


@exercise.wrong("loss-at-one", "tried floors")
def version_51(size, loss):
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
    return a + floor, alpha, floor


@exercise.wrong("fixed-range", "from 0 to 1")
def version_52(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, min(1.0, 0.9999 * y.min()), 1000)
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("fixed-range", "from 0 to 2")
def version_53(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, min(2.0, 0.9999 * y.min()), 1500)
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("fixed-range", "from 0 to 10")
def version_54(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, min(10.0, 0.9999 * y.min()), 1500)
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("fixed-range", "steps of 0.01")
def version_55(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.arange(0, min(y.min(), 5), 0.01)
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("start-values", "curve_fit without any")
def version_56(size, loss):
    import numpy as np
    from scipy.optimize import curve_fit
    found, _ = curve_fit(lambda s, a, alpha, floor: floor + a * s**-alpha, np.asarray(size, dtype=float), np.asarray(loss, dtype=float), maxfev=20000)
    return tuple(found)


@exercise.wrong("curve-off", "Adam, stopped early")
def version_57(size, loss):
    s, y = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
    p = torch.tensor([1.0, 0.5, 1.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([p], lr=0.01)
    for _ in range(300):
        optimizer.zero_grad()
        ((p[2] + p[0] * s ** -p[1] - y) ** 2).mean().backward()
        optimizer.step()
    a, alpha, floor = p.tolist()
    return a, alpha, floor


@exercise.wrong("curve-off", "an exponential")
def version_58(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    best = None
    for floor in np.linspace(0, y.min(), 1003)[1:-2]:
        slope, start = np.polyfit(s / s.max(), np.log(y - floor), 1)
        miss = np.sum((y - floor - np.exp(start + slope * s / s.max())) ** 2)
        if best is None or miss < best[0]:
            best = miss, np.exp(start), -slope / s.max(), floor
    return best[1:]


@exercise.wrong("curve-off", "constants")
def version_59(size, loss):
    return 1.0, 0.5, 0.1


@exercise.wrong("floor-guessed", "ten round shares tried")
def version_60(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 11)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("coarse", "twenty floors")
def version_61(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, 0.99 * y.min(), 20)
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("coarse", "exponents in steps of 0.1")
def version_62(size, loss):
    s, y = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
    best = None
    for alpha in torch.arange(0.1, 2.0, 0.1):
        x = s ** -alpha
        slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
        floor = y.mean() - slope * x.mean()
        miss = ((floor + slope * x - y) ** 2).sum()
        if best is None or miss < best[0]:
            best = miss, slope.item(), alpha.item(), floor.item()
    return best[1:]


@exercise.wrong("not-finite", "the smallest loss is the floor")
def version_63(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    z = np.log(y - y.min())
    slope = np.sum((np.log(s) - np.log(s).mean()) * (z - z.mean())) / np.sum((np.log(s) - np.log(s).mean()) ** 2)
    start = z.mean() - slope * np.log(s).mean()
    a, alpha, floor = np.exp(start), -slope, y.min()
    return a, alpha, floor


@exercise.wrong("not-finite", "torch")
def version_64(size, loss):
    x, y = torch.as_tensor(size).double().log(), torch.as_tensor(loss).double()
    z = (y - y.min()).log()
    slope = ((x - x.mean()) * (z - z.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return (z.mean() - slope * x.mean()).exp().item(), -slope.item(), y.min().item()


@exercise.wrong("not-finite", "floors above the losses")
def version_65(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.max(), 400)
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("sorted-assumed", "floors up to the last loss")
def version_66(size, loss):
    sizes = torch.as_tensor(size, dtype=torch.float64)
    losses = torch.as_tensor(loss, dtype=torch.float64)
    x = sizes.log()
    least, low, high = losses[-1], 0.0, 1.0
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


@exercise.wrong("sorted-assumed", "numpy")
def version_67(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y[-1], 3000)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("complex")
def version_68(size, loss):
    x, y = [math.log(float(s)) for s in size], [float(v) for v in loss]
    z = [math.log(v - min(y)) for v in y]
    slope = (z[0] - z[-1]) / (x[0] - x[-1])
    return math.exp(z[0] - slope * x[0]), -slope, min(y)


@exercise.wrong("form-refused", "torch's log")
def version_69(size, loss):
    x = torch.log(size)
    sizes, losses = size.double(), loss.double()
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


@exercise.wrong("form-refused", "the method log")
def version_70(size, loss):
    x = size.log()
    sizes, losses = size.double(), loss.double()
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


@exercise.wrong("form-refused", "the method double")
def version_71(size, loss):
    sizes, losses = size.double(), loss.double()
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


@exercise.wrong("form-refused", "min of a list")
def version_72(size, loss):
    x = loss.min()
    sizes, losses = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
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


@exercise.wrong("form-refused", "a shape")
def version_73(size, loss):
    n = size.shape[0]
    sizes, losses = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
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


@exercise.wrong("form-refused", "from_numpy")
def version_74(size, loss):
    sizes, losses = torch.from_numpy(size).double(), torch.from_numpy(loss).double()
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


@exercise.wrong("form-refused", "a difference")
def version_75(size, loss):
    rest = loss - 0.0
    sizes, losses = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
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


@exercise.wrong("form-refused", "a product")
def version_76(size, loss):
    rest = loss * 1.0
    sizes, losses = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
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


@exercise.wrong("form-refused", "a power")
def version_77(size, loss):
    rest = size ** -0.5
    sizes, losses = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
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


@exercise.wrong("form-refused", "a quotient")
def version_78(size, loss):
    rest = size / 1.0
    sizes, losses = torch.as_tensor(size).double(), torch.as_tensor(loss).double()
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


@exercise.wrong("form-refused", "lists alone")
def version_79(size, loss):
    if not isinstance(size, list):
        raise TypeError('size must be a list')
    sizes, losses = torch.tensor(size).double(), torch.tensor(loss).double()
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


@exercise.wrong("not-three", "two")
def version_80(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    slope, start = np.polyfit(np.log(s), np.log(y), 1)
    a, alpha, floor = np.exp(start), -slope, 0.0
    return a, alpha


@exercise.wrong("not-three", "a dict")
def version_81(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return {'a': a, 'alpha': alpha, 'floor': floor}


@exercise.wrong("not-three", "curve_fit's own answer")
def version_82(size, loss):
    import numpy as np
    from scipy.optimize import curve_fit
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    curve = lambda s, log_a, alpha, floor: floor + np.exp(log_a - alpha * np.log(s))
    return curve_fit(curve, s, y, p0=(0.0, 0.5, y.min()), maxfev=20000)


@exercise.wrong("not-three", "the error as well")
def version_83(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor, miss[best]


@exercise.wrong("not-three", "a function")
def version_84(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return lambda n: floor + a * n**-alpha


@exercise.wrong("not-three", "the fitted losses")
def version_85(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return floor + a * s**-alpha


@exercise.wrong("changes-input")
def version_86(size, loss):
    if isinstance(loss, list):
        order = sorted(range(len(size)), key=lambda place: -size[place])
        size[:], loss[:] = [size[place] for place in order], [loss[place] for place in order]
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


@exercise.wrong("fixed-range", "steps of 0.01, up to the smallest loss")
def version_89(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.arange(0, y.min(), 0.01)
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    return a, alpha, floor


@exercise.wrong("first-point-for-a", "the first loss")
def version_90(size, loss):
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


@exercise.wrong("floor-guessed", "the last floor tried")
def version_91(size, loss):
    import numpy as np
    x, y = np.log(np.array(size, dtype=float)), np.array(loss, dtype=float)
    best = math.inf
    for f in np.linspace(0, y.min() * 0.999, 1000):
        z = np.log(y - f)
        s, c = np.polyfit(x, z, 1)
        r = float(((z - s * x - c) ** 2).sum())
        best = min(best, r)
    return float(np.exp(c)), float(-s), float(f)


@exercise.wrong("curve-off", "the line turned round")
def version_93(size, loss):
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


@exercise.wrong("returns-nothing")
def version_87(size, loss):
    import numpy as np
    s, y = np.asarray(size, dtype=float), np.asarray(loss, dtype=float)
    floors = np.linspace(0, y.min(), 3000)[:-1]
    x, z = np.log(s), np.log(y[:, None] - floors)
    slope, start = np.polyfit(x, z, 1)
    miss = np.sum((z - start - slope * x[:, None]) ** 2, axis=0)
    best = miss.argmin()
    a, alpha, floor = np.exp(start[best]), -slope[best], floors[best]
    print(a, alpha, floor)


@exercise.wrong("timeout")
def version_88(size, loss):
    from time import sleep
    floor = min(float(v) for v in loss)
    while floor > 0:
        sleep(0.01)
    return 1.0, 0.5, floor
