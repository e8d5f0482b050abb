#!/usr/bin/env bash
# Sums of bit counts in WebAssembly with vector instructions.
#
# Guess: with simd128, clang counts the bits of an array with i8x16.popcnt, which is one instruction in every engine.
# Seen (clang 22.1.8 in ziglang 0.17.1, -O3 -msimd128): for numbers of 8, 32 and 64 bits it loads vectors, extracts each
# lane, counts its bits with i32.popcnt or i64.popcnt, and puts the counts into a vector to add them. Only the intrinsic
# gives i8x16.popcnt.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check ziglang==0.17.1
cd "$folder"
export ZIG_GLOBAL_CACHE_DIR=$folder/cache ZIG_LOCAL_CACHE_DIR=$folder/cache

cat >counts.c <<'C'
#include <wasm_simd128.h>
unsigned long long longs(const unsigned long long *r, int n) {
    unsigned long long s = 0;
    for (int i = 0; i < n; i++) s += __builtin_popcountll(r[i]);
    return s;
}
unsigned words(const unsigned *r, int n) {
    unsigned s = 0;
    for (int i = 0; i < n; i++) s += __builtin_popcount(r[i]);
    return s;
}
unsigned bytes(const unsigned char *r, int n) {
    unsigned s = 0;
    for (int i = 0; i < n; i++) s += __builtin_popcount(r[i]);
    return s;
}
v128_t intrinsic(v128_t v) { return wasm_i8x16_popcnt(v); }
C
venv/bin/python -m ziglang cc -O3 -target wasm32-freestanding -msimd128 -S counts.c -o counts.s 2>/dev/null
seen=$(awk '/^[a-z]+:/ { name = $1 } /popcnt|extract_lane/ { print name $1 }' counts.s | sort -u | tr '\n' ' ')
echo "$seen"
expected="bytes:i32.popcnt bytes:i32x4.extract_lane intrinsic:i8x16.popcnt longs:i64.popcnt longs:i64x2.extract_lane \
words:i32.popcnt words:i32x4.extract_lane "
[ "$seen" = "$expected" ] || { echo "another behaviour" >&2; exit 1; }
