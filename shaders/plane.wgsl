// The plane around a shape: isolation, the bounding box, its walls and enclosure, for whole sets of cells at once.
// Twin of src/shapes/plane.rs, which says what the functions mean and why 8×8 cells are enough.
//
// A set of cells is a vec2<u32>: x holds the rows 0 to 3, y the rows 4 to 7, bit 8·(row mod 4) + column. Sets of rows
// or of columns alone are the low 8 bits of a u32. FAR is the window's size less one.

fn west(cells: vec2<u32>) -> vec2<u32> {
    return cells >> vec2(1u);
}

fn east(cells: vec2<u32>) -> vec2<u32> {
    return cells << vec2(1u);
}

fn north(cells: vec2<u32>) -> vec2<u32> {
    return vec2((cells.x >> 8u) | (cells.y << 24u), cells.y >> 8u);
}

fn south(cells: vec2<u32>) -> vec2<u32> {
    return vec2(cells.x << 8u, (cells.y << 8u) | (cells.x >> 24u));
}

fn is_empty(cells: vec2<u32>) -> bool {
    return (cells.x | cells.y) == 0u;
}

fn overlap(a: vec2<u32>, b: vec2<u32>) -> bool {
    return !is_empty(a & b);
}

// The first cell of a non-empty set, as a set of one cell.
fn first_cell(cells: vec2<u32>) -> vec2<u32> {
    let lowest = cells & (~cells + vec2(1u));
    return vec2(lowest.x, select(0u, lowest.y, lowest.x == 0u));
}

fn window_cells(cells: u32) -> vec2<u32> {
    return vec2(
        ((cells & 0xfu) << 18u) | ((cells & 0xf0u) << 22u),
        ((cells & 0xf00u) >> 6u) | ((cells & 0xf000u) >> 2u),
    );
}

fn sides(cells: vec2<u32>) -> vec2<u32> {
    return west(cells) | east(cells) | north(cells) | south(cells);
}

fn diagonals(cells: vec2<u32>) -> vec2<u32> {
    let beside = west(cells) | east(cells);
    return north(beside) | south(beside);
}

fn neighbours(cells: vec2<u32>) -> vec2<u32> {
    return sides(cells) | diagonals(cells);
}

fn knight_jumps(cells: vec2<u32>) -> vec2<u32> {
    let near = west(cells) | east(cells);
    let far = west(west(cells)) | east(east(cells));
    return north(north(near) | far) | south(south(near) | far);
}

fn slides(from_cell: vec2<u32>, doves: vec2<u32>) -> vec2<u32> {
    let empty = ~doves;
    var to_north = from_cell;
    var to_south = from_cell;
    var to_west = from_cell;
    var to_east = from_cell;
    var reached = vec2(0u);
    for (var step = 0u; step <= FAR; step++) {
        to_north = north(to_north) & empty;
        to_south = south(to_south) & empty;
        to_west = west(to_west) & empty & vec2(0x7f7f7f7fu);
        to_east = east(to_east) & empty & vec2(0xfefefefeu);
        reached |= to_north | to_south | to_west | to_east;
    }
    return reached;
}

fn isolated(doves: vec2<u32>) -> vec2<u32> {
    return doves & ~neighbours(doves);
}

struct Bounds {
    top: u32,
    bottom: u32,
    left: u32,
    right: u32,
}

fn bounds_of(doves: vec2<u32>) -> Bounds {
    let half = doves.x | doves.y;
    let quarter = half | (half >> 16u);
    let columns = (quarter | (quarter >> 8u)) & 0xffu;
    let top = select(4u + (countTrailingZeros(doves.y) >> 3u), countTrailingZeros(doves.x) >> 3u, doves.x != 0u);
    let bottom = select(firstLeadingBit(doves.x) >> 3u, 4u + (firstLeadingBit(doves.y) >> 3u), doves.y != 0u);
    return Bounds(top, bottom, countTrailingZeros(columns), firstLeadingBit(columns));
}

// The set of the numbers from first to last, without those beyond 7.
fn interval(first: u32, last: u32) -> u32 {
    return (0xffu >> (7u - min(last, 7u))) & (0xffu << first) & 0xffu;
}

fn all_of_columns(columns: u32) -> vec2<u32> {
    return vec2(columns * 0x01010101u);
}

fn all_of_rows(rows: u32) -> vec2<u32> {
    // The product puts bit n of four at bit 8n; the mask removes the other bits.
    let starts = (vec2(rows & 0xfu, rows >> 4u) * 0x00204081u) & vec2(0x01010101u);
    return starts * 0xffu;
}

fn room(bounds: Bounds) -> vec2<u32> {
    let rows = interval(max(bounds.bottom, FAR) - FAR, bounds.top + FAR);
    let columns = interval(max(bounds.right, FAR) - FAR, bounds.left + FAR);
    return all_of_rows(rows) & all_of_columns(columns);
}

fn walls(bounds: Bounds) -> vec2<u32> {
    var found = vec2(0u);
    if bounds.right - bounds.left == FAR {
        found |= all_of_columns(((0x2u << bounds.right) | ((1u << bounds.left) >> 1u)) & 0xffu);
    }
    if bounds.bottom - bounds.top == FAR {
        found |= all_of_rows(((0x2u << bounds.bottom) | ((1u << bounds.top) >> 1u)) & 0xffu);
    }
    return found;
}

fn landings(doves: vec2<u32>, bounds: Bounds) -> vec2<u32> {
    var found = room(bounds) & neighbours(doves) & ~doves;
    var lonely = isolated(doves);
    while !is_empty(lonely) {
        let dove = first_cell(lonely);
        found &= neighbours(dove);
        lonely &= ~dove;
    }
    return found;
}

fn open_sides(cell: vec2<u32>, doves: vec2<u32>) -> vec2<u32> {
    return sides(cell) & ~(doves | walls(bounds_of(doves)));
}

// The rows (or columns) in which one more dove makes a wall just before `place`, if the doves extend from `first` to
// `last`: no dove may come before `place`, and one must stand FAR after it.
fn walling_before(place: u32, first: u32, last: u32) -> u32 {
    let far = place + FAR;
    return select(0u, interval(select(far, place, last == far), far), first == place);
}

// The same for a wall just after `place`.
fn walling_after(place: u32, first: u32, last: u32) -> u32 {
    let far = max(place, FAR) - FAR;
    return select(0u, interval(far, select(far, place, first == far)), last == place && place >= FAR);
}

fn surrounding_cells(cell: vec2<u32>, doves: vec2<u32>, bounds: Bounds) -> vec2<u32> {
    let place = bounds_of(cell);
    var closing = ~doves;
    if !overlap(doves, west(cell)) {
        closing &= west(cell) | all_of_columns(walling_before(place.left, bounds.left, bounds.right));
    }
    if !overlap(doves, east(cell)) {
        closing &= east(cell) | all_of_columns(walling_after(place.left, bounds.left, bounds.right));
    }
    if !overlap(doves, north(cell)) {
        closing &= north(cell) | all_of_rows(walling_before(place.top, bounds.top, bounds.bottom));
    }
    if !overlap(doves, south(cell)) {
        closing &= south(cell) | all_of_rows(walling_after(place.top, bounds.top, bounds.bottom));
    }
    return closing;
}
