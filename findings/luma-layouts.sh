#!/usr/bin/env bash
# Offsets that JavaScript libraries compute for 16-bit members and matrices of a buffer.
#
# Guess: they put every member where WGSL has it, or refuse types that they do not know.
# Seen (@luma.gl/core 9.4.2, @use-gpu/core 0.18.0; wgsl_reflect 1.6.0 lays out as Tint does): luma.gl accepts f16, gives it
# 4 bytes in all three layouts, and writes a number's integer part, 1 for 1.5, in place of a half, and at half the offset
# that it computed. In std140 its mat3x2 begins at 8, glslang's at 16. use.gpu counts 24 bytes for mat2x3<f32>, of 32.
set -euo pipefail
command -v npm >/dev/null && command -v glslangValidator >/dev/null || { echo "missing: npm glslang-tools" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --prefix . @luma.gl/core@9.4.2 @use-gpu/core@0.18.0 wgsl_reflect@1.6.0
cat >block.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0, std140) uniform Block { float one; mat3x2 two; float three; };
layout(binding = 1, std430) buffer Result { float result; };
void main() { result = one + two[1][1] + three; }
GLSL
cat >layouts.mjs <<'JS'
import * as luma from "@luma.gl/core";
import usegpu from "@use-gpu/core";
import { WgslReflect } from "wgsl_reflect/wgsl_reflect.module.js";

const halves = { one: "f16", two: "vec3<f16>", three: "u32" };
const matrix = { one: "f32", two: "mat3x2<f32>", three: "f32" };
const wide = { one: "f32", two: "mat2x3<f32>", three: "f32" };
const print = (name, offsets, size) => console.log(`${name} ${offsets.join(" ")}: ${size}`);
const byLuma = (name, types, layout) => {
    const block = luma.makeShaderBlockLayout(types, { layout });
    print(`luma.gl ${layout} ${name}`, Object.values(block.fields).map(field => 4 * field.offset), block.byteLength);
    return block;
};
const byWgsl = (name, types) => {
    const members = Object.entries(types).map(([member, type]) => `${member}: ${type}`);
    const [struct] = new WgslReflect(`enable f16; struct Block { ${members} }`).structs;
    print(`WGSL ${name}`, struct.members.map(member => member.offset), struct.size);
};
byWgsl("halves", halves);
for (const layout of ["std140", "wgsl-uniform", "wgsl-storage"]) byLuma("halves", halves, layout);
const bytes = new luma.ShaderBlockWriter(byLuma("halves", halves, "wgsl-storage")).getData({ one: 1.5, two: [2, 3, 4] });
print("written", Array.from(bytes.slice(0, 16)), bytes.length);
byLuma("matrix", matrix, "std140");
byWgsl("wide", wide);
byLuma("wide", wide, "wgsl-storage");
const { attributes, length } = usegpu.makeUniformLayout(Object.entries(wide).map(([name, format]) => ({ name, format })));
print("use.gpu wide", attributes.map(attribute => attribute.offset), length);
JS
node layouts.mjs | tee seen
glslangValidator -l -q block.comp | grep -oE '(one|two|three): offset [0-9]+' | sort | tee -a seen
[ "$(uniq seen | tr '\n' ';')" = "WGSL halves 0 8 16: 24;luma.gl std140 halves 0 16 28: 32;\
luma.gl wgsl-uniform halves 0 16 28: 32;luma.gl wgsl-storage halves 0 16 28: 32;\
written 1 0 0 0 0 0 0 0 2 0 3 0 4 0 0 0: 32;luma.gl std140 matrix 0 8 56: 64;WGSL wide 0 16 48: 64;\
luma.gl wgsl-storage wide 0 16 48: 64;use.gpu wide 0 16 40: 48;one: offset 0;three: offset 64;two: offset 16;" ] ||
    { echo "another behaviour" >&2; exit 1; }
