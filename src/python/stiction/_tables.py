# SPDX-License-Identifier: BSD-2-Clause
"""Tables of results: CSV files, HDF5 files, pandas frames."""

import csv

import numpy as np


def read_csv(path):
    """Returns a file's columns, {name: array}: numbers, nan for empty fields; texts if a field is not a number."""
    with open(path, newline="", encoding="utf-8") as file:
        names = next(csv.reader(file), [])
        rows = list(csv.reader(file))
    rows = [row for row in rows if len(row) == len(names)]  # the last row of a killed run may be incomplete
    return {name: _column([row[k] for row in rows]) for k, name in enumerate(names)}


def _column(fields):
    try:
        return np.array([float(field) if field else np.nan for field in fields])
    except ValueError:
        return np.array(fields, dtype=object)


def read_numbers(path):
    """Reads a file with numbers only: returns [rows][columns], and the names. Faster."""
    with open(path, encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split(",")
    values = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    return names, values.reshape(-1, len(names))


def read_hdf5(path):
    """Returns a file's datasets as arrays; needs h5py."""
    try:
        import h5py
    except ImportError:
        raise ImportError(f"{path}: h5py reads it (Debian's python3-h5py)") from None
    with h5py.File(path, "r") as file:
        return {name: np.array(data) for name, data in file.items() if isinstance(data, h5py.Dataset)}


def frame_of(arrays, names=None):
    """Returns a pandas frame of columns [n] and [n][d]; those of x become x1, x2, .. or, with names, x:NAME."""
    try:
        import pandas
    except ImportError:
        raise ImportError("frames need pandas (Debian's python3-pandas)") from None
    columns = {}
    for name, array in arrays.items():
        if array is None:
            continue
        if array.ndim == 1:
            columns[name] = array
            continue
        for i in range(array.shape[1]):
            named = names and name != "u" and array.shape[1] == len(names)
            columns[f"{name}:{names[i]}" if named else f"{name}{i + 1}"] = array[:, i]
    return pandas.DataFrame(columns)
