//! What GPUs there are, and which one is meant.

use super::device::{Device, Needs};
use super::{AdapterDescription, GpuError, Selection, SelectionError};

/// The adapters of this machine.
pub struct Adapters {
    adapters: Vec<wgpu::Adapter>,
}

impl Adapters {
    /// Looks for adapters with a Vulkan, Metal or DX12 driver.
    pub fn find() -> Adapters {
        let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
        let mut description = wgpu::InstanceDescriptor::new_without_display_handle();
        description.backends = backends;
        // The drivers' own validation layers are for developing shaders; wgpu checks all the same.
        description.flags = wgpu::InstanceFlags::empty();
        let instance = wgpu::Instance::new(description);
        Adapters { adapters: pollster::block_on(instance.enumerate_adapters(backends)) }
    }

    /// The adapters, by index.
    pub fn descriptions(&self) -> Vec<AdapterDescription> {
        self.adapters.iter().enumerate().map(|(index, adapter)| describe(index, adapter)).collect()
    }

    /// The adapters that are GPUs, not programs, discrete ones first.
    pub fn hardware(&self) -> Vec<AdapterDescription> {
        let mut hardware = self.descriptions();
        hardware.retain(|adapter| !adapter.is_software);
        hardware.sort_by_key(|adapter| adapter.kind != "discrete GPU");
        hardware
    }

    /// The one adapter that the selection names.
    ///
    /// # Errors
    /// If there is none or more than one; the error lists what there is.
    pub fn select(&self, selection: &Selection) -> Result<AdapterDescription, SelectionError> {
        let all = self.descriptions();
        let matches = |adapter: &AdapterDescription| match selection {
            Selection::Index(index) if *index < all.len() => adapter.index == *index,
            _ => {
                let listed = format!("{} ({})", adapter.name, adapter.backend);
                listed.to_lowercase().contains(&selection.to_string().to_lowercase())
            }
        };
        let matching: Vec<&AdapterDescription> = all.iter().filter(|adapter| matches(adapter)).collect();
        let wanted = selection.to_string();
        match matching[..] {
            [adapter] => Ok(adapter.clone()),
            [] if all.is_empty() => Err(SelectionError::NoAdapters(wanted)),
            [] => Err(SelectionError::None { wanted, present: join(all.iter()) }),
            _ => Err(SelectionError::Several { wanted, matching: join(matching.into_iter()) }),
        }
    }

    /// What the adapter with this index offers of storage: buffers of a stage, and bytes of one.
    pub(super) fn storage(&self, index: usize) -> (u32, u64) {
        let limits = self.adapters[index].limits();
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let all_buffers = limits.max_buffers_and_acceleration_structures_per_shader_stage;
        // One of all is the uniform one.
        let buffers = limits.max_storage_buffers_per_shader_stage.min(all_buffers.saturating_sub(1));
        (buffers.min(limits.max_bindings_per_bind_group.saturating_sub(1)), largest)
    }

    /// Opens the adapter with this index, if it offers what is needed.
    pub(super) fn open(&self, index: usize, needs: &Needs) -> Result<Device, GpuError> {
        Device::open(&self.adapters[index], needs)
    }
}

fn join<'a>(adapters: impl Iterator<Item = &'a AdapterDescription>) -> String {
    adapters.map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn describe(index: usize, adapter: &wgpu::Adapter) -> AdapterDescription {
    let info = adapter.get_info();
    let kind = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => "discrete GPU",
        wgpu::DeviceType::IntegratedGpu => "integrated GPU",
        wgpu::DeviceType::VirtualGpu => "virtual GPU",
        wgpu::DeviceType::Cpu => "software",
        wgpu::DeviceType::Other => "other",
    };
    let backend = match info.backend {
        wgpu::Backend::Vulkan => "Vulkan".to_owned(),
        wgpu::Backend::Metal => "Metal".to_owned(),
        wgpu::Backend::Dx12 => "DX12".to_owned(),
        other => other.to_string(),
    };
    AdapterDescription {
        index,
        name: info.name,
        backend,
        kind,
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        is_software: info.device_type == wgpu::DeviceType::Cpu,
    }
}
