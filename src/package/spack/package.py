# SPDX-License-Identifier: BSD-2-Clause
# A recipe for Spack. Its folder belongs into a repository of recipes, as packages/stiction.
from spack.package import *


class Stiction(CMakePackage):
    """Simulation and optimal control of mechanical systems with dry friction."""

    # The sources come from a clone: spack develop --path CLONE stiction@main
    version("main")

    license("BSD-2-Clause")

    variant("tests", default=False, description="Build the tests")
    variant("bench", default=False, description="Build the benchmarks")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("petsc@3.18:+shared+mpi")
    depends_on("hdf5@1.10:+hl+mpi+shared")
    depends_on("lapack")
    depends_on("blas")
    depends_on("nlopt@2.7:")
    depends_on("libyaml")
    depends_on("jansson")
    depends_on("libmicrohttpd@0.9.71:")
    depends_on("expat")
    depends_on("zlib-api")
    depends_on("gnuplot", type="run")
    depends_on("python@3.11:", type="run")
    depends_on("py-numpy", type="run")
    depends_on("cmocka", when="+tests", type="build")
    depends_on("sundials@6:", when="+tests", type="build")

    def cmake_args(self):
        return [
            self.define_from_variant("STICTION_TESTS", "tests"),
            self.define_from_variant("STICTION_BENCH", "bench"),
        ]

    def setup_run_environment(self, env):
        env.prepend_path("PYTHONPATH", join_path(self.prefix.lib, "python3", "dist-packages"))

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        program = Executable(self.prefix.bin.stiction)
        program("check", join_path(self.prefix.share, "stiction", "problems", "tp1.yaml"))
