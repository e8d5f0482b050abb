#!/usr/bin/env bash
# The bytes of WGSL values in a buffer, as wesl and wgsl-analyzer write and read them.
#
# Guess: sizes and bytes both follow WGSL's rules, and a value that was written can be read back.
# Seen (wgsl-types 0.4.0): sizes and alignments are WGSL's, bytes are not. The end of a struct is not padded, so that two
# structs of a vec3 in an array take 24 bytes of the 32 that size_of says, and the second is read from the wrong place.
# An array without a length is written at its alignment, but read from where the member before it ends.
set -euo pipefail
command -v cargo >/dev/null || { echo "missing: cargo" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR=$folder/target
mkdir "$folder/src" && cd "$folder"
echo 'package = { name = "buffers", edition = "2024" }' >Cargo.toml
echo 'dependencies.wgsl-types = "=0.4.0"' >>Cargo.toml
cat >src/main.rs <<'RUST'
use wgsl_types::Instance;
use wgsl_types::inst::{ArrayInstance, LiteralInstance, StructInstance, VecInstance};
use wgsl_types::ty::{StructMemberType, StructType, Ty, Type};

fn word(value: u32) -> Instance {
    LiteralInstance::U32(value).into()
}
fn row(first: u32) -> Instance {
    VecInstance::from([word(first), word(first + 1), word(first + 2)]).into()
}
fn structure(name: &str, members: &[(&str, Type)]) -> StructType {
    let members = members.iter().map(|(name, kind)| StructMemberType::new(name.to_string(), kind.clone()));
    StructType { name: name.into(), members: members.collect() }
}
// What size_of says, what is written, and what is read back.
fn show(value: Instance) -> String {
    let bytes = value.to_buffer().unwrap();
    let words: Vec<u8> = bytes.chunks(4).map(|word| word[0]).collect();
    format!("{:?} {words:?} {}", value.ty().size_of(), Instance::from_buffer(&bytes, &value.ty()).unwrap())
}

fn main() {
    let vec3 = Type::Vec(3, Box::new(Type::U32));
    let place = structure("Place", &[("at", vec3.clone())]);
    let at = |first| Instance::from(StructInstance::new(place.clone(), vec![row(first)]));
    let places = Type::Array(Box::new(place.clone().into()), Some(2));
    let list = structure("List", &[("places", places), ("last", Type::U32)]);
    let list = StructInstance::new(list, vec![ArrayInstance::new(vec![at(1), at(4)], false).into(), word(9)]);
    let open = structure("Open", &[("head", Type::U32), ("rows", Type::Array(Box::new(vec3), None))]);
    let open = StructInstance::new(open, vec![word(9), ArrayInstance::new(vec![row(1), row(4)], true).into()]);
    let seen = [show(list.into()), show(open.into())];
    println!("{}", seen.join("\n"));
    let expected = [
        "Some(48) [1, 2, 3, 4, 5, 6, 0, 0, 9] List(array(Place(vec3(1u, 2u, 3u)), Place(vec3(5u, 6u, 0u))), 9u)",
        "None [9, 0, 0, 0, 1, 2, 3, 0, 4, 5, 6, 0] Open(9u, array(vec3(0u, 0u, 0u), vec3(2u, 3u, 0u)))",
    ];
    assert_eq!(seen, expected, "another behaviour");
}
RUST
cargo run --quiet
