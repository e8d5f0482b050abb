//! Shader modules, exactly as they are passed to wgpu and to checks that need no driver; and the kernels of the
//! self-test with their known answers.

/// A module with one entry point.
#[derive(Clone, Debug)]
pub struct Module {
    /// The module's purpose and variant, usable as a file name.
    pub name: String,
    /// WGSL.
    pub source: String,
    /// The entry point.
    pub entry_point: &'static str,
    /// The values of the overrides.
    pub overrides: Vec<(&'static str, f64)>,
}

/// A kernel with its known answer. It is dispatched once with each of the uniforms as binding 0; its last
/// binding gets the answer.
#[derive(Clone, Debug)]
pub(crate) struct KnownAnswer {
    pub name: &'static str,
    /// The kernel.
    pub module: Module,
    /// The words of binding 0, dispatch by dispatch.
    pub uniforms: Vec<Vec<u32>>,
    /// The workgroups of a dispatch.
    pub workgroups: u32,
    /// The words of the answer.
    pub answer: Vec<u32>,
    /// The name of the buffer that is bound between the uniform and the answer, if any. The buffer is all zeros, before
    /// and afterwards.
    pub buffer: Option<&'static str>,
}
