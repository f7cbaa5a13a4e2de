# SPDX-License-Identifier: BSD-2-Clause
"""Motions with events in plain Python, without any code of stiction: extrapolated midpoint steps (Gragg, Bulirsch, Stoer) and roots by regula falsi.

A system has `state()`, the first y and mode; `rates(t, y, mode)`, dy/dt, smooth in a mode; `guards(t, y, mode)`, numbers that stay >= 0 while the
mode holds; `change(t, y, mode, which)`, the y and the mode after guard number `which`, or at the start (None); `row(t, y, mode)`,
x, v and lambda; `labels(mode)`, the names of the states that a mode has; `impact(t, y, mode, which)`, the name of an impact or None.
"""

COLUMNS = 9  # of the extrapolation: midpoint rules of 2, 4, .., 18 substeps


def midpoint(rates, t, y, h, n, first):
    """What y grows by in h, by n substeps of the midpoint rule. Returns the growth alone: it has less round-off than y."""
    s, d = h / n, range(len(y))
    before, now = [0.0] * len(y), [s * first[i] for i in d]
    for k in range(1, n):
        f = rates(t + k * s, [y[i] + now[i] for i in d])
        before, now = now, [before[i] + 2 * s * f[i] for i in d]
    return now


def step(rates, t, y, h, scale, tolerance):
    """The growth of y in h and whether it is accurate to tolerance * scale."""
    first, table, d = rates(t, y), [], range(len(y))
    for k in range(COLUMNS):
        row = [midpoint(rates, t, y, h, 2 * k + 2, first)]
        for j in range(k):
            r = ((k + 1) / (k - j)) ** 2 - 1
            row.append([row[j][i] + (row[j][i] - table[j][i]) / r for i in d])
        error = max(abs(row[k][i] - row[k - 1][i]) / scale[i] for i in d) if k else tolerance + 1
        table = row
        if k > 2 and error <= tolerance:
            return table[k], True
    return table[-1], False


def root(rates, guard, t, y, h, scale, tolerance):
    """The time in [0, h] at which guard(t, y), >= 0 at 0 and < 0 at h, is 0, and the growth of y until then."""
    def at(s):
        grown = step(rates, t, y, s, scale, tolerance)[0]
        return guard(t + s, [a + b for a, b in zip(y, grown)]), grown
    low, high, g_low, (g_high, grown), side = 0.0, h, guard(t, y), at(h), 0
    if g_low <= 0:
        return 0.0, [0.0] * len(y)
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
        while t < end:
            last = h >= end - t
            trial = end - t if last else h
            rates = lambda s, z: system.rates(s, z, mode)
            grown, accurate = step(rates, t, y, trial, scale, tolerance)
            if not accurate and trial > 1e-9 * end:
                h = trial / 2
                continue
            z = [a + b for a, b in zip(y, grown)]
            over = [k for k, g in enumerate(system.guards(t + trial, z, mode)) if g < 0]
            if over:
                where = [(root(rates, lambda s, q, k=k: system.guards(s, q, mode)[k], t, y, trial, scale, tolerance), k) for k in over]
                (s, grown), which = min(where, key=lambda found: found[0][0])
                t, y = t + s, [a + b for a, b in zip(y, grown)]
                hit = system.impact(t, y, mode, which)
                if hit:
                    events.append([hit[0], t, t, hit[1]])
                y, mode = system.change(t, y, mode, which)
                note()
                h = min(trial, system.first_step(t, y, mode, usual))
                continue
            t, y = end if last else t + trial, z
            scale = [max(a, abs(b)) for a, b in zip(scale, y)]
            h = max(h, 1.6 * trial)
        rows.append(system.row(t, y, mode))
    events += [[dof, start, t, state] for (dof, state), start in since.items()]
    return rows, sorted(events, key=lambda e: (e[1], e[0], e[3]))
