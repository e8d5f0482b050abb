//! The limits that every device must meet, all within WebGPU's defaults.

/// The most storage buffers of a stage, in addition to its uniform buffer.
pub(crate) const STORAGE_BUFFERS: u32 = 4;
/// The most bytes of a buffer: a quarter of what WebGPU guarantees.
pub(crate) const LARGEST_BUFFER: u64 = 32 << 20;
/// The most bytes of workgroup memory in any stage: half of what WebGPU guarantees.
pub(crate) const WORKGROUP_MEMORY: u32 = 8192;
/// The most invocations in a workgroup: a quarter of what WebGPU guarantees.
pub(crate) const WORKGROUP_SIZE: u32 = 64;
/// The most workgroups in a dispatch: WebGPU's limit.
pub(crate) const MAX_WORKGROUPS: u32 = 65_535;
