//! An open device whose errors are caught instead of ending the program.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::GpuError;

/// How long a submission may take before the device is given up, and how long a pipeline. Dispatches are made to last a tenth of a
/// second or less, but the first one may include compiling the shaders.
const TIME_LIMIT: Duration = Duration::from_secs(120);
/// How long a batch should take on a discrete card: operating systems end what takes about 2 s.
const DISCRETE_TARGET: Duration = Duration::from_millis(100);
/// The same where work of some hundred milliseconds is ended, or stops the screen: on integrated GPUs, and with Metal.
const SHARED_TARGET: Duration = Duration::from_millis(25);

/// A device, its queue, and the first error it came upon.
pub(super) struct Device {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// How long a batch should take.
    pub target: Duration,
    /// How long a submission or a pipeline may take before the device is given up.
    pub time_limit: Duration,
    /// Whether timestamps are to be zero.
    #[cfg(test)]
    pub clock_stands: bool,
    first_error: Arc<Mutex<Option<GpuError>>>,
    compiling: Arc<Compiling>,
    /// Whether stages first fill their workgroup memory.
    #[cfg(test)]
    pub fills_memory: bool,
}

/// Whether pipelines are being created, on any device of an instance, and since when.
#[derive(Default)]
pub(crate) struct Compiling(Mutex<Vec<Instant>>);

impl Compiling {
    /// How long pipelines have been created for by now; `None` if none is.
    pub fn elapsed(&self) -> Option<Duration> {
        let begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        begun.iter().min().map(Instant::elapsed)
    }

    /// Does what creates a pipeline.
    pub fn during<R>(&self, create: impl FnOnce() -> R) -> R {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let began = Instant::now();
        lock().push(began);
        let result = create();
        let mut begun = lock();
        if let Some(place) = begun.iter().position(|&other| other == began) {
            begun.swap_remove(place);
        }
        result
    }
}

/// How long a batch should take on such an adapter.
pub(super) fn target(kind: wgpu::DeviceType, backend: wgpu::Backend) -> Duration {
    match (kind, backend) {
        (_, wgpu::Backend::Metal) => SHARED_TARGET,
        // Nothing watches over a program on the CPU.
        (wgpu::DeviceType::DiscreteGpu | wgpu::DeviceType::Cpu, _) => DISCRETE_TARGET,
        (wgpu::DeviceType::IntegratedGpu | wgpu::DeviceType::VirtualGpu | wgpu::DeviceType::Other, _) => SHARED_TARGET,
    }
}

/// What a device must offer; nothing else is asked for. What counting needs is all within WebGPU's defaults.
pub(super) struct Needs {
    /// Storage buffers of a stage.
    pub storage_buffers: u32,
    /// Buffers of a stage, the uniform one included.
    pub bindings: u32,
    /// Bytes of the largest buffer.
    pub largest_buffer: u64,
    /// Invocations of a workgroup.
    pub workgroup_size: u32,
    /// Bytes that the invocations of a workgroup share.
    pub workgroup_memory: u32,
    /// Workgroups of a dispatch.
    pub workgroups: u32,
}

impl Needs {
    fn limits(&self) -> wgpu::Limits {
        wgpu::Limits {
            // Compute draws nothing: small adapters need not have what drawing takes.
            max_texture_dimension_1d: 0,
            max_texture_dimension_2d: 0,
            max_texture_dimension_3d: 0,
            max_texture_array_layers: 0,
            max_sampled_textures_per_shader_stage: 0,
            max_samplers_per_shader_stage: 0,
            max_storage_textures_per_shader_stage: 0,
            max_vertex_buffers: 0,
            max_vertex_attributes: 0,
            max_vertex_buffer_array_stride: 0,
            max_inter_stage_shader_variables: 0,
            max_color_attachments: 0,
            max_color_attachment_bytes_per_sample: 0,
            max_dynamic_uniform_buffers_per_pipeline_layout: 0,
            max_dynamic_storage_buffers_per_pipeline_layout: 0,
            max_bind_groups: 1,
            max_bindings_per_bind_group: self.bindings,
            max_uniform_buffers_per_shader_stage: 1,
            max_storage_buffers_per_shader_stage: self.storage_buffers,
            max_buffers_and_acceleration_structures_per_shader_stage: self.bindings,
            max_storage_buffer_binding_size: self.largest_buffer,
            max_buffer_size: self.largest_buffer,
            max_compute_workgroup_storage_size: self.workgroup_memory,
            max_compute_invocations_per_workgroup: self.workgroup_size,
            max_compute_workgroup_size_x: self.workgroup_size,
            max_compute_workgroup_size_y: 1,
            max_compute_workgroup_size_z: 1,
            max_compute_workgroups_per_dimension: self.workgroups,
            ..wgpu::Limits::downlevel_webgl2_defaults()
        }
    }
}

