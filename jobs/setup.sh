#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Installs the Debian packages that stiction is built, run and tested with. Safe to repeat: quiet when nothing is missing.
#   usage: jobs/setup.sh [--with-tests] [--with-lint] [--with-browser] [--with-slurm] [--with-fuzz] [--with-docs] [--with-peers]
set -euo pipefail

packages=(gcc make cmake pkg-config libopenmpi-dev openmpi-bin petsc-dev libhdf5-openmpi-dev liblapack-dev libblas-dev
          libnlopt-dev libyaml-dev libjansson-dev libmicrohttpd-dev libexpat1-dev zlib1g-dev gnuplot-nox)
for option; do
  case $option in
    --with-tests) packages+=(libcmocka-dev libsundials-dev jq hdf5-tools valgrind g++ groff-base dpkg-dev python3-numpy python3-scipy python3-h5py python3-jsonschema) ;;
    --with-lint) packages+=(git clang-format shellcheck cppcheck) ;;
    --with-browser) packages+=(chromium) ;; # for the tests of reports and of the page
    --with-slurm) packages+=(slurm-wlm munge jq) ;;
    --with-fuzz) packages+=(clang libclang-rt-dev) ;;
    --with-peers) packages+=(g++ libsundials-dev libmujoco-dev libsiconos-kernel-dev libsiconos-numerics-dev libdart-dev libdart-external-ikfast-dev
                            libsimbody-dev libode-dev libbullet-dev) ;; # the simulators of bench/peers
    --with-docs) packages+=(mkdocs doxygen python3) ;;
    *) echo "usage: $0 [--with-tests] [--with-lint] [--with-browser] [--with-slurm] [--with-fuzz] [--with-docs] [--with-peers]" >&2; exit 2 ;;
  esac
done

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "$0: these packages are missing and need root: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "installing: ${missing[*]}" >&2
wait_for_lock=(-o DPkg::Lock::Timeout=300) # seconds: unattended upgrades hold it for a while
# the lists have a lock of their own, for which apt-get does not wait
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
until "${as_root[@]}" apt-get update -qq "${wait_for_lock[@]}" 2>"$errors"; do
  if ! grep -q 'lists/lock' "$errors" || [ "$SECONDS" -gt 300 ]; then
    cat "$errors" >&2
    exit 1
  fi
  sleep 2
done
cat "$errors" >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install "${wait_for_lock[@]}" -y -qq --no-install-recommends "${missing[@]}" >/dev/null
