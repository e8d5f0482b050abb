#!/usr/bin/env bash
# Arrays of three numbers in a buffer that pygfx lays out.
#
# Guess: array_from_shadertype, which aligns and pads by WGSL's rules, pads an array's rows or refuses the type.
# Seen (pygfx 0.17.0, wgpu 0.32.0 of PyPI, llvmpipe of Mesa 22.3.6): rows lie 12 bytes apart, while the WGSL that pygfx
# writes for the same type has an array<vec3<f32>>, 16 apart. Vectors, matrices and arrays of matrices are right. If
# padding after the array makes the sizes equal, the shader reads wrong rows without an error.
set -euo pipefail
for package in libvulkan1 mesa-vulkan-drivers; do
    dpkg -s "$package" >/dev/null 2>&1 || { echo "missing: $package" >&2; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pygfx==0.17.0 wgpu==0.32.0 numpy==2.4.6
cat >"$folder/rows.py" <<'PY'
import wgpu
from pygfx.renderers.wgpu.engine.utils import generate_uniform_struct
from pygfx.utils import array_from_shadertype
from wgpu.utils.compute import compute_with_buffers

seen = []
for kind, rows in [("2*3xf4", "rows[0], rows[1]"), ("2x3xf4", "rows[0], rows[1]"), ("2*2x3xf4", "rows[0][1], rows[1][0]")]:
    block = array_from_shadertype({"rows": kind, "last": "4xf4"})
    values = block["rows"].reshape(-1, block["rows"].shape[-1])
    for row in range(len(values)):
        values[row, :3] = [10 * row + column for column in range(3)]
    block["rows"] = values.reshape(block["rows"].shape)
    block["last"] = 99
    shader = generate_uniform_struct(block.dtype, "Block") + """
        @group(0) @binding(0) var<storage, read> block: Block;
        @group(0) @binding(1) var<storage, read_write> seen: array<vec4<f32>>;
        @compute @workgroup_size(1) fn main() {
            let rows = array(%s);
            seen[0] = vec4(rows[0], 0); seen[1] = vec4(rows[1], 0); seen[2] = block.last;
        }""" % rows.replace("rows", "block.rows")
    result = compute_with_buffers({0: block.tobytes()}, {1: (12, "f")}, shader, n=1)[1].tolist()
    seen.append(" ".join([kind, *(f"{value:g}" for value in result[0:3] + result[4:7] + result[8:9])]))
    print(seen[-1], f"of {block.nbytes} bytes")
assert "llvmpipe" in wgpu.utils.get_default_device().adapter.info["device"]
assert seen == ["2*3xf4 0 1 2 11 12 0 99", "2x3xf4 0 1 2 10 11 12 99", "2*2x3xf4 10 11 12 20 21 22 99"], "another behaviour"
PY
XDG_RUNTIME_DIR=$folder NODEVICE_SELECT=1 WGPU_BACKEND_TYPE=Vulkan "$folder/venv/bin/python" "$folder/rows.py"
