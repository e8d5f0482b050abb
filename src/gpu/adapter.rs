//! The adapters of this machine: finding, listing, selecting and opening them.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

#[cfg(test)]
use super::Module;
use super::description::SOFTWARE;
use super::device::{Compiling, Device};
use super::process::failure_at_listing;
use super::{AdapterDescription, GpuError, Selection, SelectionError};

/// The most of a GPU's memory to use, in percent, on systems that swap instead of failing.
const SHARE_OF_MEMORY: u8 = 85;

/// The adapters of this machine, as wgpu lists them: those of Vulkan before those of DX12, which compiles
/// more slowly.
pub struct Adapters {
    adapters: Vec<(wgpu::Adapter, AdapterDescription)>,
    compiling: Arc<Compiling>,
    /// The failure of a driver that crashed or hung while listing adapters.
    failure: Option<&'static str>,
}

impl fmt::Debug for Adapters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.descriptions()).finish()
    }
}

impl Adapters {
    /// Looks for adapters with a Vulkan, Metal or DX12 driver. Finds none if a driver crashes meanwhile.
    pub fn find() -> Adapters {
        match failure_at_listing() {
            Some(failure) => Adapters { failure: Some(failure), ..Adapters::of(&[], true) },
            None => Adapters::list(),
        }
    }

    /// As [`Adapters::find`], without looking in a child process before.
    pub(super) fn list() -> Adapters {
        // The drivers' validation layers are for developing shaders; wgpu validates without them too.
        let certified = enumerate(wgpu::InstanceFlags::empty());
        if certified.is_empty() {
            let others = enumerate(wgpu::InstanceFlags::ALLOW_UNDERLYING_NONCOMPLIANT_ADAPTER);
            return Adapters::of(&others, false);
        }
        Adapters::of(&certified, true)
    }

    fn of(listed: &[wgpu::Adapter], is_certified: bool) -> Adapters {
        let described = |(index, adapter): (usize, &wgpu::Adapter)| {
            (adapter.clone(), AdapterDescription { is_certified, ..describe(index, adapter) })
        };
        Adapters {
            adapters: listed.iter().enumerate().map(described).collect(),
            compiling: Arc::default(),
            failure: None,
        }
    }

    /// The same adapters, with every module rewritten before the driver gets it.
    #[cfg(test)]
    pub(crate) fn rewriting(&self, rewrite: impl Fn(Module) -> Module + Send + Sync + 'static) -> Adapters {
        let compiling = Arc::new(Compiling { rewrite: Some(Box::new(rewrite)), ..Compiling::default() });
        Adapters { adapters: self.adapters.clone(), compiling, failure: self.failure }
    }

