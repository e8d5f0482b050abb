//! An open device whose errors are caught instead of ending the program.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use super::GpuError;

/// How long a submission may take before the device is given up. Dispatches are made to last about a tenth of a second; the first
/// one may include compiling the shaders.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A device, its queue, and the first error it came upon.
pub(super) struct Device {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    first_error: Arc<Mutex<Option<GpuError>>>,
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
    /// Opens a device that offers this.
    pub fn open(adapter: &wgpu::Adapter, needs: &Needs) -> Result<Device, GpuError> {
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
        Ok(Device { device, queue, first_error })
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
    pub fn pipeline(&self, source: String, entry_point: &str, constants: &[(&str, f64)]) -> wgpu::ComputePipeline {
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(entry_point),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry_point),
            layout: None,
            module: &module,
            entry_point: Some(entry_point),
            compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
            cache: None,
        })
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
        let poll = wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(TIMEOUT) };
        let polled = self.device.poll(poll);
        if polled.is_err() {
            // The loss of a device is reported in a poll that follows; it says more than the failed wait.
            let _ = self.device.poll(wgpu::PollType::Poll);
        }
        self.check()?;
        match polled {
            Ok(_) => {}
            Err(wgpu::PollError::Timeout) => return Err(GpuError::Timeout(TIMEOUT.as_secs())),
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

/// wgpu's messages span lines; a user's error is one line.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
