#!/usr/bin/env bash
# GLSL's integers, vectors and conditions in npm packages that translate or preprocess it.
#
# Guess: ints divide as in GLSL, a copy is a copy, == of vectors is one bool, and #if is computed on integers.
# Seen (glsl-transpiler 3.0.3, @shaderfrog/glsl-parser 7.0.1, glslang 12.0.0): the transpiler to JavaScript knows the
# types, but 7 / 2 is 3.5, so that t[n / 2] is undefined, and ivec2(1.7, 2.0) keeps its fraction. == and != of vectors are
# lists, so both are true in a condition. A variable that begins as a copy of a vector, matrix or struct is the same object.
# glsl-parser's preprocessor takes 7 / 2 == 3 for false, 1 / 2 for true, and 010 for ten; glslang takes them as C does.
# Sums are right in the first, and other operators in the second.
set -euo pipefail
dpkg -s glslang-tools >/dev/null 2>&1 || { echo "missing: glslang-tools" >&2; exit 77; }
command -v node >/dev/null && command -v npm >/dev/null || { echo "missing: nodejs npm" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --prefix "$folder" glsl-transpiler@3.0.3 @shaderfrog/glsl-parser@7.0.1

cat >glsl.mjs <<'JS'
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { compile } from "glsl-transpiler";
import preprocessor from "@shaderfrog/glsl-parser/preprocessor/index.js";

const made = source => new Function(`${compile(source)}; return f`)();
const seen = {};
for (const [operator, right] of Object.entries({ "+": (a, b) => a + b, "/": (a, b) => Math.trunc(a / b) })) {
    const f = made(`int f(int a, int b) { return a ${operator} b; }`);
    seen[operator] = 0;
    for (let a = -20; a <= 20; a++) for (let b = 1; b <= 20; b++) seen[operator] += f(a, b) - right(a, b) !== 0;
}
seen.middle = made("float f(int n) { float t[3]; t[0] = 1.0; t[1] = 2.0; t[2] = 3.0; return t[n / 2]; }")(3);
seen.ivec = Array.from(made("ivec2 f(vec2 a) { return ivec2(a); }")([1.75, 2]));
for (const operator of ["==", "!="])
    seen[`ivec ${operator}`] = made(`int f(ivec2 a, ivec2 b) { if (a ${operator} b) return 1; return 0; }`)([1, 2], [3, 4]);
seen.vector = Array.from(made("ivec2 f(ivec2 a) { ivec2 b = a; b.x = 9; return a; }")([1, 2]));
seen.matrix = Array.from(made("mat2 f(mat2 a) { mat2 b = a; b[0][0] = 9.0; return a; }")([1, 2, 3, 4]));
seen.struct = made("struct S { int n; }; int f() { S s = S(1); S t = s; t.n = 9; return s.n; }")();

const preprocess = preprocessor.default ?? preprocessor.preprocess ?? preprocessor;
const conditions = ["7 / 2 == 3", "-7 / 2 == -3", "5 / 2 * 2 == 4", "1 / 2", "010 == 8"];
for (const a of ["-7", "0", "3", "8"]) for (const b of ["1", "2", "5"])
    for (const operator of ["+", "-", "*", "%", "&", "|", "^", "<<", ">>", "<", ">=", "=="])
        for (const value of ["1", "3", "10"]) if (a !== "-7" || operator !== "%") conditions.push(`(${a} ${operator} ${b}) > ${value}`);
const source = conditions.map((condition, i) => `#if ${condition}\nYES${i}\n#else\nNO${i}\n#endif\n`).join("");
writeFileSync("source.comp", `#version 310 es\n${source}`);
const answers = text => text.match(/YES\d+|NO\d+/g).map(word => word.startsWith("YES"));
const ours = answers(preprocess(source, {}));
const glslang = answers(execFileSync("glslangValidator", ["-E", "source.comp"], { encoding: "utf8" }));
seen.conditions = conditions.filter((_, i) => ours[i] !== glslang[i]);
const text = JSON.stringify(seen, (_, value) => value === undefined ? "undefined" : value);
console.log(conditions.length, text);
if (text !== '{"+":0,"/":668,"middle":"undefined","ivec":[1.75,2],"ivec ==":1,"ivec !=":1,"vector":[9,2],"matrix":[9,2,3,4],'
    + `"struct":9,"conditions":${JSON.stringify(conditions.slice(0, 5))}}`) {
    console.error("another behaviour");
    process.exit(1);
}
JS
node glsl.mjs
