//! Waiting for a device in a page, in the event loop. Unlike natively, there are no time limits here: the page sets
//! them, because it knows how long the computer slept.

use js_sys::Reflect;
use wasm_bindgen::prelude::{Closure, JsCast, JsValue};

use super::GpuError;
use super::delivery::Delivery;
use super::device::{Device, Mapping, one_line};

/// A pipeline, and its validation error, if any.
pub(super) type Created = (wgpu::ComputePipeline, Option<wgpu::Error>);

/// Notes the first error of a device that no scope captures. wgpu's own handler would panic at a `GPUInternalError`,
/// which a driver's compiler may cause.
pub(super) fn note_errors(device: &wgpu::Device, errors: &Delivery<GpuError>) {
    let errors = errors.clone();
    let handler = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
        let error = Reflect::get(&event, &"error".into());
        let message = error.and_then(|error| Reflect::get(&error, &"message".into()));
        let message = message.ok().and_then(|message| message.as_string()).unwrap_or_default();
        errors.put_first(GpuError::Driver(one_line(&message)));
    });
    if let Some(device) = device.as_webgpu() {
        device.set_onuncapturederror(Some(handler.as_ref().unchecked_ref()));
    }
    // It must live as long as the device does, and only JavaScript knows how long that is.
    handler.forget();
}

/// Begins to create a pipeline. The returned future waits until it is compiled, because only then does its error scope
/// report an error. There is no time limit, so unlike natively the wait never fails.
pub(super) fn created<'d, C: Future<Output = Created> + 'd>(
    _: &'d Device,
    create: impl FnOnce() -> C,
    _: &'d (dyn Fn() + Sync),
) -> impl Future<Output = Result<Created, GpuError>> + 'd {
    let created = create();
    async move { Ok(created.await) }
}

/// Waits until a buffer is mapped.
pub(super) async fn mapped(
    device: &Device,
    _: wgpu::SubmissionIndex,
    mapping: &Mapping,
) -> Result<(), GpuError> {
    if mapping.wait().await.is_err() {
        // The cause, a loss of the device or another error, may be reported later.
        return Err(device.first_error.wait().await);
    }
    device.check()
}

/// Closes a device, which would otherwise keep its memory until JavaScript collects it.
pub(super) fn close(device: &Device) {
    device.device.destroy();
}
