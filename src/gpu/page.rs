//! The GPU of a page, provided by its browser. The page drives it in a worker, and sets the time limits.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use js_sys::Reflect;

use super::count::{DeviceCard, Phase, drive};
use super::delivery::Delivery;
use super::device::{Device, check_limits};
use super::{GpuError, Protocol, Setup};
use crate::count::Category;
use crate::rules::Rules;

/// A GPU that a browser offers.
#[derive(Debug)]
pub struct PageAdapter(wgpu::Adapter);

impl PageAdapter {
    /// The best GPU that the browser offers; `None` if it offers none.
    ///
    /// # Errors
    /// If its limits are too low.
    pub async fn find() -> Result<Option<PageAdapter>, GpuError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let power_preference = wgpu::PowerPreference::HighPerformance;
        let options = wgpu::RequestAdapterOptions { power_preference, ..Default::default() };
        let Ok(adapter) = instance.request_adapter(&options).await else { return Ok(None) };
        check_limits(&adapter)?;
        Ok(Some(PageAdapter(adapter)))
    }

    /// Opens it.
    ///
    /// # Errors
    /// If the browser refuses.
    pub async fn open(&self) -> Result<PageDevice, GpuError> {
        let is_software = self.0.get_info().device_type == wgpu::DeviceType::Cpu;
        Ok(PageDevice { device: Device::open(&self.0).await?, is_software })
    }
}

/// An opened GPU.
#[derive(Debug)]
pub struct PageDevice {
    device: Device,
    /// Whether it is software.
    pub is_software: bool,
}

impl PageDevice {
    /// The GPU's name as far as the browser reveals it, which may be empty. wgpu has only the last part of it.
    pub fn name(&self) -> String {
        let Some(device) = self.device.device.as_webgpu() else { return String::new() };
        let info = Reflect::get(device, &"adapterInfo".into());
        let part = |name: &&str| Reflect::get(info.as_ref().ok()?, &(*name).into()).ok()?.as_string();
        let parts: Vec<String> =
            ["vendor", "architecture", "device", "description"].iter().filter_map(part).collect();
        parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Compiles the shaders, and checks the kernels' known answers.
    ///
    /// # Errors
    /// If the device fails, or a kernel's answer is wrong.
    pub async fn prepare(self, category: Category, rules: Rules) -> Result<PageCard, GpuError> {
        Ok(PageCard(DeviceCard::new(self.device, &Setup::new(category, rules), &|| ()).await?))
    }
}

/// A GPU that counts.
#[derive(Debug)]
pub struct PageCard(DeviceCard);

impl PageCard {
    /// Counts known boss placements and a sample; when called again, all boss placements. `progress` is called after
    /// each batch.
    ///
    /// # Errors
    /// If the device fails or a result is wrong.
    pub async fn count(
        &mut self,
        protocol: &mut Protocol,
        mut progress: impl FnMut(&Protocol),
    ) -> Result<(), GpuError> {
        let until = if protocol.is_testing() { Phase::All } else { Phase::Done };
        let progress = |protocol: &Protocol| {
            progress(protocol);
            true
        };
        drive(&mut self.0, protocol, until, progress).await
    }
}

/// Stops the work of a page on its GPU, whatever the work is waiting for.
#[derive(Clone, Debug, Default)]
pub struct PageStop(Delivery<()>);

impl PageStop {
    /// Stops the work.
    pub fn stop(&self) {
        self.0.put(());
    }

    /// The result of `work`; `None` if the work is stopped, which drops it.
    pub async fn limit<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let (mut stopped, mut work) = (pin!(self.0.wait()), pin!(work));
        poll_fn(|context| match work.as_mut().poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending => stopped.as_mut().poll(context).map(|()| None),
        })
        .await
    }
}
