#!/usr/bin/env bash
# Loops over rows of 128 bits, as one integer and as two of 64 bits.
#
# Guess: clang (LLVM 22) compiles both to the same vector code, as the bytes and the operations are the same.
# Seen (clang 22.1.8 in ziglang 0.17.1, -O3, x86-64-v3 and wasm32 with simd128): `&=`, a fold by `|` and a sum of bit
# counts over `unsigned __int128` and `_BitInt(120)` are scalar; over pairs of 64 bits they are vectors.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check ziglang==0.17.1
cd "$folder"
export ZIG_GLOBAL_CACHE_DIR=$folder/cache ZIG_LOCAL_CACHE_DIR=$folder/cache

cat >loops.h <<'C'
typedef unsigned long long word;
typedef struct { word low, high; } pair;
C
cat >whole.c <<'C'
#include "loops.h"
#ifndef ROW
#define ROW unsigned __int128
#endif
void both(ROW *restrict a, const ROW *restrict b, long n) { for (long i = 0; i < n; i++) a[i] &= b[i]; }
void any(const ROW *a, long n, ROW *o) { ROW s = 0; for (long i = 0; i < n; i++) s |= a[i]; *o = s; }
word ones(const ROW *a, long n) {
    word s = 0;
    for (long i = 0; i < n; i++) s += __builtin_popcountll((word)a[i]) + __builtin_popcountll((word)(a[i] >> 64));
    return s;
}
C
cat >pairs.c <<'C'
#include "loops.h"
void both(pair *restrict a, const pair *restrict b, long n) {
    for (long i = 0; i < n; i++) a[i].low &= b[i].low, a[i].high &= b[i].high;
}
void any(const pair *a, long n, pair *o) {
    pair s = {0, 0};
    for (long i = 0; i < n; i++) s.low |= a[i].low, s.high |= a[i].high;
    *o = s;
}
word ones(const pair *a, long n) {
    word s = 0;
    for (long i = 0; i < n; i++) s += __builtin_popcountll(a[i].low) + __builtin_popcountll(a[i].high);
    return s;
}
C
# The functions whose code has vectors, of 256 bits on x86-64 and 128 in WebAssembly.
vectors() {
    venv/bin/python -m ziglang cc -O3 -S "$@" -o code.s 2>/dev/null
    awk '/^[a-z]+:/ { name = $1 } /ymm|v128\.(and|or|load|store)|i64x2\.add/ { print name }' code.s | uniq | tr -d '\n'
}
for target in "-target x86_64-linux-musl -mcpu=x86_64_v3" "-target wasm32-freestanding -msimd128"; do
    # shellcheck disable=SC2086 # the options are words
    seen="$(vectors $target whole.c)/$(vectors $target '-DROW=unsigned _BitInt(120)' whole.c)/$(vectors $target pairs.c)"
    echo "$target: vectors in whole rows / rows of 120 bits / pairs: $seen"
    [ "$seen" = "//both:any:ones:" ] || { echo "another behaviour" >&2; exit 1; }
done