    /// Does work that may compile shaders; calls `slow` if a driver of any adapter is slow at it.
    pub(crate) fn reporting_slow_compiles<R>(&self, slow: &(dyn Fn() + Sync), work: impl FnOnce() -> R) -> R {
        const TICK: Duration = Duration::from_millis(100);
        let (working, is_over) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let watch = move || {
                while let Err(mpsc::RecvTimeoutError::Timeout) = is_over.recv_timeout(TICK) {
                    if self.compiling.is_slow.load(Ordering::Relaxed) {
                        return slow();
                    }
                }
            };
            // If the system starts no thread, only the message is lost.
            let _ = thread::Builder::new().spawn_scoped(scope, watch);
            let result = work();
            drop(working);
            result
        })
    }

    /// The failure of a driver that crashed or hung while listing its adapters.
    pub fn failure(&self) -> Option<&'static str> {
        self.failure
    }

    /// The adapters, by index.
    pub fn descriptions(&self) -> Vec<AdapterDescription> {
        self.adapters.iter().map(|(_, description)| description.clone()).collect()
    }

    /// The adapters that are used without being named, discrete ones first.
    pub fn hardware(&self) -> Vec<AdapterDescription> {
        let mut hardware = self.descriptions();
        hardware.retain(|adapter| !adapter.is_opt_in());
        hardware.sort_by_key(|adapter| adapter.kind != "discrete GPU");
        hardware
    }

    /// The adapter that the selection names; among several of one GPU, the one with the better backend.
    ///
    /// # Errors
    /// If no adapter matches, or those of more than one GPU do; the error lists the candidates.
    pub fn select(&self, selection: &Selection) -> Result<AdapterDescription, SelectionError> {
        selection.among(&self.descriptions())
    }

    /// Further facts for bug reports about the adapter with this index, as names and values.
    pub fn details(&self, index: usize) -> Vec<(&'static str, String)> {
        let adapter = &self.adapters[index].0;
        let (info, limits) = (adapter.get_info(), adapter.limits());
        let features = adapter.features();
        let timestamps = features.contains(wgpu::Features::TIMESTAMP_QUERY);
        let mib = |bytes: u64| format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20));
        let or_unknown = |text: String| if text.is_empty() { "not known".to_owned() } else { text };
        let compliant = adapter.get_downlevel_capabilities().is_webgpu_compliant();
        vec![
            ("vendor and device", format!("{:#06x} {:#06x}", info.vendor, info.device)),
            ("bus address", or_unknown(info.device_pci_bus_id)),
            ("subgroups", format!("{} to {} invocations", info.subgroup_min_size, info.subgroup_max_size)),
            ("timestamps", if timestamps { "yes" } else { "no" }.to_owned()),
            ("all of WebGPU", if compliant { "yes" } else { "no" }.to_owned()),
            ("max_buffer_size", mib(limits.max_buffer_size)),
            ("max_storage_buffer_binding_size", mib(limits.max_storage_buffer_binding_size)),
            ("max_storage_buffers_per_shader_stage", limits.max_storage_buffers_per_shader_stage.to_string()),
            ("max_bindings_per_bind_group", limits.max_bindings_per_bind_group.to_string()),
            ("max_compute_workgroup_storage_size", limits.max_compute_workgroup_storage_size.to_string()),
            (
                "max_compute_invocations_per_workgroup",
                limits.max_compute_invocations_per_workgroup.to_string(),
            ),
            ("max_compute_workgroups_per_dimension", limits.max_compute_workgroups_per_dimension.to_string()),
        ]
    }

    /// Whether a driver has been slow at compiling shaders.
    pub(crate) fn is_slow(&self) -> &AtomicBool {
        &self.compiling.is_slow
    }

    /// Opens the adapter with this index.
    ///
    /// # Errors
    /// If its limits are too low, or it cannot be opened.
    pub(crate) fn open(&self, index: usize) -> Result<Device, GpuError> {
        Device::open(&self.adapters[index].0, Arc::clone(&self.compiling))
    }
}

fn enumerate(flags: wgpu::InstanceFlags) -> Vec<wgpu::Adapter> {
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    let mut description = wgpu::InstanceDescriptor::new_without_display_handle();
    (description.backends, description.flags) = (backends, flags);
    // Windows swaps memory that does not fit on the GPU, which is slower than the CPU. On other systems drivers refuse,
    // and some report too small a budget, so no threshold is set.
    description.memory_budget_thresholds.for_resource_creation = cfg!(windows).then_some(SHARE_OF_MEMORY);
    pollster::block_on(wgpu::Instance::new(description).enumerate_adapters(backends))
}

/// Bytes of the largest buffer that shaders may use.
fn largest_buffer(limits: &wgpu::Limits) -> u64 {
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
}

/// Bytes of the GPU's own memory, if the system reports it: Linux does for AMD.
fn memory(bus: &str) -> Option<u64> {
    let path = format!("/sys/bus/pci/devices/{bus}/mem_info_vram_total");
    if bus.is_empty() { None } else { std::fs::read_to_string(path).ok()?.trim().parse().ok() }
}

fn describe(index: usize, adapter: &wgpu::Adapter) -> AdapterDescription {
    let info = adapter.get_info();
    let kind = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => "discrete GPU",
        wgpu::DeviceType::IntegratedGpu => "integrated GPU",
        wgpu::DeviceType::VirtualGpu => "virtual GPU",
        wgpu::DeviceType::Cpu => SOFTWARE,
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
        largest_buffer: largest_buffer(&adapter.limits()),
        memory: memory(&info.device_pci_bus_id),
        name: info.name,
        backend,
        kind,
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        is_certified: true,
    }
}
