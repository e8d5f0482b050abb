// The self-test's loop with barriers, modelled on the solver's stages. In each turn every invocation hands its number
// to one of another subgroup; teams that still want steps collect them in workgroup memory, and every member adds up
// those of its team. If the driver loses a barrier or a turn, the results are wrong. Twin of src/gpu/barriers.rs, which
// writes LANES, TEAM and MULTIPLIER above this file.

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

@compute @workgroup_size(LANES)
fn take_turns(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    if lane < TEAMS {
        atomicStore(&last_wanted[lane], 0u);
        atomicStore(&step_counts[lane], 0u);
    }
    workgroupBarrier();
    let team = lane / TEAM;
    var number = workgroup.x * LANES + lane;
    let wanted = mixed(number, turns) % (turns + 1u);
    for (var turn = 0u; turn < turns; turn++) {
        if turn < wanted {
            atomicMax(&last_wanted[team], turn + 1u);
        }
        handed_on[lane] = number;
        let counts = team + TEAMS * (turn & 1u);
        workgroupBarrier();
        if lane % TEAM == 0u {
            atomicStore(&step_counts[team + TEAMS * (~turn & 1u)], 0u);
        }
        number = handed_on[(lane + LANES / 2u + turn) % LANES];
        if atomicLoad(&last_wanted[team]) == turn + 1u && (number & 1u) == 1u {
            steps[team * TEAM + atomicAdd(&step_counts[counts], 1u)] = number;
        }
        workgroupBarrier();
        // The sum does not depend on the order of the steps.
        var sum = turn;
        for (var place = 0u; place < min(atomicLoad(&step_counts[counts]), TEAM); place++) {
            sum += steps[team * TEAM + place];
        }
        number = mixed(number, sum);
    }
    results[workgroup.x * LANES + lane] = number;
}
