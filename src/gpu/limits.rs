//! The limits that every device must meet, all within WebGPU's defaults.

/// Maximum number of storage buffers of a stage, in addition to its uniform buffer.
pub(crate) const STORAGE_BUFFERS: u32 = 4;
/// Maximum number of bytes of a buffer: a quarter of what WebGPU guarantees for storage buffers.
pub(crate) const LARGEST_BUFFER: u64 = 32 << 20;
/// Maximum number of bytes of workgroup memory in any stage: half of what WebGPU guarantees.
pub(crate) const WORKGROUP_MEMORY: u32 = 8192;
/// Maximum number of invocations in a workgroup: a quarter of what WebGPU guarantees.
pub(crate) const WORKGROUP_SIZE: u32 = 64;
/// Maximum number of workgroups in a dispatch: WebGPU's limit.
pub(crate) const MAX_WORKGROUPS: u32 = 65_535;
