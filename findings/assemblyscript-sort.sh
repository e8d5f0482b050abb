#!/usr/bin/env bash
# AssemblyScript's sort() of 32-bit integers.
#
# Guess: sort() without a function puts integers of every type in the order of their values; the library's types say so
# of typed arrays ("numerically").
# Seen (assemblyscript 0.28.20): i32 are compared by a difference that wraps at 32 bits, so integers that are 2^31 or
# more apart come out in the wrong order, in arrays and in typed arrays: of the 24 orders of four such integers 6 are
# sorted. i8, i16, u32, i64 and u64 are right.
set -euo pipefail
for program in node npm; do
    command -v "$program" >/dev/null || { echo "missing: $program" >&2; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --prefix "$folder" assemblyscript@0.28.20
cat >sorts.ts <<'TS'
/** How many of the 24 orders of four integers, which are given from the least to the greatest, sort() puts right. */
function sorted<T>(a: T, b: T, c: T, d: T): i32 {
  let right = 0;
  for (let order = 0; order < 24; order++) {
    const left: T[] = [a, b, c, d];
    const values: T[] = [];
    for (let n = 4, code = order; n > 0; code /= n, n--) values.push(left.splice(code % n, 1)[0]);
    values.sort();
    right += i32(values[0] == a && values[1] == b && values[2] == c && values[3] == d);
  }
  return right;
}

export function i8s(): i32 { return sorted<i8>(i8.MIN_VALUE, -1, 0, i8.MAX_VALUE); }
export function i16s(): i32 { return sorted<i16>(i16.MIN_VALUE, -1, 0, i16.MAX_VALUE); }
export function i32s(): i32 { return sorted<i32>(i32.MIN_VALUE, -1, 0, i32.MAX_VALUE); }
export function nearI32s(): i32 { return sorted<i32>(-1000, -1, 0, 1000); }
export function u32s(): i32 { return sorted<u32>(0, 1, 0x80000000, u32.MAX_VALUE); }
export function i64s(): i32 { return sorted<i64>(i64.MIN_VALUE, -1, 0, i64.MAX_VALUE); }
export function u64s(): i32 { return sorted<u64>(0, 1, 0x8000000000000000, u64.MAX_VALUE); }

export function typed(): string {
  const values = new Int32Array(2);
  values[0] = i32.MIN_VALUE;
  values[1] = i32.MAX_VALUE;
  return values.sort().toString();
}
TS
node_modules/.bin/asc sorts.ts --bindings raw --outFile sorts.wasm --optimize
cat >run.mjs <<'JS'
import { readFile } from "node:fs/promises";
import { instantiate } from "./sorts.js";
const sorts = await instantiate(await WebAssembly.compile(await readFile("sorts.wasm")), {});
const counts = ["i8s", "i16s", "i32s", "nearI32s", "u32s", "i64s", "u64s"].map(name => `${name} ${sorts[name]()}`);
console.log(counts.join(", "), "of 24; Int32Array:", sorts.typed());
JS
mv sorts.js sorts.mjs && sed -i 's/sorts\.js/sorts.mjs/' run.mjs
seen=$(node run.mjs)
echo "$seen"
[ "$seen" = "i8s 24, i16s 24, i32s 6, nearI32s 24, u32s 24, i64s 24, u64s 24 of 24; Int32Array: 2147483647,-2147483648" ] ||
    { echo "another behaviour" >&2; exit 1; }
