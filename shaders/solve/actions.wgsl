// The open actions of blocks as maps from rows to rows of other blocks. Twin of `View` in
// src/solve/actions/block_actions.rs, which explains each.
//
// An action is (own ranks at the target, low; opposing slots at the target, low; target, and from bit 16 the high parts
// of the two; act). One invocation of the team turns it into a *step*, which holds for all rows of the block.

struct Step {
    // Which deals have the action: bits 0 to 4 are kinds, and from bit 5 is the shift in Here.kinds of the kind that
    // must be one of them (for a boss, all kinds). Then the flags below, and from bit 16 the shard.
    who: u32,
    // From a deal to a row: one map, or two in succession.
    first_map: u32,
    second_map: u32,
    // The table that reorders the bits of the row, if REORDERS is set.
    reading: u32,
    // Where in the shard the rows begin.
    at: u32,
}

const TWO_MAPS = 0x400u;
const REORDERS = 0x800u;

var<workgroup> steps: array<Step, WORKGROUP_SIZE>;
// The number of steps of each team, for even and odd chunks.
var<workgroup> step_counts: array<atomic<u32>, 2 * MAX_TEAMS>;
// The last chunk that each team wanted, counted from 1.
var<workgroup> last_wanted: array<atomic<u32>, MAX_TEAMS>;

// The image of a set.
fn image_of(members: u32, images: vec2<u32>) -> u32 {
    var image = 0u;
    for (var rest = members; rest != 0u; rest &= rest - 1u) {
        image |= 1u << nibble(images, countTrailingZeros(rest));
    }
    return image;
}

// The number of the permutation that sorts the members of a set by their images. Permutations are in lexicographic
// order, so the number is a sum over the members: the number of later members with smaller images, times a factorial.
fn sorting(members: u32, images: vec2<u32>, image: u32) -> u32 {
    var number = 0u;
    var later = image;
    for (var rest = members; rest != 0u; rest &= rest - 1u) {
        let place = nibble(images, countTrailingZeros(rest));
        number = number * countOneBits(later) + below(later, place);
        later &= ~(1u << place);
    }
    return number;
}

// Turns an action in a block (a put, of the kind with number `put`) into a step and appends it to those of the team if
// it is wanted; `counts` is the index of their counter.
fn append_step(here: Here, action: vec4<u32>, put: u32, counts: u32) {
    let own_images = vec2(action.x, (action.z >> 16u) & 0xffu);
    let act = act_of(action);
    let slot = slot_of(action);
    let staying = here.own & ~select(0u, 1u << slot, act == RETURN);
    let image = image_of(staying, own_images);
    let put_rank = nibble(own_images, batch.slots);

    var reached = image;
    var places = batch.places_same;
    var class_at = batch.after_move;
    if act == RETURN {
        places = batch.places_less;
        class_at = batch.after_return;
    } else if act == PUT {
        reached |= 1u << put_rank;
        places = batch.places_more;
        class_at = tables[batch.after_puts + put];
    }
    // The record of a class: first shard, offset there, blocks per shard, words per block, sets per placement, and
    // offset of its marks.
    let block = (action.z & 0xffffu) * tables[class_at + 4u] + tables[places + reached];
    if !is_wanted(tables[class_at + 5u], block) {
        return;
    }

    let number = sorting(staying, own_images, image);
    var step = Step(31u, batch.permuted + number * batch.map_stride, 0u, 0u, 0u);
    if act == MOVE {
        step.who = kinds_of(action) | ((4u * below(here.own, slot)) << 5u);
    } else if act == RETURN {
        step.who |= TWO_MAPS;
        step.first_map = batch.dropped + below(here.own, slot) * batch.map_stride;
        step.second_map = batch.permuted_less + number * batch.less_stride;
    } else if act == PUT {
        step.who |= TWO_MAPS;
        step.second_map = batch.inserted + (below(image, put_rank) * batch.puts + put) * batch.map_stride;
    }
    let per_shard = tables[class_at + 2u];
    step.who |= (tables[class_at] + block / per_shard) << 16u;
    step.at = tables[class_at + 1u] + (block % per_shard) * tables[class_at + 3u];
    let opposing_images = vec2(action.y, action.z >> 24u);
    let reading = sorting(here.ranks, opposing_images, image_of(here.ranks, opposing_images));
    if reading != 0u {
        step.who |= REORDERS;
        step.reading = batch.reorders + reading * batch.reorder_stride;
    }
    let place = atomicAdd(&step_counts[counts], 1u);
    steps[(here.team << batch.team_shift) + place] = step;
}

// The first open action on the block's boss placement, the number of those that are not puts, and the number of all,
// with each put counted once per kind that can be put.
fn open_actions(here: Here) -> vec3<u32> {
    let first = actions[here.placement].w;
    let bounds = actions[here.placement + 1u].xy;
    let others = bounds.y - first;
    return vec3(first, others, others + (bounds.x - bounds.y) * batch.puts);
}

// Notes that the invocation's team still wants the steps of a chunk, if it has actions there.
fn want_steps(here: Here, open: vec3<u32>, chunk: u32) {
    if here.exists && (chunk << batch.team_shift) < open.z {
        atomicMax(&last_wanted[here.team], chunk + 1u);
    }
}

// Prepares the steps of a chunk, which has as many actions of each team's block as the team has invocations, if any of
// these wants them; returns the number of steps. All invocations call it together, batch.chunks times, whatever they
// want: some compilers miscompile a loop with barriers whose end depends on workgroup memory.
fn prepare_steps(here: Here, open: vec3<u32>, chunk: u32) -> u32 {
    let counts = here.team + MAX_TEAMS * (chunk & 1u);
    workgroupBarrier(); // Guards steps, which others may still read from the last chunk; and last_wanted.
    if here.deal == 0u {
        // The counter of the next chunk. The chunk before this one had the same counter, and no longer reads it.
        atomicStore(&step_counts[here.team + MAX_TEAMS * (~chunk & 1u)], 0u);
    }
    if atomicLoad(&last_wanted[here.team]) == chunk + 1u {
        var next = (chunk << batch.team_shift) + here.deal;
        var put = 0u;
        if next < open.z {
            if next >= open.y {
                let puts = next - open.y;
                next = puts / batch.puts;
                put = puts - next * batch.puts;
                next += open.y;
            }
            let action = actions[open.x + next];
            if has_action(here, action) {
                append_step(here, action, put, counts);
            }
        }
    }
    workgroupBarrier(); // Guards steps and step_counts.
    return min(atomicLoad(&step_counts[counts]), 1u << batch.team_shift);
}

// Whether the invocation's deal has the action of one of the steps of its team; `who` is the step's.
fn has_step(here: Here, who: u32) -> bool {
    let kind = (here.kinds >> ((who >> 5u) & 31u)) & 15u;
    return ((who >> kind) & 1u) == 1u;
}

// The row that a step leads to from the invocation's row, with its bits in the order of this block.
fn successor(here: Here, step: u32, who: u32) -> Row {
    var deal = mapped(steps[step].first_map, here.deal);
    if (who & TWO_MAPS) != 0u {
        deal = mapped(steps[step].second_map, deal);
    }
    let row = gathered_row(who >> 16u, steps[step].at + deal * batch.read_words);
    if (who & REORDERS) == 0u {
        return row;
    }
    return reordered(row, steps[step].reading);
}
