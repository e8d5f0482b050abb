//! Catching a panic without output on standard error.
//!
//! wgpu panics if the Vulkan driver reports in a poll that the device is lost. The hook that prints panics belongs to
//! the process; so the new one passes all other panics, including those of other threads, to the one before it.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`: returns its result, or the message of its panic.
pub(crate) fn caught<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_CAUGHT.get() {
                usual(panic);
            }
        }));
    });
    IS_CAUGHT.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(false);
    result.map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned()
    })
}
