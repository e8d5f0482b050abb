// Blocks and the *teams* of invocations that work on them, one team per block with one invocation per row. Rows are
// those seen from the block's actions, or those that are stored. Twin of `View` in src/solve/actions/block_actions.rs.

@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
// A part of the boss placements, two entries each: (rank → slot, low and high; first action; first open one), (end of
// the actions; first put among the open ones; unused). Then the actions: see actions.wgsl.
@group(0) @binding(2) var<storage, read> actions: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> list: array<u32>;
@group(0) @binding(4) var<storage, read_write> results: Results;

// The number at an index of up to ten numbers of four bits.
fn nibble(numbers: vec2<u32>, index: u32) -> u32 {
    return (select(numbers.y, numbers.x, index < 8u) >> (4u * (index & 7u))) & 15u;
}

// The number of members of a set that are below a number.
fn below(members: u32, number: u32) -> u32 {
    return countOneBits(members & ((1u << number) - 1u));
}

// An entry of a map of bytes.
fn mapped(map: u32, index: u32) -> u32 {
    return (tables[map + (index >> 2u)] >> (8u * (index & 3u))) & 0xffu;
}

// A block as seen by an invocation of its team.
struct Here {
    // Whether there is a block for the team.
    exists: bool,
    // The index of the team in the workgroup, and of the invocation in the team, which is the deal of its row.
    team: u32,
    deal: u32,
    number: u32,
    // The index of the boss placement's record in `actions`.
    placement: u32,
    // The slots that are the mover's, and the ranks that are the opponent's.
    own: u32,
    ranks: u32,
    // The kinds of the deal, four bits each.
    kinds: u32,
}

fn find_here(workgroup: u32, lane: u32) -> Here {
    let team = lane >> batch.team_shift;
    let deal = lane & ((1u << batch.team_shift) - 1u);
    let place = workgroup * (WORKGROUP_SIZE >> batch.team_shift) + team;
    let exists = place < batch.blocks;
    var number = batch.first;
    if exists {
        number = batch.first + place;
        if batch.listed == 1u {
            number = list[place];
        }
    }
    let placement = 2u * (number / batch.sets - batch.first_placement);
    let ranks = tables[batch.set_list + number % batch.sets];
    let ranked = actions[placement].xy;
    var opposing = 0u;
    for (var rest = ranks; rest != 0u; rest &= rest - 1u) {
        opposing |= 1u << nibble(ranked, countTrailingZeros(rest));
    }
    var kinds = 0u;
    if deal < batch.width {
        kinds = tables[batch.deal_kinds + deal];
    }
    let own = ~opposing & ((1u << batch.slots) - 1u);
    return Here(exists, team, deal, number, placement, own, ranks, kinds);
}

// Whether the invocation has a row of the block seen from its actions.
fn has_row(here: Here) -> bool {
    return here.exists && here.deal < batch.width;
}

// Whether the invocation has a row of the block as it is stored.
fn has_stored_row(here: Here) -> bool {
    return here.exists && here.deal < batch.rows;
}

// Where in this shard the invocation's row is stored.
fn stored_at(here: Here) -> u32 {
    return batch.own_at + ((here.number - batch.segment) * batch.rows + here.deal) * batch.own_words;
}

// Where in this shard the block's ends begin: ENDS sets of deals of the mover's doves.
fn ends_of(here: Here) -> u32 {
    return batch.ends_at + (here.number - batch.segment) * ENDS * batch.own_words;
}

fn act_of(action: vec4<u32>) -> u32 {
    return action.w & 3u;
}

fn slot_of(action: vec4<u32>) -> u32 {
    return (action.w >> 2u) & 15u;
}

fn kinds_of(action: vec4<u32>) -> u32 {
    return (action.w >> 6u) & 31u;
}

fn outcome_of(action: vec4<u32>) -> u32 {
    return (action.w >> 22u) & 3u;
}

// Whether the action exists in this block for some deal of the doves.
fn has_action(here: Here, action: vec4<u32>) -> bool {
    let slot = slot_of(action);
    let is_own = ((here.own >> slot) & 1u) == 1u;
    switch act_of(action) {
        case MOVE: {
            return is_own && (kinds_of(action) & batch.own_kinds) != 0u;
        }
        case RETURN: {
            return is_own;
        }
        case PUT: {
            let touching = (action.w >> 11u) & 0x3ffu;
            let touches_boss = ((action.w >> 21u) & 1u) == 1u;
            return batch.puts > 0u && (touches_boss || (touching & here.own) != 0u);
        }
        default: {
            return true;
        }
    }
}
