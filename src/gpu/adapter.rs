//! The adapters of this machine: finding, listing, selecting and opening them.

use std::sync::{Mutex, PoisonError};

use pollster::block_on;

use super::count::{Card, DeviceCard, Phase, drive};
use super::description::SOFTWARE;
use super::device::Device;
use super::driver_process::{DriverProcess, ListedAdapter, is_protected};
use super::{AdapterDescription, GpuError, Protocol, Selection, SelectionError, Setup};
use crate::count::{Category, Method, Question};
use crate::join::join;
use crate::rules::Rules;

/// Maximum share of a GPU's memory to use, in percent, on systems that swap instead of failing.
const SHARE_OF_MEMORY: u8 = 85;

/// The adapters of this machine, as wgpu lists them: those of Vulkan before those of DX12, which compiles
/// more slowly.
#[derive(Debug, Default)]
pub struct Adapters {
    listed: Vec<ListedAdapter>,
    /// The adapters themselves, if this process has opened the drivers.
    here: Vec<wgpu::Adapter>,
    /// The child that has listed them, until it opens one.
    process: Mutex<Option<DriverProcess>>,
    failure: Option<String>,
}

impl Adapters {
    /// Looks for adapters with a Vulkan, Metal or DX12 driver. If a child process does so and fails, finds none;
    /// [`Adapters::failure`] then says why.
    pub fn find() -> Adapters {
        if !is_protected() {
            return Adapters::list();
        }
        match DriverProcess::start() {
            Ok((process, listed)) => {
                Adapters { listed, process: Mutex::new(Some(process)), ..Adapters::default() }
            }
            Err(failure) => Adapters { failure: Some(failure), ..Adapters::default() },
        }
    }

    /// Like [`Adapters::find`], but in this process.
    pub(super) fn list() -> Adapters {
        // The drivers' validation layers are for developing shaders; wgpu validates without them too.
        let mut here = enumerate(wgpu::InstanceFlags::empty());
        let is_certified = !here.is_empty();
        if !is_certified {
            here = enumerate(wgpu::InstanceFlags::ALLOW_UNDERLYING_NONCOMPLIANT_ADAPTER);
        }
        let listed = here.iter().enumerate().map(|(index, adapter)| ListedAdapter {
            description: describe(index, adapter, is_certified, &here),
            details: details(adapter),
        });
        Adapters { listed: listed.collect(), here, ..Adapters::default() }
    }

    /// Why the adapters could not be listed, as a sentence.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    pub(super) fn listed(&self) -> &[ListedAdapter] {
        &self.listed
    }

    /// The adapters, by index.
    pub fn descriptions(&self) -> Vec<AdapterDescription> {
        self.listed.iter().map(|adapter| adapter.description.clone()).collect()
    }

    /// The adapters that are used without being named, discrete ones first.
    pub fn hardware(&self) -> Vec<AdapterDescription> {
        let mut hardware = self.descriptions();
        hardware.retain(|adapter| !adapter.is_opt_in());
        hardware.sort_by_key(|adapter| adapter.kind != "discrete GPU");
        hardware
    }

    /// The adapter that the selection names; if several backends list that GPU, the one with the best backend.
    ///
    /// # Errors
    /// If no adapter matches, or those of more than one GPU do; the error lists the candidates.
    pub fn select(&self, selection: &Selection) -> Result<AdapterDescription, SelectionError> {
        selection.among(&self.descriptions())
    }

    /// Further facts about the adapter with this index, for bug reports, as names and values.
    pub fn details(&self, index: usize) -> &[(String, String)] {
        &self.listed[index].details
    }

    /// Opens the adapter with this index for counting mates, and tests it: small kernels, large buffers, and known
    /// counts.
    ///
    /// # Errors
    /// If it cannot be opened, fails, or gives a wrong answer.
    pub fn test(&self, index: usize) -> Result<(), GpuError> {
        let (category, rules) = (Category::Mates, Rules::default());
        let question = Question { category, rules, method: Method::Exhaustive };
        self.open_card(index, question, &|| ()).map(drop)
    }

    /// Opens the adapter with this index for a question, and tests it: small kernels, large buffers, and known counts.
    /// The protocol is then ready for boss placements to count. `slow` is called if compiling shaders takes long.
    ///
    /// # Errors
    /// If it cannot be opened, fails, or gives a wrong answer.
    pub(crate) fn open_card(
        &self,
        index: usize,
        question: Question,
        slow: &(dyn Fn() + Sync),
    ) -> Result<(Box<dyn Card + Send>, Protocol), GpuError> {
        // The CPU counts the known answers while the driver opens the device and compiles.
        let (mut protocol, card) = join(|| Protocol::new(question), || self.card(index, question, slow));
        let mut card = card?;
        block_on(drive(card.as_mut(), &mut protocol, Phase::Sample, |_| true))?;
        Ok((card, protocol))
    }

    /// The device, in a process of its own if this one is protected.
    fn card(
        &self,
        index: usize,
        question: Question,
        slow: &(dyn Fn() + Sync),
    ) -> Result<Box<dyn Card + Send>, GpuError> {
        if !is_protected() {
            let (device, setup) = (self.open(index)?, Setup::new(question.category, question.rules));
            return Ok(Box::new(block_on(DeviceCard::new(device, &setup, slow))?));
        }
        let listing = self.process.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut child = match listing {
            Some(child) => child,
            None => DriverProcess::start().map_err(GpuError::Open)?.0,
        };
        child.open(index, question, slow)?;
        Ok(Box::new(child))
    }

    /// Opens the adapter with this index.
    ///
    /// # Errors
    /// If its limits are too low, or it cannot be opened.
    pub(crate) fn open(&self, index: usize) -> Result<Device, GpuError> {
        block_on(Device::open(&self.here[index]))
    }
}

