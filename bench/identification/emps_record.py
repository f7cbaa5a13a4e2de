#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Turns the measured record of EMPS, a file of MATLAB, into the two files that emps.yaml reads.

    python3 bench/identification/emps_record.py DATA_EMPS.mat FOLDER [TIME POSITION VOLTAGE GAIN]

The record is not part of this project; it is published with the benchmark. TIME, POSITION and VOLTAGE name its variables (t, qm, vir);
GAIN is the variable, or the number, of newtons per volt (35.15065). Needs scipy. Then, in FOLDER:

    cp bench/identification/emps.yaml FOLDER; stiction identify FOLDER/emps.yaml
"""

import sys
from pathlib import Path


def main():
    if len(sys.argv) not in (3, 7):
        sys.exit(__doc__)
    try:
        from scipy.io import loadmat
    except ImportError:
        sys.exit("emps_record: needs scipy (Debian: python3-scipy)")
    data, folder = loadmat(sys.argv[1], squeeze_me=True), Path(sys.argv[2])
    names = sys.argv[3:] or ["t", "qm", "vir", "35.15065"]
    missing = [name for name in names[:3] if name not in data]
    if missing:
        has = ", ".join(key for key in data if not key.startswith("_"))
        sys.exit(f"emps_record: {sys.argv[1]} has no {', '.join(missing)} (it has {has})")
    t, q, volt = (data[name].astype(float) for name in names[:3])
    gain = float(data[names[3]]) if names[3] in data else float(names[3])
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "emps.csv", "w") as log, open(folder / "emps-force.csv", "w") as force:
        log.write("t, x1\n")
        force.write("t, force\n")
        for k in range(len(t)):
            force.write(f"{t[k] - t[0]:.6f}, {gain * volt[k]:.12g}\n")
            if k % 10 == 0:
                log.write(f"{t[k] - t[0]:.6f}, {q[k]:.12g}\n")
    print(f"{len(t)} samples over {t[-1] - t[0]:g} s: set time.end to that, and model.x0 to {q[0]:.9g}")


main()
