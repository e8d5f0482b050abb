#!/usr/bin/env bash
# Conversions between integers and floats in modules that binaryen turns into JavaScript.
#
# Guess: they give the same bits as the module in an engine; divisions by zero, which do not trap, are documented.
# Seen (binaryen 132.0.0, node 20): the saturating conversions do not saturate: i32.trunc_sat_f64_u of -1.5 is 2^32 - 1
# and that of 10^10 is 10^10 modulo 2^32, where WebAssembly has 0 and 2^32 - 1. Rust's `as` compiles to these.
# f32.convert_i64_u and _s round twice, first to a double: 2^61 + 2^37 + 1 becomes 2^61. Those to f64, and back, are right.
set -euo pipefail
command -v node >/dev/null && command -v npm >/dev/null || { echo "missing: nodejs npm" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-fund --no-audit --prefix "$folder" binaryen@132.0.0

cat >"$folder/convert.mjs" <<'JS'
import { writeFileSync } from "node:fs";
import binaryen from "binaryen";

const LONG = "(i64.or (i64.extend_i32_u (local.get 0)) (i64.shl (i64.extend_i32_u (local.get 1)) (i64.const 32)))";
const text = `(module
    (func (export "float_s") (param i32 i32) (result f32) (f32.convert_i64_s ${LONG}))
    (func (export "float_u") (param i32 i32) (result f32) (f32.convert_i64_u ${LONG}))
    (func (export "double_u") (param i32 i32) (result f64) (f64.convert_i64_u ${LONG}))
    (func (export "saturate_s") (param f64) (result i32) (i32.trunc_sat_f64_s (local.get 0)))
    (func (export "saturate_u") (param f64) (result i32) (i32.trunc_sat_f64_u (local.get 0))))`;
const module = binaryen.parseText(text);
module.setFeatures(binaryen.Features.NontrappingFPToInt);
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module.emitBinary()));
writeFileSync("translated.mjs", module.emitAsmjs());
const translated = await import(`${process.cwd()}/translated.mjs`);

const calls = [
    ["float_u", 1, 0x20000020], ["float_s", 1, 0x20000020], ["float_u", 0, 0x20000020], ["double_u", 1, 0x20000020],
    ["saturate_u", -1.5], ["saturate_u", 1e10], ["saturate_s", 1e10], ["saturate_s", -1e10], ["saturate_s", -1.5],
    ["saturate_u", 3e9], ["saturate_u", NaN],
];
const seen = [];
for (const [name, ...values] of calls) {
    const [right, found] = [exports[name](...values), translated[name](...values)];
    if (right !== found) seen.push([name, ...values, right, found].join(" "));
}
console.log("call, WebAssembly, JavaScript:\n" + seen.join("\n"));
const expected = `float_u 1 536870944 ${2 ** 61 + 2 ** 38} ${2 ** 61}
float_s 1 536870944 ${2 ** 61 + 2 ** 38} ${2 ** 61}
saturate_u -1.5 0 -1
saturate_u 10000000000 -1 1410065408
saturate_s 10000000000 2147483647 1410065408
saturate_s -10000000000 -2147483648 -1410065408`;
if (seen.join("\n") !== expected) {
    console.error("another behaviour");
    process.exit(1);
}
JS
cd "$folder" && node convert.mjs
