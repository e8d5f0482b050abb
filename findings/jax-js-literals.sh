#!/usr/bin/env bash
# Arithmetic of numbers and arrays of integers in jax-js, and counts of booleans.
#
# Guess: as in JAX, whose types and promotion it follows, int32 and 1.5 become float32, and a sum of booleans is an int32.
# Seen (@jax-js/jax 0.1.25, back ends cpu and wasm, node 20): the number is converted to the type of the array first. So
# 1 < 1.5 is false, 3 * 0.5 is 0, and 5 + (-1) is 5 for uint32, as -1 becomes 0. A sum of booleans says whether any is
# true, as does a dot product; cumsum and countNonzero count. Results of two arrays of integers are right.
set -euo pipefail
command -v node >/dev/null && command -v npm >/dev/null || { echo "missing: nodejs npm" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-fund --no-audit --prefix "$folder" @jax-js/jax@0.1.25

cat >"$folder/literals.mjs" <<'JS'
import { defaultDevice, init, numpy as np } from "@jax-js/jax";

await init("wasm");
const uint = (...values) => np.array(values, { dtype: "uint32" });
const int = (...values) => np.array(values, { dtype: "int32" });
const bool = (...values) => np.array(values, { dtype: "bool" });
const calls = {
    "1 < 1.5": () => int(1).less(1.5),
    "1 + 1.5": () => int(1).add(1.5),
    "3 * 0.5": () => int(3).mul(0.5),
    "5u + -1": () => uint(5).add(-1),
    "5u + 2^32": () => uint(5).add(2 ** 32),
    "5u + -1i": () => uint(5).add(int(-1)),
    "4e9u * 3u": () => uint(4e9).mul(uint(3)),
    "sum": () => np.sum(bool(true, true, true)),
    "dot": () => np.dot(bool(true, true), bool(true, true)),
    "cumsum": () => np.cumsum(bool(true, true, true)),
    "countNonzero": () => np.countNonzero(bool(true, true)),
    "sum of uint32": () => np.sum(uint(2 ** 32 - 1, 7)),
};
const seen = {};
for (const device of ["cpu", "wasm"]) {
    defaultDevice(device);
    for (const [name, call] of Object.entries(calls)) {
        const value = call();
        (seen[name] ??= []).push(`${value.dtype} ${JSON.stringify(value.js())}`);
    }
}
console.log(seen);
const expected = {
    "1 < 1.5": "bool [false]", "1 + 1.5": "int32 [2]", "3 * 0.5": "int32 [0]", "5u + -1": "uint32 [5]",
    "5u + 2^32": "uint32 [4]", "5u + -1i": "int32 [4]", "4e9u * 3u": `uint32 [${(4e9 * 3) % 2 ** 32}]`,
    "sum": "bool true", "dot": "bool true", "cumsum": "uint32 [1,2,3]", "countNonzero": "int32 2", "sum of uint32": "uint32 6",
};
if (Object.keys(calls).some(name => seen[name].some(value => value !== expected[name]))) {
    console.error("another behaviour");
    process.exit(1);
}
JS
cd "$folder" && node literals.mjs
