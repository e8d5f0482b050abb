//! Kernels of the self-test with their known answers.

use serde::Serialize;

use super::module::Module;

/// A kernel with its known answer. It is dispatched once with each of the uniforms as binding 0; its last
/// binding gets the answer.
#[derive(Clone, Debug, Serialize)]
pub struct KnownAnswer {
    /// The kernel.
    pub module: Module,
    /// The words of binding 0, dispatch by dispatch.
    pub uniforms: Vec<Vec<u32>>,
    /// The workgroups of a dispatch.
    pub workgroups: u32,
    /// The words of the answer.
    pub answer: Vec<u32>,
}
