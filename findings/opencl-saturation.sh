#!/usr/bin/env bash
# OpenCL's saturating operations on long, in three implementations.
#
# Guess: add_sat, sub_sat and mad_sat are exact for all types everywhere, as OpenCL's conformance tests compare them.
# Seen (PoCL 3.1, Oclgrind 21.10, Rusticl of Mesa 22.3.6, all of Debian 12): PoCL is right. In Oclgrind, LONG_MIN plus
# itself is 0 and 0 - LONG_MIN is LONG_MIN, and mad_sat is wrong in many cases that overflow, as (-7) * 1 + LONG_MIN.
# In Rusticl add_sat and sub_sat are right, but mad_sat(a, 0, a) is LONG_MIN for negative a, and mad_sat(a, 1, a) is 2
# for a = -(2^63 - 1). On int, short and char, signed or not, and on ulong all three are right.
set -euo pipefail
for package in oclgrind pocl-opencl-icd mesa-opencl-icd ocl-icd-libopencl1; do
    dpkg -s "$package" >/dev/null 2>&1 || { echo "missing: $package" >&2; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pyopencl==2026.1.4 numpy==2.4.6

cat >"$folder/saturate.py" <<'PY'
import itertools, sys
import numpy
import pyopencl as cl

platform = next(platform for platform in cl.get_platforms() if sys.argv[1] in platform.name)
context = cl.Context(platform.get_devices()[:1])
queue = cl.CommandQueue(context)
EXACT = {
    "add_sat(a, b)": lambda a, b: a + b,
    "sub_sat(a, b)": lambda a, b: a - b,
    "mad_sat(a, b, a)": lambda a, b: a * b + a,
}
wrong = []
for name, kind in {"long": "int64", "ulong": "uint64", "int": "int32", "uint": "uint32", "short": "int16"}.items():
    low, high = int(numpy.iinfo(kind).min), int(numpy.iinfo(kind).max)
    values = sorted({low, low + 1, high, high - 1, high // 3, low // 3, 0, 1, 7, *([-1, -2, -7] if low else [])})
    pairs = list(itertools.product(values, values))
    sides = [numpy.array(side, kind) for side in zip(*pairs)]
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    a, b, out = (cl.Buffer(context, flags, hostbuf=side) for side in (*sides, sides[0]))
    for call, exact in EXACT.items():
        source = f"""kernel void one(global {name} *x, global {name} *y, global {name} *out) {{
            size_t i = get_global_id(0); {name} a = x[i], b = y[i]; out[i] = {call}; }}"""
        cl.Program(context, source).build().one(queue, (len(pairs),), None, a, b, out)
        found = numpy.empty(len(pairs), kind)
        cl.enqueue_copy(queue, found, out)
        bad = [(x, y) for (x, y), value in zip(pairs, found.tolist()) if value != max(low, min(high, exact(x, y)))]
        if bad:
            wrong.append(f"{name} {call}: {len(bad)} of {len(pairs)}")
print(f"{sys.argv[1]}:", "; ".join(wrong) or "right")
PY
cd "$folder"
export RUSTICL_ENABLE=llvmpipe POCL_CACHE_DIR=$folder/cache MESA_SHADER_CACHE_DIR=$folder/cache
seen="$(venv/bin/python -W ignore saturate.py Portable)
$(oclgrind venv/bin/python -W ignore saturate.py Oclgrind)
$(venv/bin/python -W ignore saturate.py rusticl)"
echo "$seen"
[ "$seen" = "Portable: right
Oclgrind: long add_sat(a, b): 1 of 144; long sub_sat(a, b): 1 of 144; long mad_sat(a, b, a): 28 of 144
rusticl: long mad_sat(a, b, a): 14 of 144" ] || { echo "another behaviour" >&2; exit 1; }
