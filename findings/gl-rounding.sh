#!/usr/bin/env bash
# Integers through f32 and back in WGSL on wgpu's GL backend.
#
# Guess: f32(x) rounds to 24 bits, so u32(f32(0x12345678u)) is 0x12345680, and a conversion to an integer gives the
# nearest one of its type, u32(-1.0) = 0, as in WGSL's definition and on Vulkan.
# Seen (wgpu 0.32.0 of PyPI, llvmpipe of Mesa 22.3.6): on GL all 32 bits come back, as both conversions are dropped;
# after an addition the number is rounded. u32(-1.0) has all bits set, and i32(4294967295.0) is negative.
set -euo pipefail
for package in libegl1 libegl-mesa0 libgl1-mesa-dri libvulkan1 mesa-vulkan-drivers; do
    dpkg -s "$package" >/dev/null 2>&1 || { echo "missing: $package" >&2; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check wgpu==0.32.0

cat >"$folder/rounding.py" <<'PY'
import ctypes, sys
import wgpu
from wgpu.utils.compute import compute_with_buffers

INPUTS = [0x12345678, 0xffffffff, 1]
OUTPUTS = ["u32(f32(inputs[0]))", "u32(f32(inputs[0]) + f32(inputs[2]))", "u32(-f32(inputs[2]))", "i32(f32(inputs[1]))", "i32(4294967295.0 * f32(inputs[2]))"]
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
run() { (cd "$folder" && WGPU_BACKEND_TYPE=$1 NODEVICE_SELECT=1 venv/bin/python rounding.py $1 2>"$folder/$1"); }
seen="$(run Vulkan)
$(run OpenGL)" || { cat "$folder/Vulkan" "$folder/OpenGL" >&2; exit 1; }
echo "$seen"
[ "$seen" = "Vulkan: 0x12345680 0x12345680 0x0 0x7fffff80 0x7fffff80
OpenGL: 0x12345678 0x12345680 0xffffffff 0xffffffff 0x80000000" ] || { echo "another behaviour" >&2; exit 1; }
