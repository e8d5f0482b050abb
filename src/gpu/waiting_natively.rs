//! Waiting for a device natively: the device is polled, and a thread waits for a driver's compiler.

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use pollster::block_on;

use super::GpuError;
use super::caught::caught;
use super::delivery::Delivery;
use super::device::{Device, Mapping, driver_error, one_line};

/// The time limit of a submission or a pipeline, after which the device is given up. Batches are sized to last about a
/// thirtieth of a second, but the first one may include compiling the shaders.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// The time after which the compilation of a pipeline counts as slow.
const SLOW: Duration = Duration::from_secs(1);

/// A pipeline, and its validation error, if any.
pub(super) type Created = (wgpu::ComputePipeline, Option<wgpu::Error>);

/// Notes the first error of a device that no scope captures.
pub(super) fn note_errors(device: &wgpu::Device, errors: &Delivery<GpuError>) {
    let errors = errors.clone();
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        errors.put_first(driver_error(error));
    }));
}

/// Begins to create a pipeline; the returned future waits for it and calls `slow` if that takes long.
///
/// # Errors
/// If it is not created in time, or no thread can be started.
pub(super) fn created<'d, C: Future<Output = Created>>(
    device: &'d Device,
    create: impl FnOnce() -> C + Send + 'static,
    slow: &'d (dyn Fn() + Sync),
) -> impl Future<Output = Result<Created, GpuError>> + 'd {
    let (sender, receiver) = mpsc::channel();
    // A driver's compiler cannot be stopped, so a thread that takes too long is abandoned, and the receiver is gone.
    let started = thread::Builder::new().spawn(move || drop(sender.send(block_on(create()))));
    async move {
        started.map_err(|error| GpuError::Open(format!("no thread can be started: {error}")))?;
        // A compiler that panics counts as one that hangs.
        let received = receiver.recv_timeout(SLOW).or_else(|_| {
            slow();
            receiver.recv_timeout(TIME_LIMIT)
        });
        let created = received.map_err(|_| device.give_up(GpuError::Compiling(TIME_LIMIT.as_secs())))?;
        // A poll reports a lost device, and that error takes precedence over any other.
        let _ = poll(device, wgpu::PollType::Poll);
        Ok(created)
    }
}

/// Waits until a submission is done and a buffer is mapped.
pub(super) async fn mapped(
    device: &Device,
    submission: wgpu::SubmissionIndex,
    mapping: &Mapping,
) -> Result<(), GpuError> {
    let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(TIME_LIMIT) };
    let polled = poll(device, wait);
    if polled.is_err() {
        // A further poll reports a lost device, and that error says more than the failed wait.
        let _ = poll(device, wgpu::PollType::Poll);
    }
    device.check()?;
    polled.map_err(|error| match error {
        wgpu::PollError::Timeout => device.give_up(GpuError::Timeout(TIME_LIMIT.as_secs())),
        error => driver_error(error),
    })?;
    let mapped = mapping.get().ok_or_else(|| GpuError::Driver("a buffer was not mapped".to_owned()))?;
    mapped.map_err(driver_error)
}

/// Prepares a device for being dropped, which matters only for one that was given up.
pub(super) fn close(device: &Device) {
    let given_up = matches!(device.check(), Err(GpuError::Timeout(_) | GpuError::Compiling(_)));
    if given_up {
        // A queue waits for its work when it is dropped, which would never end on a hanging device. So leak it.
        std::mem::forget(device.queue.clone());
    }
}

/// Polls a device. If wgpu panics, the device counts as lost, which [`Device::check`] reports.
fn poll(device: &Device, poll: wgpu::PollType) -> Result<(), wgpu::PollError> {
    match caught(|| device.device.poll(poll)) {
        Ok(polled) => polled.map(|_| ()),
        Err(panic) => {
            // An error from the callback for a lost device takes precedence, because it says more.
            device.give_up(GpuError::Lost(one_line(&panic)));
            Ok(())
        }
    }
}
