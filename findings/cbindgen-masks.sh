#!/usr/bin/env bash
# Integer constants that cbindgen writes into C and C++ headers.
#
# Guess: a constant has Rust's value in both languages, or is left out.
# Seen (cbindgen 0.29.4, gcc and g++ 12.2.0): the expression is copied without its type, so all of it is computed on
# int. In C the u32 mask !0 has 64 bits where it meets 64, and the u8 !1 is not 254. In both languages !0 >> 4 is all
# ones, for u16 and u64, and the u64 1 << 31 has its upper half set. In C the least i64 is unsigned and so not below 0.
# No warning is printed with -Wall -Wextra. Where C itself warns (1 << 40), cbindgen's issue 849 is about it.
set -euo pipefail
for program in cargo gcc g++; do
    command -v "$program" >/dev/null || { echo "missing: $program" >&2; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR=$folder/target
mkdir "$folder/src" && cd "$folder"
cat >constants.rs <<'RUST'
pub const MASK: u32 = !0;
pub const REST: u8 = !1;
pub const TWELVE: u16 = !0 >> 4;
pub const SIXTY: u64 = !0 >> 4;
pub const HIGH: u64 = 1 << 31;
pub const LEAST: i64 = -9223372036854775808;
RUST
echo 'package = { name = "constants", edition = "2021" }' >Cargo.toml
echo 'dependencies.cbindgen = "=0.29.4"' >>Cargo.toml
cat >src/main.rs <<'RUST'
use cbindgen::{Builder, Language};
include!("../constants.rs");

fn main() {
    for (language, path) in [(Language::C, "constants.h"), (Language::Cxx, "constants.hpp")] {
        Builder::new().with_src("constants.rs").with_language(language).generate().unwrap().write_to_file(path);
    }
    let x = u64::MAX;
    let values = [x & u64::from(MASK), 255 - u64::from(REST), u64::from(TWELVE), SIXTY, HIGH];
    println!("Rust {} {}", values.map(|value| format!("{value:x}")).join(" "), LEAST < 5);
}
RUST
cat >main.inc <<'C'
#include <stdio.h>
int main(void) {
    unsigned long long x = -1ull, masked = x & MASK, rest = 255 - REST, twelve = TWELVE, sixty = SIXTY, high = HIGH;
    printf("%llx %llx %llx %llx %llx %s\n", masked, rest, twelve, sixty, high, LEAST < 5 ? "true" : "false");
}
C
rust=$(cargo run --quiet)
grep '#define' constants.h
grep 'constexpr' constants.hpp
(echo '#include "constants.h"' && cat main.inc) >main.c
(echo '#include "constants.hpp"' && cat main.inc) >main.cpp
gcc -Wall -Wextra -Werror main.c -o main-c && g++ -Wall -Wextra -Werror main.cpp -o main-cpp
seen="$rust
C $(./main-c)
C++ $(./main-cpp)"
echo "$seen"
[ "$seen" = "Rust ffffffff 1 fff fffffffffffffff 80000000 true
C ffffffffffffffff 101 ffffffffffffffff ffffffffffffffff ffffffff80000000 false
C++ ffffffff 1 ffff ffffffffffffffff ffffffff80000000 true" ] || { echo "another behaviour" >&2; exit 1; }
