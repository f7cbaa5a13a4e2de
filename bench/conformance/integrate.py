# SPDX-License-Identifier: BSD-2-Clause
"""Motions with events in plain Python, without any code of stiction: extrapolated midpoint steps (Gragg, Bulirsch, Stoer) and roots by regula falsi.

A system has `state()`, the first y and mode; `rates(t, y, mode)`, dy/dt, smooth in a mode; `guards(t, y, mode)`, numbers that stay >= 0 while the
mode holds; `change(t, y, mode, which)`, the y and the mode after guard number `which`, or at the start (None); `row(t, y, mode)`,
x, v and lambda; `labels(mode)`, the names of the states that a mode has; `impact(t, y, mode, which)`, the name of an impact or None.
"""

COLUMNS = 9  # of the extrapolation: midpoint rules of 2, 4, .., 18 substeps
EVENTS = 1000  # more of them between two rows are a mode that ends at once, again and again


def midpoint(rates, t, y, h, n, first):
    """What y grows by until k h/n, k = 0, .., n, by the midpoint rule. This growth has less round-off than y."""
    s, d = h / n, range(len(y))
    path = [[0.0] * len(y), [s * first[i] for i in d]]
    for k in range(1, n):
        f = rates(t + k * s, [y[i] + path[k][i] for i in d])
        path.append([path[k - 1][i] + 2 * s * f[i] for i in d])
    return path


def step(rates, t, y, h, scale, tolerance):
    """The growth of y in h, whether it is accurate to tolerance * scale, and the growth on the way, roughly: a list at equal distances."""
    first, table, d = rates(t, y), [], range(len(y))
    for k in range(COLUMNS):
        path = midpoint(rates, t, y, h, 2 * k + 2, first)
        row = [path[-1]]
        for j in range(k):
            r = ((k + 1) / (k - j)) ** 2 - 1
            row.append([row[j][i] + (row[j][i] - table[j][i]) / r for i in d])
        error = max(abs(row[k][i] - row[k - 1][i]) / scale[i] for i in d) if k else tolerance + 1
        table = row
        if k > 2 and error <= tolerance:
            return table[k], True, path
    return table[-1], False, path


def lowest(value, low, high):
    """A time of value < 0 between low and high if the minimum there is less than 0, else None. Golden sections."""
    ratio, least = (5 ** 0.5 - 1) / 2, 1e-8 * (high - low)
    s, r = high - ratio * (high - low), low + ratio * (high - low)
    at_s, at_r = value(s), value(r)
    while high - low > least and at_s >= 0 and at_r >= 0:
        if at_s < at_r:
            high, r, at_r = r, s, at_s
            s = high - ratio * (high - low)
            at_s = value(s)
        else:
            low, s, at_s = s, r, at_r
            r = low + ratio * (high - low)
            at_r = value(r)
    return s if at_s < 0 else r if at_r < 0 else None


def below(value, samples, h):
    """A time in (0, h] at which value(s) < 0, None: there is none. samples: rough values at equal distances. Where they have a minimum that is small
    against what they differ by from one to the next, the minimum itself is looked for: it may be less than 0 for less time than lies between two."""
    n, size = len(samples) - 1, max(abs(sample) for sample in samples)
    zero = min(0.0, samples[0]) - 1e-15 * size  # round-off is not less than 0
    for i, sample in enumerate(samples):
        before, after = max(i - 1, 0), min(i + 1, n)
        if i and sample < zero and value(h * i / n) < zero:
            return h * i / n
        if i == 0 and sample <= 1e-9 * size:  # the mode begins here
            continue
        if sample <= min(samples[before], samples[after]) and sample <= 2 * (max(samples[before], samples[after]) - sample):
            found = lowest(lambda s: value(s) - zero, h * before / n, h * after / n)
            if found is not None:
                return found
    return None


