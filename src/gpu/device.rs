//! An open device, native or in a page, where wgpu calls the browser's WebGPU. Errors on which wgpu would panic are
//! caught and returned.

use super::delivery::Delivery;
use super::limits::{LARGEST_BUFFER, MAX_WORKGROUPS, STORAGE_BUFFERS, WORKGROUP_MEMORY, WORKGROUP_SIZE};
use super::{GpuError, Module, waiting};

/// A device, its queue, and the first error that occurred on it.
#[derive(Debug)]
pub(crate) struct Device {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// The first error or, once the device is lost, the reason.
    pub(super) first_error: Delivery<GpuError>,
}

/// The outcome of mapping a buffer.
pub(super) type Mapping = Delivery<Result<(), wgpu::BufferAsyncError>>;

/// A pipeline with its buffers.
#[derive(Debug)]
pub(crate) struct Stage {
    pub pipeline: wgpu::ComputePipeline,
    pub bindings: wgpu::BindGroup,
}

/// The limits that every device must meet.
fn required_limits() -> wgpu::Limits {
    wgpu::Limits {
        max_bind_groups: 1,
        max_bindings_per_bind_group: STORAGE_BUFFERS + 1,
        max_uniform_buffers_per_shader_stage: 1,
        max_storage_buffers_per_shader_stage: STORAGE_BUFFERS,
        max_buffers_and_acceleration_structures_per_shader_stage: STORAGE_BUFFERS + 1,
        max_storage_buffer_binding_size: LARGEST_BUFFER,
        max_buffer_size: LARGEST_BUFFER,
        max_compute_workgroup_storage_size: WORKGROUP_MEMORY,
        max_compute_invocations_per_workgroup: WORKGROUP_SIZE,
        max_compute_workgroup_size_x: WORKGROUP_SIZE,
        max_compute_workgroup_size_y: 1,
        max_compute_workgroup_size_z: 1,
        max_compute_workgroups_per_dimension: MAX_WORKGROUPS,
        // The rest is mostly for drawing, which is not used; every Vulkan, Metal or DX12 driver meets these limits.
        ..wgpu::Limits::downlevel_webgl2_defaults()
    }
}

/// Fails if an adapter's limits are too low.
///
/// # Errors
/// The first limit that is too low.
pub(super) fn check_limits(adapter: &wgpu::Adapter) -> Result<(), GpuError> {
    let mut checked = Ok(());
    required_limits().check_limits_with_fail_fn(&adapter.limits(), true, |limit, needed, offered| {
        checked = Err(GpuError::Limit { limit: name_in_webgpu(limit), needed, offered });
    });
    checked
}

