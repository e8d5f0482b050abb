#!/usr/bin/env bash
# Constants of WGSL's packing functions, as wesl and wgsl-analyzer compute them.
#
# Guess: all functions that wgsl-types evaluates give the bits that WGSL defines, or are refused as not implemented.
# Seen (wgsl-types 0.4.0): pack4xU8Clamp and pack4xI8Clamp do not clamp: 256 becomes 0 where WGSL has 255. In the latter
# a negative number also sets all bits above its byte: (-1, 0, 0, 0) is 2^32 - 1. pack4xU8 and pack4xI8, which should
# use the lowest 8 bits, do so.
set -euo pipefail
command -v cargo >/dev/null || { echo "missing: cargo" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR=$folder/target
mkdir "$folder/src" && cd "$folder"
echo 'package = { name = "clamp", edition = "2024" }' >Cargo.toml
echo 'dependencies.wgsl-types = "=0.4.0"' >>Cargo.toml
cat >src/main.rs <<'RUST'
use wgsl_types::builtin::call::{pack4xI8, pack4xI8Clamp, pack4xU8, pack4xU8Clamp};
use wgsl_types::inst::{LiteralInstance, VecInstance};
use wgsl_types::{Error, Instance};

fn bits(result: Result<Instance, Error>) -> u32 {
    match result {
        Ok(Instance::Literal(LiteralInstance::U32(bits))) => bits,
        other => panic!("{other:?}"),
    }
}

fn main() {
    let signed = [[-1, 0, 0, 0], [1, 200, 0, 0], [-200, 0, 0, 5]];
    let unsigned = [[1, 255, 0, 0], [1, 256, 0, 0], [70000, 0, 0, 5]];
    let mut seen = Vec::new();
    for values in signed {
        let vector = VecInstance::from(values.map(|value| Instance::from(LiteralInstance::I32(value)))).into();
        let right = u32::from_le_bytes(values.map(|value: i32| value.clamp(-128, 127) as u8));
        let cut = u32::from_le_bytes(values.map(|value| value as u8));
        assert_eq!(bits(pack4xI8(&vector)), cut);
        seen.push((bits(pack4xI8Clamp(&vector)), right));
        println!("pack4xI8Clamp({values:?}) = {:#x}, right is {right:#x}", seen.last().unwrap().0);
    }
    for values in unsigned {
        let vector = VecInstance::from(values.map(|value| Instance::from(LiteralInstance::U32(value)))).into();
        let right = u32::from_le_bytes(values.map(|value: u32| value.min(255) as u8));
        let cut = u32::from_le_bytes(values.map(|value| value as u8));
        assert_eq!(bits(pack4xU8(&vector)), cut);
        seen.push((bits(pack4xU8Clamp(&vector)), right));
        println!("pack4xU8Clamp({values:?}) = {:#x}, right is {right:#x}", seen.last().unwrap().0);
    }
    let found: Vec<u32> = seen.iter().map(|&(found, _)| found).collect();
    assert_eq!(found, [0xffffffff, 0xffffc801, 0x05000038, 0x0000ff01, 0x00000001, 0x05000070], "another behaviour");
}
RUST
cargo run --quiet