impl Device {
    /// Opens a device that offers this. While it creates pipelines, `compiling` knows.
    pub fn open(adapter: &wgpu::Adapter, needs: &Needs, compiling: Arc<Compiling>) -> Result<Device, GpuError> {
        let required_limits = needs.limits();
        let mut missing = None;
        required_limits.check_limits_with_fail_fn(&adapter.limits(), true, |limit, needed, offered| {
            missing = Some(GpuError::Limit { limit, needed, offered });
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
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&description))
            .map_err(|error| GpuError::Open(one_line(&error.to_string())))?;

        let first_error = Arc::new(Mutex::new(None));
        let errors = Arc::clone(&first_error);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let error = GpuError::Driver(one_line(&error.to_string()));
            errors.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }));
        let errors = Arc::clone(&first_error);
        device.set_device_lost_callback(move |reason, message| {
            // Whatever was noted before is likely a consequence: a lost device fails everywhere.
            let reason = if message.is_empty() { format!("{reason:?}") } else { message };
            *errors.lock().unwrap_or_else(PoisonError::into_inner) = Some(GpuError::Lost(one_line(&reason)));
        });
        let info = adapter.get_info();
        let target = target(info.device_type, info.backend);
        Ok(Device {
            device,
            queue,
            target,
            time_limit: TIME_LIMIT,
            #[cfg(test)]
            clock_stands: false,
            first_error,
            compiling,
            #[cfg(test)]
            fills_memory: false,
        })
    }

    /// Gives the device up.
    fn give_up(&self, error: GpuError) -> GpuError {
        self.first_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error).clone()
    }

    /// Fails with the first error that the device has come upon, if any.
    pub fn check(&self) -> Result<(), GpuError> {
        let first_error = self.first_error.lock().unwrap_or_else(PoisonError::into_inner);
        first_error.clone().map_or(Ok(()), Err)
    }

    /// Whether passes can be timed.
    pub fn has_timestamps(&self) -> bool {
        self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// A buffer of `size` bytes.
    pub fn buffer(&self, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    /// A compute pipeline of one entry point, its layout taken from the shader.
    ///
    /// # Errors
    /// If it cannot be created, or is not there in time: some drivers' compilers take minutes, or hang.
    pub fn pipeline(
        &self,
        source: String,
        entry_point: &'static str,
        constants: &[(&'static str, f64)],
    ) -> Result<wgpu::ComputePipeline, GpuError> {
        #[cfg(test)]
        let source = if self.fills_memory { super::testing::filled(&source, entry_point) } else { source };
        let (sender, receiver) = mpsc::channel();
        let (device, constants) = (self.device.clone(), constants.to_vec());
        // Nobody can end a driver's compiler, so its thread is left behind if it comes to that.
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
                    constants: &constants,
                    // The shaders set what they need: some drivers would have one invocation set all of it.
                    zero_initialize_workgroup_memory: false,
                },
                cache: None,
            });
            // The receiver is gone if it has taken too long.
            let _ = sender.send(pipeline);
        };
        let received = self.compiling.during(|| {
            let failed = |error: std::io::Error| GpuError::Driver(format!("no thread for compiling shaders: {error}"));
            thread::Builder::new().name(entry_point.to_owned()).spawn(create).map_err(failed)?;
            Ok(receiver.recv_timeout(self.time_limit))
        })?;
        let pipeline = received.map_err(|error| {
            self.give_up(match error {
                mpsc::RecvTimeoutError::Timeout => GpuError::Compiling(self.time_limit.as_secs()),
                mpsc::RecvTimeoutError::Disconnected => {
                    GpuError::Driver(format!("the shader {entry_point} cannot be compiled"))
                }
            })
        })?;
        // A device that was lost says so in a poll, and then it is no matter what else is wrong.
        let _ = self.device.poll(wgpu::PollType::Poll);
        self.check()?;
        Ok(pipeline)
    }

    /// The bind group 0 of a pipeline with these buffers as bindings 0, 1, …
    pub fn bind(&self, pipeline: &wgpu::ComputePipeline, buffers: &[&wgpu::Buffer]) -> wgpu::BindGroup {
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        })
    }

    /// Waits for a submission, then reads the first `size` bytes of a buffer that is mapped for reading.
    pub fn read(
        &self,
        buffer: &wgpu::Buffer,
        size: u64,
        submission: wgpu::SubmissionIndex,
    ) -> Result<Vec<u8>, GpuError> {
        let (sender, receiver) = mpsc::channel();
        let slice = buffer.slice(..size);
        slice.map_async(wgpu::MapMode::Read, move |result| {
            // The receiver is gone only if the poll below failed, and then nobody wants to know.
            let _ = sender.send(result);
        });
        let poll = wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(self.time_limit) };
        let polled = self.device.poll(poll);
        if polled.is_err() {
            // The loss of a device is reported in a poll that follows; it says more than the failed wait.
            let _ = self.device.poll(wgpu::PollType::Poll);
        }
        self.check()?;
        match polled {
            Ok(_) => {}
            Err(wgpu::PollError::Timeout) => return Err(self.give_up(GpuError::Timeout(self.time_limit.as_secs()))),
            Err(error) => return Err(GpuError::Driver(one_line(&error.to_string()))),
        }
        let mapped = receiver.try_recv().map_err(|_| GpuError::Driver("a buffer was not mapped".to_owned()))?;
        mapped.map_err(|error| GpuError::Driver(one_line(&error.to_string())))?;
        let view = slice.get_mapped_range().map_err(|error| GpuError::Driver(one_line(&error.to_string())))?;
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
            // A queue waits for its work when it goes, which would be for ever.
            std::mem::forget(self.queue.clone());
        }
    }
}