/// The name of a limit in WebGPU.
fn name_in_webgpu(limit: &str) -> String {
    let mut words = limit.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

impl Device {
    /// Opens a device.
    ///
    /// # Errors
    /// If the adapter's limits are too low, or its driver does not open it.
    pub(super) async fn open(adapter: &wgpu::Adapter) -> Result<Device, GpuError> {
        check_limits(adapter)?;
        // Timestamps are only for measuring.
        let required_features = adapter.features() & wgpu::Features::TIMESTAMP_QUERY;
        let description = wgpu::DeviceDescriptor {
            label: Some("dovemate"),
            required_features,
            required_limits: required_limits(),
            // Buffers are few and large. The hint for performance would allocate blocks of up to 256 MiB.
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let opened = adapter.request_device(&description).await;
        let (device, queue) = opened.map_err(|error| GpuError::Open(reason(&error.to_string())))?;
        let first_error = Delivery::default();
        waiting::note_errors(&device, &first_error);
        let errors = first_error.clone();
        device.set_device_lost_callback(move |reason, message| {
            // An error noted earlier is likely a consequence of the loss: everything fails on a lost device.
            let reason = if message.is_empty() { format!("{reason:?}") } else { message };
            errors.put(GpuError::Lost(one_line(&reason)));
        });
        Ok(Device { device, queue, first_error })
    }

    /// Records an error as the device's first, unless there is one already; returns the first.
    pub(super) fn give_up(&self, error: GpuError) -> GpuError {
        self.first_error.put_first(error)
    }

    /// Fails with the first error that has occurred on the device, if any.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        self.first_error.get().map_or(Ok(()), Err)
    }

    /// A buffer of `size` bytes.
    pub(crate) fn buffer(&self, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    /// A buffer with these words.
    pub(crate) fn filled(&self, label: &str, words: &[u32], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let buffer = self.buffer(label, 4 * words.len() as u64, usage | wgpu::BufferUsages::COPY_DST);
        self.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
        buffer
    }

    /// Begins to compile a compute pipeline, with the layout derived from the shader; the returned future waits for
    /// it. Natively it calls `slow` if that takes long.
    ///
    /// # Errors
    /// If it cannot be created, or, natively, not in time: some drivers' compilers take minutes, or hang.
    pub(crate) fn pipeline<'d>(
        &'d self,
        module: &Module,
        slow: &'d (dyn Fn() + Sync),
    ) -> impl Future<Output = Result<wgpu::ComputePipeline, GpuError>> + 'd {
        let (device, module) = (self.device.clone(), module.clone());
        let created = waiting::created(self, move || create(device, module), slow);
        async move {
            let (pipeline, error) = created.await?;
            self.check()?;
            error.map_or(Ok(pipeline), |error| Err(self.give_up(driver_error(error))))
        }
    }

    /// A pipeline with these buffers as its bindings 0, 1, …
    pub(crate) fn stage(&self, pipeline: &wgpu::ComputePipeline, buffers: &[&wgpu::Buffer]) -> Stage {
        let resources = buffers.iter().map(|buffer| buffer.as_entire_binding());
        let entries =
            (0..).zip(resources).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource });
        let bindings = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries.collect::<Vec<_>>(),
        });
        Stage { pipeline: pipeline.clone(), bindings }
    }

    /// Requests to map the first `size` bytes of a buffer, as soon as all submitted work is done. In a page this
    /// request must not be put off until the results are needed, because Firefox polls for mappable buffers only ten
    /// times a second.
    pub(super) fn map(&self, buffer: &wgpu::Buffer, size: u64) -> Mapping {
        let mapping = Mapping::default();
        let callback = mapping.clone();
        buffer.map_async(wgpu::MapMode::Read, ..size, move |result| callback.put(result));
        mapping
    }

    /// Waits for a submission, then reads the first `size` bytes of a buffer that is being mapped.
    pub(super) async fn read(
        &self,
        buffer: &wgpu::Buffer,
        size: u64,
        submission: wgpu::SubmissionIndex,
        mapping: &Mapping,
    ) -> Result<Vec<u8>, GpuError> {
        waiting::mapped(self, submission, mapping).await?;
        let view = buffer.get_mapped_range(..size).map_err(driver_error)?;
        let bytes = view.to_vec();
        drop(view);
        buffer.unmap();
        Ok(bytes)
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        waiting::close(self);
    }
}

/// A pipeline, and the error of its validation, if there is one. wgpu's error scopes belong to a thread, so the scope
/// is opened and closed here, before the future is returned.
fn create(
    device: wgpu::Device,
    Module { source, entry_point, overrides, .. }: Module,
) -> impl Future<Output = waiting::Created> {
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(entry_point),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(entry_point),
        layout: None,
        module: &module,
        entry_point: Some(entry_point),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &overrides,
            // The shaders clear what they need; on Metal and DX12, wgpu would make one invocation clear everything.
            zero_initialize_workgroup_memory: false,
        },
        cache: None,
    });
    let error = scope.pop();
    async move { (pipeline, error.await) }
}

pub(super) fn driver_error(error: impl std::fmt::Display) -> GpuError {
    GpuError::Driver(one_line(&error.to_string()))
}

/// wgpu's messages span lines; a user's error is one line.
pub(super) fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why a device was not opened. In a page wgpu passes on JavaScript's error in a debugger's form, with a trace:
/// `JsValue(Name: reason`, and more lines.
fn reason(message: &str) -> String {
    let shown = message.strip_prefix("JsValue(").and_then(|shown| shown.lines().next()?.split_once(": "));
    one_line(shown.map_or(message, |(_, reason)| reason))
}
