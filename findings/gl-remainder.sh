#!/usr/bin/env bash
# Integer division in WGSL on wgpu's GL backend.
#
# Guess: it is as WGSL defines it, and as on Vulkan: a remainder has the sign of the dividend, x / 0 = x, x % 0 = 0.
# Seen (wgpu 0.32.0 of PyPI, llvmpipe of Mesa 22.3.6): on GL -1 % 3 is 0, -2 % 7 is 2, and 16777215 % -3 is 16777215,
# as if operands had no sign; 5u / 0u and 5u % 0u have all bits set. A constant, which naga computes, is right.
# GLSL leaves all of this undefined, and unlike for Vulkan, wgpu adds no code that would define it.
set -euo pipefail
for package in libegl1 libegl-mesa0 libgl1-mesa-dri libvulkan1 mesa-vulkan-drivers; do
    dpkg -s "$package" >/dev/null 2>&1 || { echo "missing: $package" >&2; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check wgpu==0.32.0

cat >"$folder/remainder.py" <<'PY'
import ctypes, sys
import wgpu
from wgpu.utils.compute import compute_with_buffers

INPUTS = [-1, -2, 16777215, 3, 7, -3, 5, 0]
OUTPUTS = ["i(0) % i(3)", "i(1) % i(4)", "i(2) % i(5)", "inputs[6] / inputs[7]", "inputs[6] % inputs[7]", "-1i % 3i"]
SHADER = """
@group(0) @binding(0) var<storage, read> inputs: array<u32>;
@group(0) @binding(1) var<storage, read_write> outputs: array<u32>;
fn i(n: u32) -> i32 { return bitcast<i32>(inputs[n]); }
@compute @workgroup_size(1) fn main() {
""" + "".join(f"    outputs[{n}] = bitcast<u32>({text});\n" for n, text in enumerate(OUTPUTS)) + "}"
inputs = (ctypes.c_uint32 * len(INPUTS))(*(value % 2**32 for value in INPUTS))
results = compute_with_buffers({0: inputs}, {1: (len(OUTPUTS), "I")}, SHADER, n=1)[1].tolist()
info = wgpu.utils.get_default_device().adapter.info
assert info["backend_type"] == sys.argv[1] and "llvmpipe" in info["device"], info
print(sys.argv[1] + ":", *(f"{value:#x}" for value in results))
PY
run() { (cd "$folder" && WGPU_BACKEND_TYPE=$1 NODEVICE_SELECT=1 venv/bin/python remainder.py $1 2>"$folder/$1"); }
seen="$(run Vulkan)
$(run OpenGL)" || { cat "$folder/Vulkan" "$folder/OpenGL" >&2; exit 1; }
echo "$seen"
[ "$seen" = "Vulkan: 0xffffffff 0xfffffffe 0x0 0x5 0x0 0xffffffff
OpenGL: 0x0 0x2 0xffffff 0xffffffff 0xffffffff 0xffffffff" ] || { echo "another behaviour" >&2; exit 1; }
