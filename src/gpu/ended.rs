//! A driver that ends the process.
//!
//! Mesa's device-select layer calls `exit(0)` once it has listed its devices (`MESA_VK_DEVICE_SELECT=list`), and what was
//! still to be printed was lost with success. Nothing can stop an exit, but it runs the destructors of its thread.

use std::cell::Cell;
use std::io::Write;

/// Fails the process if it ends while this thread is in a driver.
struct Guard {
    is_in_driver: Cell<bool>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        if self.is_in_driver.get() {
            let _ = writeln!(std::io::stderr(), "error: the GPU's driver has ended the program");
            std::process::exit(1);
        }
    }
}

thread_local! {
    static GUARD: Guard = const { Guard { is_in_driver: Cell::new(false) } };
}

/// Does work of a driver. If the driver ends the process meanwhile, this is a failure that is said.
pub(super) fn unless_ended<R>(work: impl FnOnce() -> R) -> R {
    GUARD.with(|guard| guard.is_in_driver.set(true));
    let result = work();
    GUARD.with(|guard| guard.is_in_driver.set(false));
    result
}
