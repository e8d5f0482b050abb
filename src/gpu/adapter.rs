//! The adapters of this machine: finding, listing, selecting and opening them.

use super::child::{DriverProcess, DriverRequest, failure_at_listing};
use super::count::{Card, DeviceCard, Phase, drive};
use super::description::SOFTWARE;
use super::device::Device;
use super::{AdapterDescription, GpuError, Protocol, Selection, SelectionError, Setup};
use crate::count::{Category, Method, Question};
use crate::join::join;
use crate::rules::Rules;

/// The most of a GPU's memory to use, in percent, on systems that swap instead of failing.
const SHARE_OF_MEMORY: u8 = 85;

/// The adapters of this machine, as wgpu lists them: those of Vulkan before those of DX12, which compiles
/// more slowly.
#[derive(Debug, Default)]
pub struct Adapters {
    adapters: Vec<(wgpu::Adapter, AdapterDescription)>,
    /// The failure of a driver that crashed or hung while listing adapters.
    failure: Option<&'static str>,
}

impl Adapters {
    /// Looks for adapters with a Vulkan, Metal or DX12 driver. Finds none if a driver crashes meanwhile.
    pub fn find() -> Adapters {
        match failure_at_listing() {
            None => Adapters::list(),
            failure => Adapters { failure, ..Adapters::default() },
        }
    }

    /// As [`Adapters::find`], without trying it in a child process first.
    pub(super) fn list() -> Adapters {
        // The drivers' validation layers are for developing shaders; wgpu validates without them too.
        let mut listed = enumerate(wgpu::InstanceFlags::empty());
        let is_certified = !listed.is_empty();
        if !is_certified {
            listed = enumerate(wgpu::InstanceFlags::ALLOW_UNDERLYING_NONCOMPLIANT_ADAPTER);
        }
        let described = |(index, adapter)| {
            let description = describe(index, &adapter, is_certified);
            (adapter, description)
        };
        Adapters { adapters: listed.into_iter().enumerate().map(described).collect(), failure: None }
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
        let timestamps = adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY);
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

    /// Opens the adapter with this index for counting mates, and tests it: small kernels, large buffers, and known
    /// counts.
    ///
    /// # Errors
    /// If it cannot be opened, or gives a wrong answer.
    pub fn test(&self, index: usize) -> Result<(), GpuError> {
        let (category, rules) = (Category::Mates, Rules::default());
        let question = Question { category, rules, method: Method::Exhaustive };
        self.open_card(index, question, &|| ()).map(drop)
    }

    /// Opens the adapter with this index for a question, and tests it: small kernels, large buffers, and known counts.
    /// The protocol is then ready for boss placements to count. `slow` is called if compiling shaders takes long.
    ///
    /// # Errors
    /// If it cannot be opened, or gives a wrong answer.
    pub(crate) fn open_card(
        &self,
        index: usize,
        question: Question,
        slow: &(dyn Fn() + Sync),
    ) -> Result<(Box<dyn Card>, Protocol), GpuError> {
        // The CPU counts the known answers while the driver opens the device and compiles.
        let (mut protocol, card) = join(|| Protocol::new(question), || self.card(index, question, slow));
        let mut card = card?;
        drive(card.as_mut(), &mut protocol, Phase::Sample, |_| true)?;
        Ok((card, protocol))
    }

    /// The device in a process of its own, or in this one if no other can be started.
    fn card(
        &self,
        index: usize,
        Question { category, rules, .. }: Question,
        slow: &(dyn Fn() + Sync),
    ) -> Result<Box<dyn Card>, GpuError> {
        if let Some(child) = DriverProcess::start(&DriverRequest::Open { index, category, rules }) {
            child.wait_until_ready(slow)?;
            return Ok(Box::new(child));
        }
        let (device, setup) = (self.open(index)?, Setup::new(category, rules));
        Ok(Box::new(DeviceCard::new(device, &setup, slow)?))
    }

    /// Opens the adapter with this index.
    ///
    /// # Errors
    /// If its limits are too low, or it cannot be opened.
    pub(crate) fn open(&self, index: usize) -> Result<Device, GpuError> {
        Device::open(&self.adapters[index].0)
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

/// Bytes of the GPU's own memory, if the system reports it: Linux does for AMD.
fn memory(bus: &str) -> Option<u64> {
    let path = format!("/sys/bus/pci/devices/{bus}/mem_info_vram_total");
    if bus.is_empty() { None } else { std::fs::read_to_string(path).ok()?.trim().parse().ok() }
}

fn describe(index: usize, adapter: &wgpu::Adapter, is_certified: bool) -> AdapterDescription {
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
    AdapterDescription {
        index,
        largest_buffer: limits.max_storage_buffer_binding_size.min(limits.max_buffer_size),
        memory: memory(&info.device_pci_bus_id),
        name: info.name,
        backend: backend.to_owned(),
        kind,
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        is_certified,
    }
}
