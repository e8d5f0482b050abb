//! The handling of a driver's panics.

use crate::gpu::caught::caught;

#[test]
fn a_panic_becomes_its_message() {
    assert_eq!(caught(|| 7), Ok(7));
    assert_eq!(caught(|| -> u32 { panic!("the device is gone") }), Err("the device is gone".to_owned()));
    let place = 3;
    assert_eq!(caught(|| -> u32 { panic!("lost at {place}") }), Err("lost at 3".to_owned()));
}
