#!/usr/bin/env bash
# What spirv-opt folds of operations on bits.
#
# Guess: -O computes bit counts, searches, reversals and extractions of constants, and knows that x ^ x = 0, x | 0 = x
# and (x & 0xff) & 0xf00 = 0, also by vectors.
# Seen (spirv-tools 2023.1 of Debian 12): it does none of this. It does fold x & 0 of one word, x * 0, min of constants,
# and a constant's look-up in a table. Whether such code costs anything is for the driver's compiler to decide.
set -euo pipefail
for package in glslang-tools spirv-tools; do
    dpkg -s "$package" >/dev/null 2>&1 || { echo "missing: $package" >&2; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Prints what is left of an expression: its operations but those that load and store.
left() {
    cat >code.comp <<GLSL
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Words { uint words[]; };
layout(std430, binding = 1) buffer Rows { uvec4 rows[]; };
const uint table[4] = uint[4](5u, 6u, 7u, 8u);
void main() { uint x = words[0]; uvec4 row = rows[0]; words[1] = uint($1); }
GLSL
    glslangValidator -V code.comp -o code.spv >/dev/null
    spirv-opt -O code.spv -o folded.spv
    { spirv-dis --no-color folded.spv | awk '/OpFunction / { on = 1 } on && $2 == "=" { print $3 == "OpExtInst" ? $6 : $3 }' |
        grep -vE 'OpFunction|OpLabel|OpAccessChain|OpLoad|OpBitcast|OpSelect' || true; } | tr '\n' ' '
}
fails=0
check() {
    local found
    found=$(left "$1")
    printf '%-45s %s\n' "$1" "${found:-nothing}"
    [ "$found" = "$2" ] || fails=1
}
check "bitCount(0xff00ffu)" "OpBitCount "
check "findMSB(0xff00ffu)" "FindUMsb "
check "bitfieldReverse(1u)" "OpBitReverse "
check "bitfieldExtract(0x12345678u, 8, 8)" "OpBitFieldUExtract "
check "x ^ x" "OpBitwiseXor "
check "x | 0u" "OpBitwiseOr "
check "(x & 0xffu) & 0xf00u" "OpBitwiseAnd OpBitwiseAnd "
check "any(notEqual(row & uvec4(0u), uvec4(0u)))" "OpBitwiseAnd OpINotEqual OpAny "
check "x & 0u" ""
check "x * 0u" ""
check "min(0x80000000u, 7u)" ""
check "table[2]" ""
[ "$fails" = 0 ] || { echo "another behaviour" >&2; exit 1; }