fn enumerate(flags: wgpu::InstanceFlags) -> Vec<wgpu::Adapter> {
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    let mut description = wgpu::InstanceDescriptor::new_without_display_handle();
    (description.backends, description.flags) = (backends, flags);
    // Windows swaps memory that does not fit on the GPU, which is slower than the CPU. On other systems drivers refuse,
    // and some report too small a budget, so no threshold is set.
    description.memory_budget_thresholds.for_resource_creation = cfg!(windows).then_some(SHARE_OF_MEMORY);
    block_on(wgpu::Instance::new(description).enumerate_adapters(backends))
}

/// Bytes of the GPU's own memory, if the system reports it: Linux does so for AMD.
fn memory(bus: &str) -> Option<u64> {
    let path = format!("/sys/bus/pci/devices/{bus}/mem_info_vram_total");
    if bus.is_empty() { None } else { std::fs::read_to_string(path).ok()?.trim().parse().ok() }
}

/// Further facts about an adapter, for bug reports, as names and values.
fn details(adapter: &wgpu::Adapter) -> Vec<(String, String)> {
    let (info, limits) = (adapter.get_info(), adapter.limits());
    let timestamps = adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY);
    let mib = |bytes: u64| format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20));
    let or_unknown = |text: String| if text.is_empty() { "not known".to_owned() } else { text };
    let compliant = adapter.get_downlevel_capabilities().is_webgpu_compliant();
    let facts = [
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
        ("max_compute_invocations_per_workgroup", limits.max_compute_invocations_per_workgroup.to_string()),
        ("max_compute_workgroups_per_dimension", limits.max_compute_workgroups_per_dimension.to_string()),
    ];
    facts.map(|(name, value)| (name.to_owned(), value)).into()
}

fn describe(
    index: usize,
    adapter: &wgpu::Adapter,
    is_certified: bool,
    all: &[wgpu::Adapter],
) -> AdapterDescription {
    let (info, limits) = (adapter.get_info(), adapter.limits());
    let kind = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => "discrete GPU",
        wgpu::DeviceType::IntegratedGpu => "integrated GPU",
        wgpu::DeviceType::VirtualGpu => "virtual GPU",
        wgpu::DeviceType::Cpu => SOFTWARE,
        wgpu::DeviceType::Other => "other",
    };
    let backend = match info.backend {
        wgpu::Backend::Vulkan => "Vulkan",
        wgpu::Backend::Metal => "Metal",
        wgpu::Backend::Dx12 => "DX12",
        other => other.to_str(),
    };
    // The name alone does not distinguish equal cards.
    let (bus, backend_of) = (&info.device_pci_bus_id, info.backend);
    let of_name = all.iter().map(wgpu::Adapter::get_info);
    let equal = of_name.filter(|other| other.name == info.name && other.backend == backend_of).count();
    let name =
        if equal > 1 && !bus.is_empty() { format!("{} at {bus}", info.name) } else { info.name.clone() };
    AdapterDescription {
        index,
        largest_buffer: limits.max_storage_buffer_binding_size.min(limits.max_buffer_size),
        memory: memory(&info.device_pci_bus_id),
        name,
        backend: backend.to_owned(),
        kind: kind.to_owned(),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        is_certified,
    }
}
