//! Translates shader modules as wgpu does: to HLSL for FXC and DXC, to SPIR-V for Vulkan 1.0 to 1.3, and to
//! the Metal shading language.
//!
//!     dovemate-shaders FOLDER
//!
//! FOLDER has the `modules.csv` and WGSL files written by `cargo result shaders`. This program adds
//! `NAME.5_1.hlsl`, `NAME.6_5.hlsl`, `NAME.vk1_0.spv` to `NAME.vk1_3.spv` and `NAME.metal` for each module.
//! The options are those of wgpu-hal 30.0.1, without clearing workgroup memory: see `Device::pipeline`.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use naga::back::pipeline_constants::process_overrides;
use naga::back::spv::ZeroInitializeWorkgroupMemoryMode;
use naga::back::{PipelineConstants, TaskDispatchLimits, hlsl, msl, spv};
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Module, ResourceBinding, ShaderStage, StorageAccess};

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let Some(folder) = env::args_os().nth(1) else {
        return Err("name the folder with the modules: dovemate-shaders FOLDER".into());
    };
    let folder = Path::new(&folder);
    let mut list = csv::Reader::from_path(folder.join("modules.csv"))?;
    for record in list.records() {
        let record = record?;
        let [name, entry_point, overrides] = [&record[0], &record[1], &record[2]];
        translate(folder, name, entry_point, overrides).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// A module with its overrides resolved, and the buffers that its entry point uses.
struct Resolved<'a> {
    module: &'a Module,
    info: &'a ModuleInfo,
    entry_point: &'a str,
    used: Vec<(ResourceBinding, AddressSpace)>,
}

fn translate(folder: &Path, name: &str, entry_point: &str, overrides: &str) -> Result<(), Error> {
    let source = fs::read_to_string(folder.join(format!("{name}.wgsl")))?;
    let module = naga::front::wgsl::parse_str(&source).map_err(|error| error.emit_to_string(&source))?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    let info = validator.validate(&module).map_err(|error| error.emit_to_string(&source))?;
    let uses = info.get_entry_point(0);
    let variables = module.global_variables.iter().filter(|(variable, _)| !uses[*variable].is_empty());
    let mut used: Vec<_> = variables.filter_map(|(_, it)| Some((it.binding?, it.space))).collect();
    used.sort_by_key(|(binding, _)| *binding);
    let mut constants = PipelineConstants::default();
    for set in overrides.split_whitespace() {
        let (name, value) = set.split_once('=').ok_or("an override has no value")?;
        constants.insert(name.to_owned(), value.parse()?);
    }
    let (module, info) = process_overrides(&module, &info, Some((ShaderStage::Compute, entry_point)), &constants)?;
    let resolved = Resolved { module: &module, info: &info, entry_point, used };

    let write = |extension: &str, content: &[u8]| fs::write(folder.join(format!("{name}.{extension}")), content);
    for (model, extension) in [(hlsl::ShaderModel::V5_1, "5_1.hlsl"), (hlsl::ShaderModel::V6_5, "6_5.hlsl")] {
        write(extension, resolved.hlsl(model)?.as_bytes())?;
    }
    for (version, extension) in
        [((1, 0), "vk1_0.spv"), ((1, 3), "vk1_1.spv"), ((1, 5), "vk1_2.spv"), ((1, 6), "vk1_3.spv")]
    {
        let bytes: Vec<u8> = resolved.spirv(version)?.into_iter().flat_map(u32::to_le_bytes).collect();
        write(extension, &bytes)?;
    }
    write("metal", resolved.metal()?.as_bytes())?;
    Ok(())
}

/// Whether buffers of an address space are writable.
fn is_written(space: AddressSpace) -> bool {
    matches!(space, AddressSpace::Storage { access } if access.contains(StorageAccess::STORE))
}

