//! The blocks that a GPU settles, compared with the CPU's function by function.

use crate::count::exhaustive::Block;
use crate::count::sets::Slots;
use crate::count::table::Table;
use crate::count::{Category, Sides};
use crate::gpu::count::Setup;
use crate::gpu::count::layout::TABLE_SIZE;
use crate::gpu::count::shaders::TABLES_PER_WORKGROUP;
use crate::gpu::dispatch::Download;
use crate::gpu::{Device, Module};
use crate::rules::Rules;
use crate::shapes::BossPlacement;
use crate::shapes::deals::{CONSTANTS, OrderSet};
use crate::testing::calculator::word;
use pollster::block_on;
use wgpu::BufferUsages as Usage;

use super::{on_gpu, placements_for};

/// An entry point that writes what the functions of the second stage return for each block: the deciding orders, the
/// rows, the number of demands, the exclusive ors of the orders that they forbid, of the rows that meet them, and of
/// the sets of all rows, and the count.
const LOOK: &str = "
    @group(0) @binding(0) var<storage, read_write> seen: array<u32>;

    fn note(at: u32, orders: OrderSet) {
        seen[at] = orders.x; seen[at + 1u] = orders.y; seen[at + 2u] = orders.z; seen[at + 3u] = orders.w;
    }

    @compute @workgroup_size(WORKGROUP_SIZE)
    fn look(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
        let table = workgroup.x;
        clear_memory(lane);
        gather_demands(table, lane);
        let slots = countOneBits(cells_of(placements[table])) - 2u;
        let start = constants.set_starts[slots];
        for (var i = lane; start + i < constants.set_starts[slots + 1u]; i += WORKGROUP_SIZE) {
            let opposing = constants.opposing_sets[start + i];
            let orders = deciding(table, slots, opposing);
            settle(slots, opposing, orders);
            let at = WORDS * (table * MAX_BLOCKS + i);
            note(at, orders);
            note(at + 4u, block_rows);
            var forbids = OrderSet();
            var meets = OrderSet();
            for (var demand = 0u; demand < block_demand_count; demand++) {
                forbids ^= block_demands[demand].forbidden;
                meets ^= block_demands[demand].met;
            }
            note(at + 8u, forbids);
            note(at + 12u, meets);
            var rows = OrderSet();
            for (var order = 0u; order < 120u; order++) {
                if ((block_rows[order / 32u] >> (order % 32u)) & 1u) == 1u {
                    rows ^= row(orders, order / 32u, order % 32u);
                }
            }
            note(at + 16u, rows);
            seen[at + 20u] = block_demand_count;
            seen[at + 21u] = count_rows(orders);
        }
    }";
const WORDS: usize = 22;

/// Compares samples of boss placements with any number of doves, in every category.
#[test]
fn blocks_are_those_of_the_cpu() {
    on_gpu(|gpu| {
        let mut demands = 0;
        for category in Category::ALL {
            let sample = |doves| placements_for(category, doves, Some(6));
            let placements: Vec<BossPlacement> = (2..=12).flat_map(sample).collect();
            let seen = look(&gpu.device(), &Setup::new(category, Rules::default()), &placements);
            let most = CONSTANTS.opposing_sets.iter().map(Vec::len).max().expect("there are sets");
            let mut table = Table::default();
            let mut block = Block::default();
            for (placement, seen) in placements.iter().zip(seen.chunks_exact(WORDS * most)) {
                table.build(Some(category), placement, Rules::default());
                let sets = &CONSTANTS.opposing_sets[placement.slots() as usize];
                for (&opposing, seen) in sets.iter().zip(seen.chunks_exact(WORDS)) {
                    block.settle(&table, category, Sides::WHOLE, Slots(opposing));
                    let words = expected(&block);
                    // Without deciding orders, the CPU does not read the demands.
                    let compared = if block.deciding == 0 { 4 } else { WORDS };
                    let of = format!("{placement}, {category}, opposing slots {opposing:#b}");
                    assert_eq!(seen[..compared], words[..compared], "{of}: the GPU (left)");
                    assert!(block.deciding != 0 || seen[WORDS - 1] == 0, "{of}");
                    demands += block.demands.len();
                }
            }
        }
        assert!(demands > 100, "hardly a demand was compared");
    })
}

/// The words of a block.
fn expected(block: &Block) -> Vec<u32> {
    let rows = (0..120).fold(0, |rows, order| rows ^ block.row(order));
    let forbids = block.demands.iter().fold(0, |all, demand| all ^ demand.forbidden);
    let meets = block.demands.iter().fold(0, |all, demand| all ^ demand.met);
    let sets = [block.deciding, block.rows, forbids, meets, rows];
    let words = |orders: OrderSet| (0..4).map(move |word| (orders >> (32 * word)) as u32);
    let count: u32 = (0..120).map(|order| block.row(order).count_ones()).sum();
    sets.into_iter().flat_map(words).chain([block.demands.len() as u32, count]).collect()
}

/// The entry point's output for these boss placements, whose tables the first stage builds.
fn look(device: &Device, setup: &Setup, placements: &[BossPlacement]) -> Vec<u32> {
    let number = placements.len() as u32;
    let batch = device.filled("batch", &[number, 0], Usage::UNIFORM);
    let constants = device.filled("constants", &setup.constants, Usage::STORAGE);
    let words: Vec<u32> = placements.iter().map(word).collect();
    let words = device.filled("placements", &words, Usage::STORAGE);
    let tables = device.buffer("tables", u64::from(number) * TABLE_SIZE, Usage::STORAGE);
    let most = CONSTANTS.opposing_sets.iter().map(Vec::len).max().expect("there are sets");
    let size = (4 * WORDS * most * placements.len()) as u64;
    let seen = device.buffer("seen", size, Usage::STORAGE | Usage::COPY_SRC);

    let build = block_on(device.pipeline(&setup.build_tables, &|| ())).expect("the shader compiles");
    let Module { source, overrides, .. } = setup.count_placement.clone();
    let source = format!("{source}\nconst WORDS = {WORDS}u;\n{LOOK}");
    let look = Module { name: "look".to_owned(), source, entry_point: "look", overrides };
    let look = block_on(device.pipeline(&look, &|| ())).expect("the functions are in the shader");
    let look = device.stage(&look, &[&seen, &constants, &tables, &words]);
    let build = device.stage(&build, &[&batch, &words, &tables]);
    let stages = [(&build, number.div_ceil(TABLES_PER_WORKGROUP)), (&look, number)];
    let download = Download::new(device, size);
    let sent = download.send(device, &stages, &seen, size);
    block_on(download.receive(device, sent)).expect("the blocks come back").0
}
