//! Shaders that fill workgroup memory first.

use crate::gpu::Module;
use wgpu::naga;

/// The module with its entry point changed to fill workgroup memory with 0xdeadbeef first: its results must
/// not depend on what was there.
pub(super) fn filled(module: Module) -> Module {
    let source = filled_source(&module.source, module.entry_point);
    Module { source, ..module }
}

fn filled_source(source: &str, entry_point: &str) -> String {
    let module = naga::front::wgsl::parse_str(source).expect("the module is valid");
    let mut stores = String::new();
    for (_, variable) in module.global_variables.iter() {
        if variable.space == naga::AddressSpace::WorkGroup {
            store(&module, variable.ty, variable.name.as_deref().expect("variables have names"), &mut stores);
        }
    }
    let start = source.find(&format!("fn {entry_point}(")).expect("the module has its entry point");
    let body = start + source[start..].find('{').expect("the entry point has a body") + 1;
    if stores.is_empty() {
        return source.to_owned();
    }
    let prologue = format!("\n    if lane == 0u {{\n{stores}    }}\n    workgroupBarrier();");
    [&source[..body], &prologue, &source[body..]].concat()
}

/// Appends statements that fill a place in memory.
fn store(module: &naga::Module, of_type: naga::Handle<naga::Type>, place: &str, stores: &mut String) {
    const FILLED: &str = "0xdeadbeefu";
    match &module.types[of_type].inner {
        naga::TypeInner::Scalar(_) => *stores += &format!("{place} = {FILLED};\n"),
        naga::TypeInner::Atomic(_) => *stores += &format!("atomicStore(&{place}, {FILLED});\n"),
        naga::TypeInner::Vector { size, .. } => {
            *stores += &format!("{place} = vec{}({FILLED});\n", *size as u8)
        }
        &naga::TypeInner::Array { base, size: naga::ArraySize::Constant(length), .. } => {
            let index = format!("i{}", stores.len());
            *stores += &format!("for (var {index} = 0u; {index} < {length}u; {index}++) {{\n");
            store(module, base, &format!("{place}[{index}]"), stores);
            *stores += "}\n";
        }
        naga::TypeInner::Struct { members, .. } => {
            for member in members {
                let name = member.name.as_deref().expect("members have names");
                store(module, member.ty, &format!("{place}.{name}"), stores);
            }
        }
        other => panic!("{place}: workgroup memory has no {other:?}"),
    }
}
