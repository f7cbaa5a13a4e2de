#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Reads HDF5 results with h5py; for others_read.sh.

usage: others_read.py trajectory H5 CSV     the numbers of trajectory.csv, every dataset over its scales
       others_read.py sweep H5 CSV          likewise of a sweep's table
       others_read.py units H5 NAME=UNIT..  the attribute `units` of datasets
       others_read.py unitless H5 NAME..    datasets without it
       others_read.py events H5             all of events.h5 over the number of the slip
       others_read.py newer H5              raises the file's format by 1
"""
import csv
import re
import sys

import h5py
import numpy as np


def over(dataset, *scales):
    """Each dimension has one scale, attached and labelled by its name, as long as the dimension."""
    file = dataset.file
    assert dataset.ndim == len(scales), dataset.name
    for dimension, scale, size in zip(dataset.dims, scales, dataset.shape):
        assert dimension.label == scale, (dataset.name, dimension.label)
        assert len(dimension) == 1 and dimension[0] == file[scale], dataset.name
        assert h5py.h5ds.is_scale(file[scale].id) and file[scale].shape == (size,), dataset.name


def table(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], [list(column) for column in zip(*rows[1:])]


def trajectory(path, text):
    names, columns = table(text)
    with h5py.File(path, "r") as file:
        assert file.attrs["format"] == 1 and isinstance(file.attrs["problem"], str)
        along = "s" if "s" in file else "dof"
        scales = {"t", along, "control"}
        if along == "dof":
            assert (file["dof"][:] == np.arange(1, len(file["dof"]) + 1)).all()
        for name, dataset in file.items():
            assert dataset.attrs["units"], name
            if name not in scales:
                over(dataset, *["t", "control" if name == "u" else along][: dataset.ndim])
        read = set()
        for name, column in zip(names, columns):
            found = re.fullmatch(r"([a-z]+)(\d+)", name)
            vector = found and found[1] in file and file[found[1]].ndim == 2
            got = file[found[1]][:, int(found[2]) - 1] if vector else file[name][:]
            assert np.array_equal(got, np.array(column, float), equal_nan=True), name
            read.add(found[1] if vector else name)
        left = set(file) - read - scales - {"force"}
        assert not left, left
        if "force" in file:
            assert np.isfinite(file["force"][:]).all() and file["force"].shape == file["x"].shape


def sweep(path, text):
    names, columns = table(text)
    with h5py.File(path, "r") as file:
        assert file.attrs["format"] == 1 and set(file) == set(names)
        for name, column in zip(names, columns):
            values = file[name][:]
            if values.dtype.kind == "S":
                assert [value.decode() for value in values] == column, name
            else:
                assert np.array_equal(values, np.array([cell or "nan" for cell in column], float), equal_nan=True), name
            if name != "run":
                over(file[name], "run")


def units(path, *expected):
    with h5py.File(path, "r") as file:
        for one in expected:
            name, unit = one.split("=")
            assert file[name].attrs["units"] == unit, (name, file[name].attrs["units"])


def unitless(path, *names):
    with h5py.File(path, "r") as file:
        for name in names:
            assert "units" not in file[name].attrs, name


def events(path):
    with h5py.File(path, "r") as file:
        count = len(file["dof"])
        assert count > 0 and (file["number"][:] == np.arange(1, count + 1)).all()
        for name in set(file) - {"number"}:
            over(file[name], "number")


def newer(path):
    with h5py.File(path, "r+") as file:
        file.attrs["format"] = np.int32(file.attrs["format"] + 1)


if __name__ == "__main__":
    {"trajectory": trajectory, "sweep": sweep, "units": units, "unitless": unitless, "events": events, "newer": newer}[sys.argv[1]](*sys.argv[2:])
