//! The caches of values read from files.

use std::cell::Cell;
use std::convert::Infallible;
use std::sync::Arc;

use crate::files::cache::{Cache, MAX_THREAD_GROUPS, ThreadCache};
use crate::space::layout::{ClassId, GroupId};

/// Gets the current value of a key. Returns `None` if it was cached, or else the earlier value, if there was one, from
/// which it was made.
fn ask(cache: &Cache<u32, u32>, key: u32, current: u32) -> Option<Option<u32>> {
    let mut made = None;
    let value = cache.renew(
        key,
        |_| 10,
        |value| *value == current,
        |before| {
            made = Some(before.map(|before| *before));
            Ok::<_, Infallible>(Arc::new(current))
        },
    );
    assert_eq!(*value.expect("making cannot fail"), current);
    made
}

#[test]
fn a_cache_keeps_what_fits() {
    let cache = Cache::new(35);
    assert_eq!(ask(&cache, 0, 1), Some(None));
    assert_eq!(ask(&cache, 0, 1), None);
    assert_eq!(ask(&cache, 0, 2), Some(Some(1)), "it is renewed from what it was");
    for key in 0..100 {
        ask(&cache, key, 2);
    }
    let kept = (0..100).filter(|&key| ask(&cache, key, 2).is_none()).count();
    assert!(kept <= 3, "there is room for three, not {kept}");
    cache.clear();
    assert_eq!(ask(&cache, 7, 2), Some(None));
    assert_eq!(ask(&cache, 7, 2), None);
    cache.resize(0);
    assert_eq!(ask(&cache, 7, 2), Some(None));
}

/// Whatever was read and dropped before, `get` returns the right group; a group that is still cached is not read again.
#[test]
fn cached_groups_are_those_requested() {
    let mut near = ThreadCache::default();
    let asked = Cell::new(0);
    let mut get = |class, number| {
        let group = GroupId { class: ClassId(class), number };
        let ask = || {
            asked.set(asked.get() + 1);
            Arc::new((class, number))
        };
        assert_eq!(*near.get(group, ask), (class, number));
    };
    for number in 0..3 * MAX_THREAD_GROUPS {
        for _ in 0..2 {
            get(number % 7, number / 2);
        }
        assert_eq!(asked.get(), number + 1);
    }
    get(0, 0);
    assert_eq!(asked.get(), 3 * MAX_THREAD_GROUPS + 1, "the first group was dropped");
}