impl Resolved<'_> {
    fn hlsl(&self, shader_model: hlsl::ShaderModel) -> Result<String, Error> {
        let target = |register| hlsl::BindTarget { register, ..hlsl::BindTarget::default() };
        let (mut constant, mut read, mut written) = (0, 0, 0);
        let mut binding_map = hlsl::BindingMap::default();
        for &(binding, space) in &self.used {
            let register = match space {
                AddressSpace::Uniform => &mut constant,
                space if is_written(space) => &mut written,
                _ => &mut read,
            };
            binding_map.insert(binding, hlsl::BindTarget { restrict_indexing: true, ..target(*register) });
            *register += 1;
        }
        let options = hlsl::Options {
            shader_model,
            binding_map,
            fake_missing_bindings: false,
            special_constants_binding: Some(target(constant)),
            immediates_target: None,
            dynamic_storage_buffer_offsets_targets: BTreeMap::new(),
            zero_initialize_workgroup_memory: false,
            restrict_indexing: true,
            sampler_heap_target: hlsl::SamplerHeapBindTargets {
                standard_samplers: target(0),
                comparison_samplers: target(2048),
            },
            sampler_buffer_binding_map: BTreeMap::new(),
            external_texture_binding_map: BTreeMap::new(),
            force_loop_bounding: true,
            task_dispatch_limits: Some(TaskDispatchLimits {
                max_mesh_workgroups_per_dim: 65_535,
                max_mesh_workgroups_total: 1 << 22,
            }),
            mesh_shader_primitive_indices_clamp: true,
            ray_query_initialization_tracking: true,
        };
        let pipeline = hlsl::PipelineOptions { entry_point: Some((ShaderStage::Compute, self.entry_point.to_owned())) };
        let mut text = String::new();
        let written = hlsl::Writer::new(&mut text, &options, &pipeline).write(self.module, self.info, None)?;
        match written.entry_point_names.first() {
            Some(Ok(name)) if name == self.entry_point => Ok(text),
            other => Err(format!("HLSL names the entry point {other:?}").into()),
        }
    }

    fn spirv(&self, lang_version: (u8, u8)) -> Result<Vec<u32>, Error> {
        // From Vulkan 1.2 on, drivers do the bounds checks of buffers.
        let buffer = if lang_version < (1, 5) { BoundsCheckPolicy::Restrict } else { BoundsCheckPolicy::Unchecked };
        let options = spv::Options {
            lang_version,
            flags: spv::WriterFlags::LABEL_VARYINGS | spv::WriterFlags::FORCE_POINT_SIZE,
            bounds_check_policies: BoundsCheckPolicies {
                index: BoundsCheckPolicy::Restrict,
                buffer,
                image_load: BoundsCheckPolicy::Restrict,
                binding_array: BoundsCheckPolicy::Unchecked,
            },
            zero_initialize_workgroup_memory: ZeroInitializeWorkgroupMemoryMode::None,
            force_loop_bounding: true,
            fake_missing_bindings: true,
            debug_info: None,
            ..spv::Options::default()
        };
        let pipeline =
            spv::PipelineOptions { entry_point: self.entry_point.to_owned(), shader_stage: ShaderStage::Compute };
        Ok(spv::write_vec(self.module, self.info, &options, Some(&pipeline))?)
    }

    fn metal(&self) -> Result<String, Error> {
        let mut resources = msl::EntryPointResources::default();
        for (slot, &(binding, space)) in (0..).zip(&self.used) {
            let target = msl::BindTarget { buffer: Some(slot), mutable: is_written(space), ..Default::default() };
            resources.resources.insert(binding, target);
        }
        resources.sizes_buffer = Some(self.used.len() as u8);
        let options = msl::Options {
            lang_version: (2, 4),
            per_entry_point_map: BTreeMap::from([(self.entry_point.to_owned(), resources)]),
            fake_missing_bindings: false,
            bounds_check_policies: BoundsCheckPolicies {
                index: BoundsCheckPolicy::Restrict,
                buffer: BoundsCheckPolicy::Restrict,
                image_load: BoundsCheckPolicy::Restrict,
                binding_array: BoundsCheckPolicy::Unchecked,
            },
            zero_initialize_workgroup_memory: false,
            force_loop_bounding: true,
            ..msl::Options::default()
        };
        let pipeline = msl::PipelineOptions {
            entry_point: Some((ShaderStage::Compute, self.entry_point.to_owned())),
            ..msl::PipelineOptions::default()
        };
        Ok(msl::write_string(self.module, self.info, &options, &pipeline)?.0)
    }
}
