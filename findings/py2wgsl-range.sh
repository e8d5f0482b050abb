#!/usr/bin/env bash
# Loops over range() that py2wgsl turns into WGSL.
#
# Guess: a loop makes as many iterations as in Python, which reads the bound once and gives the variable its next value
# even if the body has changed it, or is refused: this is not in the README's list of where WGSL differs from Python.
# Seen (py2wgsl 0.1.0, run by wgpu 0.32.0 of PyPI on llvmpipe): it becomes `for (var i: i32 = 0; i < bound; i++)`. So if
# the body lowers the bound, even one in a buffer, half the iterations are lost; if it raises the variable, some are.
set -euo pipefail
for package in libvulkan1 mesa-vulkan-drivers; do
    dpkg -s "$package" >/dev/null 2>&1 || { echo "missing: $package" >&2; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check py2wgsl==0.1.0 wgpu==0.32.0

cat >"$folder/loops.py" <<'PY'
import ctypes, re
from py2wgsl import Array, compile_kernel, i32
from wgpu.utils.compute import compute_with_buffers


def lowered(data: Array[i32]):
    bound = data[0]
    turns = 0
    for i in range(bound):
        bound = bound - 1
        turns += 1
    data[1] = turns


def raised(data: Array[i32]):
    turns = 0
    for i in range(data[0]):
        i = i + 1
        turns += 1
    data[1] = turns


def stored(data: Array[i32]):
    turns = 0
    for i in range(data[0]):
        data[0] = data[0] - 1
        turns += 1
    data[1] = turns


seen = {}
for kernel in (lowered, raised, stored):
    here = [10, 0]
    kernel(here)
    code = compile_kernel(kernel, workgroup_size=1).wgsl
    buffers = {int(number): (ctypes.c_int32 * 2)(10, 0) for number in re.findall(r"@binding\((\d+)\)", code)}
    results = compute_with_buffers(buffers, {number: (2, "i") for number in buffers}, code, n=1)
    there = list(results.values())[-1].tolist()
    seen[kernel.__name__] = here[1], there[1]
    print(kernel.__name__, "turns in Python and in WGSL:", *seen[kernel.__name__])
assert seen == {"lowered": (10, 5), "raised": (10, 5), "stored": (10, 5)}, "another behaviour"
PY
cd "$folder" && WGPU_BACKEND_TYPE=Vulkan NODEVICE_SELECT=1 venv/bin/python loops.py