def root(at, h, g_low, t):
    """The time in [0, h] at which at(s), a guard and the growth of y, has the guard 0, and this growth. The guard is g_low >= 0 at 0, < 0 at h."""
    low, high, (g_high, grown), side = 0.0, h, at(h), 0
    for _ in range(20):  # what is 0 at first may be > 0 afterwards, as the speed of what has let go
        if g_low > 0:
            break
        middle = (low + high) / 2
        g, grown = at(middle)
        if g < 0:
            high, g_high = middle, g
        elif g > 0:
            low, g_low = middle, g
        else:
            break
    if g_low <= 0:
        return 0.0, [0.0] * len(grown)
    for _ in range(200):
        if high - low <= 4e-16 * (abs(t) + high):
            break
        s = (low * g_high - high * g_low) / (g_high - g_low)
        s = s if low < s < high else (low + high) / 2
        g, grown = at(s)
        if g == 0:
            return s, grown
        if g < 0:
            high, g_high, g_low, side = s, g, g_low / 2 if side < 0 else g_low, -1
        else:
            low, g_low, g_high, side = s, g, g_high / 2 if side > 0 else g_high, 1
    return high, at(high)[1]


def first_event(system, t, y, mode, h, path, scale, tolerance):
    """The first end of a mode in a step: its time after t, the growth of y until then, and the number of its guard; None: the mode holds."""
    rates, n, found = (lambda s, z: system.rates(s, z, mode)), len(path) - 1, []
    samples = [system.guards(t + h * i / n, [a + b for a, b in zip(y, grown)], mode) for i, grown in enumerate(path)]
    for k, g_low in enumerate(samples[0]):
        def at(s):
            grown = step(rates, t, y, s, scale, tolerance)[0]
            return system.guards(t + s, [a + b for a, b in zip(y, grown)], mode)[k], grown
        s = below(lambda s: at(s)[0], [sample[k] for sample in samples], h)
        if s is not None:
            found.append((*root(at, s, g_low, t), k))
    return min(found, key=lambda event: event[0], default=None)


def follow(system, times, tolerance=1e-13):
    """The motion at ascending times, the first of which is the start: (rows, events). An event is [dof, from, to, state]; an impact has from = to."""
    y, mode = system.state()
    t, rows, events, since = times[0], [], [], {}
    scale = [max(abs(a), 1e-2) for a in y]
    y, mode = system.change(t, y, mode, None)
    rows.append(system.row(t, y, mode))

    def note():
        labels = set(system.labels(mode))
        for label in [label for label in since if label not in labels]:
            events.append([label[0], since.pop(label), t, label[1]])
        for label in labels:
            since.setdefault(label, t)

    note()
    h = usual = (times[1] - t) / 16
    for end in times[1:]:
        count = 0
        while t < end:
            last = h >= end - t
            trial = end - t if last else h
            rates = lambda s, z: system.rates(s, z, mode)
            grown, accurate, path = step(rates, t, y, trial, scale, tolerance)
            if not accurate and trial > 1e-9 * end:
                h = trial / 2
                continue
            event = first_event(system, t, y, mode, trial, path[:-1] + [grown], scale, tolerance)
            if event:
                count += 1
                if count > EVENTS:
                    raise RuntimeError(f"more than {EVENTS} events before {end}, at {t}")
                s, grown, which = event
                t, y = t + s, [a + b for a, b in zip(y, grown)]
                hit = system.impact(t, y, mode, which)
                if hit:
                    events.append([hit[0], t, t, hit[1]])
                y, mode = system.change(t, y, mode, which)
                note()
                h = min(trial, system.first_step(t, y, mode, usual))
                continue
            t, y = end if last else t + trial, [a + b for a, b in zip(y, grown)]
            scale = [max(a, abs(b)) for a, b in zip(scale, y)]
            h = max(h, 1.6 * trial)
        rows.append(system.row(t, y, mode))
    events += [[dof, start, t, state] for (dof, state), start in since.items()]
    return rows, sorted(events, key=lambda e: (e[1], e[0], e[3]))
