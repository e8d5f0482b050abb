// The self-test's loop with barriers. In each turn every invocation hands its number on, often to an invocation of
// another subgroup. While any member of a team is active, the team collects the odd numbers that it receives (its
// steps) in workgroup memory; each member adds them up. If the driver drops a barrier or an iteration, the results are
// wrong.
// Twin of src/gpu/barriers.rs, which writes LANES, TEAM and MULTIPLIER above this file.

const TEAMS = LANES / TEAM;

@group(0) @binding(0) var<uniform> turns: u32;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

var<workgroup> step_counts: array<atomic<u32>, 2 * TEAMS>;
var<workgroup> last_wanted: array<atomic<u32>, TEAMS>;
var<workgroup> steps: array<u32, LANES>;
var<workgroup> handed_on: array<u32, LANES>;

fn mixed(number: u32, with_number: u32) -> u32 {
    let product = (number ^ with_number) * MULTIPLIER;
    return product ^ (product >> 15u);
}

// The turn is in functions because naga's Metal code hands workgroup memory to functions by reference, and compilers
// have lost barriers in such code.

fn begin_turn(team: u32, lane: u32, number: u32, turn: u32, wanted: u32) {
    if turn < wanted {
        atomicMax(&last_wanted[team], turn + 1u);
    }
    handed_on[lane] = number;
}

fn counts_of(team: u32, turn: u32) -> u32 {
    return team + TEAMS * (turn & 1u);
}

// Receives a number. It is a step if it is odd and the team still collects steps.
fn collect_step(team: u32, lane: u32, turn: u32) -> u32 {
    if lane % TEAM == 0u {
        atomicStore(&step_counts[counts_of(team, ~turn)], 0u);
    }
    let number = handed_on[(lane + LANES / 2u + turn) % LANES];
    if atomicLoad(&last_wanted[team]) == turn + 1u && (number & 1u) == 1u {
        steps[team * TEAM + atomicAdd(&step_counts[counts_of(team, turn)], 1u)] = number;
    }
    return number;
}

// The sum does not depend on the order of the steps.
fn sum_of_steps(team: u32, turn: u32) -> u32 {
    let counts = counts_of(team, turn);
    var sum = turn;
    for (var place = 0u; place < min(atomicLoad(&step_counts[counts]), TEAM); place++) {
        sum += steps[team * TEAM + place];
    }
    return sum;
}

@compute @workgroup_size(LANES)
fn take_turns(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    if lane < TEAMS {
        atomicStore(&last_wanted[lane], 0u);
        atomicStore(&step_counts[lane], 0u);
    }
    workgroupBarrier(); // Guards last_wanted and step_counts; atomics only.
    let team = lane / TEAM;
    var number = workgroup.x * LANES + lane;
    let wanted = mixed(number, turns) % (turns + 1u);
    for (var turn = 0u; turn < turns; turn++) {
        begin_turn(team, lane, number, turn, wanted);
        workgroupBarrier(); // Guards handed_on and last_wanted.
        number = collect_step(team, lane, turn);
        workgroupBarrier(); // Guards steps and step_counts.
        number = mixed(number, sum_of_steps(team, turn));
    }
    results[workgroup.x * LANES + lane] = number;
}
