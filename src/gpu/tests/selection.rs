//! Which adapter a user means.

use crate::gpu::{AdapterDescription, Selection, SelectionError};

fn adapter(index: usize, name: &str, backend: &str) -> AdapterDescription {
    AdapterDescription {
        index,
        name: name.to_owned(),
        backend: backend.to_owned(),
        kind: "discrete GPU".to_owned(),
        driver: String::new(),
        is_certified: true,
        largest_buffer: 1 << 27,
        memory: None,
    }
}

/// A card is used without being named; a driver on the CPU, or one that is not certified, is not.
#[test]
fn what_must_be_named() {
    let card = adapter(0, "RTX", "Vulkan");
    assert!(!card.is_opt_in());
    assert!(AdapterDescription { is_certified: false, ..card.clone() }.is_opt_in());
    assert!(AdapterDescription { kind: "software".into(), ..card }.is_opt_in());
}

/// A GPU that two backends list counts as one match; two equal GPUs count as two.
#[test]
fn a_name_means_a_card() {
    let one = [adapter(0, "RTX", "Vulkan"), adapter(1, "RTX", "DX12"), adapter(2, "UHD", "DX12")];
    let two = [adapter(0, "RTX", "Vulkan"), adapter(1, "RTX", "Vulkan")];
    let index = |all: &[AdapterDescription], text: &str| {
        let selection: Selection = text.parse().expect("a selection");
        selection.among(all).map(|adapter| adapter.index)
    };
    assert_eq!(index(&one, "rtx"), Ok(0), "the better backend is listed first");
    assert_eq!(index(&one, "rtx (dx12)"), Ok(1), "the other one can still be had");
    assert_eq!([index(&one, "1"), index(&one, "UHD")], [Ok(1), Ok(2)]);
    assert!(matches!(index(&one, "dx12"), Err(SelectionError::Several { .. })));
    let four = [0, 1].map(|place| [two[place].clone(), adapter(2 + place, "RTX", "DX12")]).concat();
    assert!(matches!(index(&four, "rtx"), Err(SelectionError::Several { .. })));
    assert!(matches!(index(&two, "rtx"), Err(SelectionError::Several { .. })));
    assert!(matches!(index(&two, "llvmpipe"), Err(SelectionError::None { .. })));
    assert!(matches!(index(&[], "rtx"), Err(SelectionError::NoAdapters(_))));
}