/// wgpu's messages span lines; a user's error is one line.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use wgpu::{Backend, DeviceType};

    use super::*;

    /// Where a watchdog is impatient, or the screen waits, batches are short.
    #[test]
    fn batches_are_as_long_as_watchdogs_allow() {
        let milliseconds = |kind, backend| target(kind, backend).as_millis();
        assert_eq!(milliseconds(DeviceType::DiscreteGpu, Backend::Vulkan), 100);
        assert_eq!(milliseconds(DeviceType::DiscreteGpu, Backend::Dx12), 100);
        for (kind, backend) in [
            (DeviceType::DiscreteGpu, Backend::Metal),
            (DeviceType::IntegratedGpu, Backend::Metal),
            (DeviceType::IntegratedGpu, Backend::Vulkan),
            (DeviceType::IntegratedGpu, Backend::Dx12),
            (DeviceType::Other, Backend::Vulkan),
        ] {
            assert_eq!(milliseconds(kind, backend), 25, "{kind:?}, {backend}");
        }
    }

    /// Several pipelines at once are being created as long as one of them is.
    #[test]
    fn compiling_lasts_until_the_last_pipeline_is_there() {
        let compiling = Compiling::default();
        assert_eq!(compiling.elapsed(), None);
        compiling.during(|| {
            let first = compiling.elapsed().expect("one is being created");
            compiling.during(|| ());
            assert!(compiling.elapsed().is_some_and(|elapsed| elapsed >= first));
        });
        assert_eq!(compiling.elapsed(), None);
    }
}
