//! The WGSL of the stages, put together from the files in `shaders/`: WGSL has no include.

use super::layout::{GROUP_CAPACITY, MOST_DEMANDS};
use super::plan::{ORDERS_PER_ITEM, SLICE_ITEMS, WORKGROUP_SIZE};
use crate::mates::Method;
use crate::mates::pairs::KINDS;
use crate::mates::table::{GROUPS, PUT_GROUP};

const PLANE: &str = include_str!("../../shaders/plane.wgsl");
const LAYOUT: &str = include_str!("../../shaders/layout.wgsl");
const TABLE: &str = include_str!("../../shaders/table.wgsl");
const SLICE: &str = include_str!("../../shaders/slice.wgsl");
const DEMANDS: &str = include_str!("../../shaders/demands.wgsl");
const PERMANENT: &str = include_str!("../../shaders/permanent.wgsl");
const FACTORED: &str = include_str!("../../shaders/factored.wgsl");
const EXHAUSTIVE: &str = include_str!("../../shaders/exhaustive.wgsl");
const LOOPS: &str = include_str!("../../shaders/loops.wgsl");

/// Stage 1, entry point `build_tables`.
pub(super) fn table() -> String {
    [&shared_constants(), LAYOUT, PLANE, TABLE].concat()
}

/// Stage 2 of a method, entry point `count_slice`.
pub(super) fn slice(method: Method) -> String {
    match method {
        Method::Factored => [&shared_constants(), LAYOUT, SLICE, DEMANDS, PERMANENT, FACTORED].concat(),
        Method::Exhaustive => [&shared_constants(), LAYOUT, SLICE, DEMANDS, EXHAUSTIVE].concat(),
    }
}

/// The self-test's long loop, entry point `run_loop`.
pub(super) fn loops() -> String {
    LOOPS.to_owned()
}

fn shared_constants() -> String {
    format!(
        "const KINDS = {KINDS}u;\nconst GROUPS = {GROUPS}u;\nconst PUT_GROUP = {PUT_GROUP}u;\n\
         const GROUP_CAPACITY = {GROUP_CAPACITY}u;\nconst WORKGROUP_SIZE = {WORKGROUP_SIZE}u;\n\
         const ORDERS_PER_ITEM = {ORDERS_PER_ITEM}u;\nconst MOST_DEMANDS = {MOST_DEMANDS}u;\n\
         const SLICE_ITEMS = {SLICE_ITEMS}u;\n"
    )
}
