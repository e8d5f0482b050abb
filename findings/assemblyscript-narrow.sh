#!/usr/bin/env bash
# Integers of 8 and 16 bits in AssemblyScript.
#
# Guess: rotl, rotr and a cast to bool treat them as integers of their width, as + and == do.
# Seen (assemblyscript 0.28.20, node 20): rotations of u8 and u16 are right, and so are those of i8 and i16 that are not
# negative; of a negative one the copies of its sign remain, so that rotl<i8>(-128, 1) is -1, not 1. A cast of a sum or
# product to bool looks at bits above the width: for u8 1 and 255, x + y == 0 and <bool>(x + y) are both true. popcnt<i8>
# and clz<u8> accept the types but count in 32 bits, of which the documentation speaks: 25 for -128, and 31 for 1.
set -euo pipefail
command -v node >/dev/null && command -v npm >/dev/null || { echo "missing: nodejs npm" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --prefix "$folder" assemblyscript@0.28.20

cat >narrow.ts <<'TS'
export function left8(x: i8, by: i8): i32 { return rotl<i8>(x, by); }
export function right8(x: i8, by: i8): i32 { return rotr<i8>(x, by); }
export function left16(x: i16, by: i16): i32 { return rotl<i16>(x, by); }
export function leftU8(x: u8, by: u8): i32 { return rotl<u8>(x, by); }
export function leftU16(x: u16, by: u16): i32 { return rotl<u16>(x, by); }
export function sumIsZero(x: u8, y: u8): bool { return x + y == 0; }
export function sumCast(x: u8, y: u8): bool { return <bool>(x + y); }
export function sumBranch(x: u8, y: u8): bool { return x + y ? true : false; }
export function productCast(x: u8, y: u8): bool { return <bool>(x * y); }
export function bits(x: i8): i32 { return popcnt<i8>(x); }
export function leading(x: u8): i32 { return clz<u8>(x); }
TS
cat >count.mjs <<'JS'
import { readFileSync } from "node:fs";
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[2])));
function rotated(x, by, width, signed) { // one digit at a time
    let digits = (x & (2 ** width - 1)).toString(2).padStart(width, "0");
    for (let i = 0; i < by; i++) digits = digits.slice(1) + digits[0];
    const value = parseInt(digits, 2);
    return signed && digits[0] === "1" ? value - 2 ** width : value;
}
const wrong = { left8: 0, right8: 0, left16: 0, leftU8: 0, leftU16: 0, negative: 0, cast: 0, product: 0, branch: 0 };
for (let x = 0; x < 256; x++) for (let y = 0; y < 256; y++) {
    const signed = x - (x & 128) * 2, wide = x * 256 + y, signedWide = wide - (wide & 32768) * 2;
    for (const [name, value, width, by, oracle] of y < 8 ? [
        ["left8", signed, 8, y, y], ["right8", signed, 8, y, 8 - y], ["leftU8", x, 8, y, y],
    ] : [["left16", signedWide, 16, y & 15, y & 15], ["leftU16", wide, 16, y & 15, y & 15]])
        if (exports[name](value, by) !== rotated(value, oracle, width, !name.includes("U")))
            wrong[name]++, wrong.negative += value < 0;
    if (!exports.sumIsZero(x, y) !== (x + y) % 256 > 0) throw new Error("another behaviour");
    wrong.cast += !!exports.sumCast(x, y) !== (x + y) % 256 > 0;
    wrong.branch += !!exports.sumBranch(x, y) !== (x + y) % 256 > 0;
    wrong.product += !!exports.productCast(x, y) !== (x * y) % 256 > 0;
}
console.log(exports.left8(-128, 1), exports.sumCast(1, 255), exports.bits(-128), exports.leading(1), JSON.stringify(wrong));
JS
for options in -O0 -O3; do
    node_modules/.bin/asc narrow.ts "$options" --outFile "narrow$options.wasm"
    node count.mjs "narrow$options.wasm" | tee "seen$options"
done
counts='"left8":769,"right8":769,"left16":27776,"leftU8":0,"leftU16":0,"negative":29314,"cast":255,"product":769,"branch":0'
for options in -O0 -O3; do
    [ "$(cat "seen$options")" = "-1 1 25 31 {$counts}" ] || { echo "another behaviour" >&2; exit 1; }
done
