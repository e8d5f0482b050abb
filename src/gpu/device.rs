//! An open device. Its errors are caught and returned, where wgpu would panic.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use super::caught::caught;
use super::limits::{LARGEST_BUFFER, MAX_WORKGROUPS, STORAGE_BUFFERS, WORKGROUP_MEMORY, WORKGROUP_SIZE};
use super::{GpuError, Module};

/// The time limit of a submission or a pipeline, after which the device is given up. Dispatches are sized to last some
/// thirtieth of a second, but the first one may include compiling the shaders.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// The time after which the compilation of a pipeline counts as slow.
const SLOW: Duration = Duration::from_secs(1);

/// A device, its queue, and the first error that occurred on it.
pub(crate) struct Device {
    /// The device.
    pub device: wgpu::Device,
    /// Its only queue.
    pub queue: wgpu::Queue,
    first_error: Arc<Mutex<Option<GpuError>>>,
}

/// A pipeline with its buffers.
pub(crate) struct Stage {
    /// The compiled module.
    pub pipeline: wgpu::ComputePipeline,
    /// Its buffers.
    pub bindings: wgpu::BindGroup,
}

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
        // These limits are for drawing, which is not used; every Vulkan, Metal or DX12 driver meets them.
        ..wgpu::Limits::downlevel_webgl2_defaults()
    }
}

impl Device {
    /// Opens a device.
    pub(super) fn open(adapter: &wgpu::Adapter) -> Result<Device, GpuError> {
        let required_limits = required_limits();
        let mut missing = None;
        required_limits.check_limits_with_fail_fn(&adapter.limits(), true, |limit, needed, offered| {
            missing = Some(GpuError::Limit { limit: limit.to_owned(), needed, offered });
        });
        if let Some(missing) = missing {
            return Err(missing);
        }
        // Timestamps are only for measuring.
        let required_features = adapter.features() & wgpu::Features::TIMESTAMP_QUERY;
        let description = wgpu::DeviceDescriptor {
            label: Some("dovemate"),
            required_features,
            required_limits,
            // Buffers are few and large. The hint for performance would allocate blocks of up to 256 MiB.
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&description))
            .map_err(|error| GpuError::Open(one_line(&error.to_string())))?;

        let first_error = Arc::new(Mutex::new(None));
        let errors = Arc::clone(&first_error);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let error = driver_error(error);
            errors.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }));
        let errors = Arc::clone(&first_error);
        device.set_device_lost_callback(move |reason, message| {
            // An error noted earlier is likely a consequence of the loss: everything fails on a lost device.
            let reason = if message.is_empty() { format!("{reason:?}") } else { message };
            *errors.lock().unwrap_or_else(PoisonError::into_inner) = Some(GpuError::Lost(one_line(&reason)));
        });
        Ok(Device { device, queue, first_error })
    }

    /// Records an error as the device's first, unless there is one already; returns the first.
    fn give_up(&self, error: GpuError) -> GpuError {
        self.first_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error).clone()
    }

    /// Fails with the first error that has occurred on the device, if any.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        let first_error = self.first_error.lock().unwrap_or_else(PoisonError::into_inner);
        first_error.clone().map_or(Ok(()), Err)
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

    /// A compute pipeline, with the layout derived from the shader. Calls `slow` if compiling takes long.
    ///
    /// # Errors
    /// If it cannot be created, or not in time: some drivers' compilers take minutes, or hang.
    pub(crate) fn pipeline(
        &self,
        module: &Module,
        slow: &(dyn Fn() + Sync),
    ) -> Result<wgpu::ComputePipeline, GpuError> {
        let Module { source, entry_point, overrides, .. } = module.clone();
        let (sender, receiver) = mpsc::channel();
        let device = self.device.clone();
        // A driver's compiler cannot be stopped, so a thread that takes too long is abandoned.
        let create = move || {
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
                    // The shaders clear what they need; some drivers would make one invocation clear
                    // everything.
                    zero_initialize_workgroup_memory: false,
                },
                cache: None,
            });
            // The receiver is gone if this took too long.
            let _ = sender.send(pipeline);
        };
        // If no thread can be started, the sender is dropped, so that receiving fails below.
        let _ = thread::Builder::new().spawn(create);
        // A compiler that panics counts as one that hangs.
        let received = receiver.recv_timeout(SLOW).or_else(|_| {
            slow();
            receiver.recv_timeout(TIME_LIMIT)
        });
        let pipeline = received.map_err(|_| self.give_up(GpuError::Compiling(TIME_LIMIT.as_secs())))?;
        // A poll reports a lost device, and that error takes precedence over any other.
        let _ = self.poll(wgpu::PollType::Poll);
        self.check()?;
        Ok(pipeline)
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

    /// Polls the device. If wgpu panics, the device counts as lost, which [`Device::check`] reports.
    fn poll(&self, poll: wgpu::PollType) -> Result<(), wgpu::PollError> {
        match caught(|| self.device.poll(poll)) {
            Ok(polled) => polled.map(|_| ()),
            Err(panic) => {
                // An error from the callback for a lost device comes first, as it says more.
                self.give_up(GpuError::Lost(one_line(&panic)));
                Ok(())
            }
        }
    }

    /// Waits for a submission, then maps a buffer and reads its first `size` bytes.
    pub(crate) fn read(
        &self,
        buffer: &wgpu::Buffer,
        size: u64,
        submission: wgpu::SubmissionIndex,
    ) -> Result<Vec<u8>, GpuError> {
        let (sender, receiver) = mpsc::channel();
        let slice = buffer.slice(..size);
        slice.map_async(wgpu::MapMode::Read, move |result| {
            // The receiver is gone only if the poll below failed, and then the result does not matter.
            let _ = sender.send(result);
        });
        let poll = wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(TIME_LIMIT) };
        let polled = self.poll(poll);
        if polled.is_err() {
            // A lost device is reported by a further poll, and says more than the failed wait.
            let _ = self.poll(wgpu::PollType::Poll);
        }
        self.check()?;
        polled.map_err(|error| match error {
            wgpu::PollError::Timeout => self.give_up(GpuError::Timeout(TIME_LIMIT.as_secs())),
            error => driver_error(error),
        })?;
        let mapped =
            receiver.try_recv().map_err(|_| GpuError::Driver("a buffer was not mapped".to_owned()))?;
        mapped.map_err(driver_error)?;
        let view = slice.get_mapped_range().map_err(driver_error)?;
        let bytes = view.to_vec();
        drop(view);
        buffer.unmap();
        Ok(bytes)
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        let given_up = matches!(self.check(), Err(GpuError::Timeout(_) | GpuError::Compiling(_)));
        if given_up {
            // A queue waits for its work when it is dropped, which would never end on a hanging device. So leak it.
            std::mem::forget(self.queue.clone());
        }
    }
}

fn driver_error(error: impl std::fmt::Display) -> GpuError {
    GpuError::Driver(one_line(&error.to_string()))
}

/// wgpu's messages span lines; a user's error is one line.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
