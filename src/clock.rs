//! The clock for measurements and deadlines. It excludes times of more than a second in which this process could not
//! run, because it was stopped or the computer slept. In a browser it is the page's clock.

#[cfg(not(target_family = "wasm"))]
pub use native::Instant;
#[cfg(target_family = "wasm")]
pub use web_time::Instant;

#[cfg(not(target_family = "wasm"))]
mod native {
    use std::ops::Add;
    use std::sync::{Mutex, Once, PoisonError};
    use std::thread;
    use std::time::Duration;

    /// The time between two ticks of the clock's thread.
    const TICK: Duration = Duration::from_millis(200);
    /// If no thread has read the clock for this long, none could run.
    const GAP: Duration = Duration::from_secs(1);

    /// When a thread last read the system's clock, and the total time until then in which none could run.
    #[derive(Default)]
    struct Watch {
        looked: Option<std::time::Instant>,
        stopped: Duration,
    }

    static WATCH: Mutex<Watch> = Mutex::new(Watch { looked: None, stopped: Duration::ZERO });

    /// A moment by this clock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(std::time::Instant);

    impl Instant {
        /// This moment.
        pub fn now() -> Instant {
            static TICKING: Once = Once::new();
            TICKING.call_once(|| {
                let tick = || {
                    loop {
                        Watch::look(true);
                        thread::sleep(TICK);
                    }
                };
                // Without this thread, the clock includes stops.
                let _ = thread::Builder::new().name("clock".to_owned()).stack_size(1 << 16).spawn(tick);
            });
            Watch::look(false)
        }

        /// The time since this moment.
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// The time since an earlier moment; zero if that moment is later than this one.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_duration_since(earlier.0)
        }
    }

    impl Watch {
        /// Reads the system's clock. `ticks`: whether the clock's own thread calls. Before it first does, a gap means
        /// nothing.
        fn look(ticks: bool) -> Instant {
            let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
            let now = std::time::Instant::now();
            let gap = watch.looked.map_or(Duration::ZERO, |looked| now - looked);
            if gap > GAP {
                watch.stopped += gap;
            }
            if ticks || watch.looked.is_some() {
                watch.looked = Some(now);
            }
            // The result is never before the system's clock began, because all stops came after that.
            Instant(now.checked_sub(watch.stopped).unwrap_or(now))
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0 + time)
        }
    }
}
