#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The recipes of src/package (Spack, conda, Debian) agree with what CMake knows: version, options, dependencies and their versions, installed paths.
usage: tests/consumer/recipes.py [ROOT]"""
import ast
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
package = root / "src/package"
failures = []

# a library as CMake names it, and as the recipes of Spack, conda and Debian do; CMake's compiler and threads are everywhere
LIBRARIES = {"MPI": ("mpi", "openmpi", "mpi-default-dev"), "PkgConfig": ("pkgconfig", "pkg-config", "pkgconf"), "ZLIB": ("zlib-api", "zlib", "zlib1g-dev"),
             "EXPAT": ("expat", "expat", "libexpat1-dev"), "PETSC": ("petsc", "petsc", "petsc-dev"), "LAPACK": ("lapack", "liblapack", "liblapack-dev"),
             "NLOPT": ("nlopt", "nlopt", "libnlopt-dev"), "HDF5": ("hdf5", "hdf5", "libhdf5-mpi-dev"), "YAML": ("libyaml", "yaml", "libyaml-dev"),
             "JANSSON": ("jansson", "jansson", "libjansson-dev"), "MICROHTTPD": ("libmicrohttpd", "libmicrohttpd", "libmicrohttpd-dev")}
# what is needed beside these: to build, with LAPACK, to run, for tests
OTHERS = {"c", "cmake", "make", "blas", "libblas", "libcblas", "libblas-dev", "gnuplot", "python", "python3", "py-numpy", "numpy", "cmocka", "sundials",
          "debhelper-compat", "dh-sequence-python3", "mpi-default-bin"}


def check(what, holds):
    if not holds:
        failures.append(what)


def text(path):
    return (root / path).read_text()


cmake = {path: re.sub(r"(?m)#.*$", "", text(path)) for path in ("CMakeLists.txt", "sim/CMakeLists.txt", "src/python/CMakeLists.txt", "bench/CMakeLists.txt")}
options = {name for part in cmake.values() for name in re.findall(r"(?:option\(|set\()(STICTION_\w+) [^)]*?(?:ON|OFF|CACHE [^)]*)\)", part)}
needed = set(re.findall(r"(?:find_package|pkg_check_modules|pkg_search_module)\((\w+)", cmake["CMakeLists.txt"])) - {"Threads"}
version = ".".join(re.findall(r"#define STICTION_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text("sim/version.h")))
oldest = {"cmake": re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", cmake["CMakeLists.txt"])[1],
          "libmicrohttpd": re.search(r"libmicrohttpd>=([\d.]+)", cmake["CMakeLists.txt"])[1],
          "python": re.search(r"python3 \(>= ([\d.]+)\)", text("src/package/CMakeLists.txt"))[1]}
check(f"CMake needs {needed ^ set(LIBRARIES)}, or this test does, but not both", needed == set(LIBRARIES))
check(f"CMake's options are {options}", {"STICTION_TESTS", "STICTION_BENCH", "STICTION_HDF5"} <= options)


def dependencies(name, column, found):
    """found: {package: its version or ''}"""
    for library, names in LIBRARIES.items():
        check(f"{name}: {names[column]} is missing, which CMake needs as {library}", names[column] in found)
    known = {names[column] for names in LIBRARIES.values()} | OTHERS
    for one, of in found.items():
        check(f"{name}: {one} is needed by nothing that CMake looks for", one in known)
        if one in oldest and of:
            check(f"{name}: {one} {of}, but CMake asks for {oldest[one]}", of == oldest[one])
    check(f"{name}: cmake has no version", found["cmake"] != "")


def given_options(path):
    for name in re.findall(r"-D(STICTION_\w+)", text(path)):
        check(f"{path}: CMake has no option {name}", name in options)


# Spack
recipe = ast.parse(text("src/package/spack/package.py"))
spack = next(node for node in recipe.body if isinstance(node, ast.ClassDef))
check("spack: the class is a CMakePackage", [base.id for base in spack.bases] == ["CMakePackage"] and spack.name == "Stiction")
calls = [node for node in ast.walk(spack) if isinstance(node, ast.Call)]


def called(name):
    return [call for call in calls if (call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")) == name]


variants = {call.args[0].value: next(word.value.value for word in call.keywords if word.arg == "default") for call in called("variant")}
passed = {call.args[1].value: call.args[0].value for call in called("define_from_variant")}
check(f"spack: the variants {set(variants) ^ set(passed)} and what is passed to CMake", set(variants) == set(passed))
for name, option in passed.items():
    check(f"spack: CMake has no option {option}", option in options)
when = [word.value.value for call in called("depends_on") for word in call.keywords if word.arg == "when"]
conditions = {sign for spec in when for sign in re.findall(r"[+~](\w+)", spec)}
check(f"spack: conditions {conditions} without a variant", conditions <= set(variants))
specs = [re.fullmatch(r"([\w-]+)(?:@([\d.]+):)?([+~\w]*)", call.args[0].value) for call in called("depends_on")]
check("spack: a dependency of another form than NAME@VERSION:+VARIANT", all(specs))
dependencies("spack", 0, {spec[1]: spec[2] or "" for spec in specs if spec})
check("spack: python and libmicrohttpd have versions", all(spec[2] for spec in specs if spec and spec[1] in oldest))
check("spack: the licence", called("license")[0].args[0].value == "BSD-2-Clause" and "BSD 2-Clause" in text("LICENSE"))
paths = [[part.value for part in call.args[1:]] for call in called("join_path")]
modules = re.search(r"STICTION_PYTHON_DIR (\S+)", cmake["src/python/CMakeLists.txt"])[1]
check(f"spack: the module is in {modules}, not in lib/{paths[0]}", "/".join(["lib", *paths[0]]) == modules)
check(f"spack: {paths[1]} is installed", (root / "jobs" / "/".join(paths[1][1:])).exists())

# conda
meta = re.sub(r" *# \[.*\]| *#.*", "", text("src/package/conda/meta.yaml"))
check(f"conda: the version is not {version}", f'version: "{version}"' in meta)
parts = dict(re.findall(r"^  (build|host|run):\n((?:    - .*\n)+)", meta, re.M))
lists = {name: re.findall(r"^    - ([\w-]+)(?: >=([\d.]+))?.*$", part, re.M) for name, part in parts.items()}
built = {name: of for kind in ("build", "host") for name, of in lists[kind]}
dependencies("conda", 1, built)
running = {"openmpi", "petsc", "hdf5", "libmicrohttpd", "gnuplot", "python", "numpy"}
check("conda: what is loaded at run time, and runs", running == {name for name, _ in lists["run"]})
check(f"conda: python {dict(lists['run'])['python']}", dict(lists["run"])["python"] == oldest["python"])
check("conda: the sources", (package / "conda" / re.search(r"path: (\S+)", meta)[1]).resolve() == root.resolve())
check("conda: the licence's file", (root / re.search(r"license_file: (\S+)", meta)[1]).exists())
check("conda: the problem file", (root / "jobs/problems/tp1.yaml").exists() and "share/stiction/problems/tp1.yaml" in meta)
check(f"conda: the module is in {modules}", f"PYTHONPATH=$PREFIX/{modules}" in meta)
given_options("src/package/conda/build.sh")

# Debian
control = text("src/package/debian/control")
depends = re.search(r"Build-Depends: ((?:.*,\n )*.*)", control)[1]
dependencies("debian", 2, dict(re.match(r"([\w.-]+)(?: \(>?= ([\d.]+)\))?", entry.strip()).groups(default="") for entry in depends.split(",")))
check(f"debian: the changelog is not of {version}", text("src/package/debian/changelog").startswith(f"stiction ({version}-1)"))
soname = f"libstiction{version.rsplit('.', 1)[0]}"
check(f"debian: the library's package is {soname}", f"Package: {soname}\n" in control and (package / "debian" / f"{soname}.install").exists())
check("debian: rules name the library's package", f"debian/{soname}.substvars" in text("src/package/debian/rules"))
given_options("src/package/debian/rules")
for path in ("src/package/portable.md", "src/package/README.md", "src/package/same-bytes.sh", "README.md"):
    given_options(path)

print("\n".join(failures), file=sys.stderr, end="\n" if failures else "")
sys.exit(1 if failures else 0)
