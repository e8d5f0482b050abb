// Permanents of 0/1 matrices of 5×5, bit-sliced: for 32 orders of the opposing doves at once.
// Twin of src/count/permanent.rs, which has the mathematics.

// The orders under which each kind may stand on a slot. It has five fields instead of an array because compilers keep
// variables in registers only if they are never indexed.
struct Row {
    k0: u32,
    k1: u32,
    k2: u32,
    k3: u32,
    k4: u32,
}

// A bit-sliced number of 0 to 6.
struct Sum {
    ones: u32,
    twos: u32,
    fours: u32,
}

// The permanent of two rows in two columns, 0 to 2: x holds the ones, y the twos.
fn pair_permanent(a_i: u32, a_j: u32, b_i: u32, b_j: u32) -> vec2<u32> {
    let straight = a_i & b_j;
    let crossed = a_j & b_i;
    return vec2(straight ^ crossed, straight & crossed);
}

// a + b + c, each 0 to 2.
fn add_terms(a: vec2<u32>, b: vec2<u32>, c: vec2<u32>) -> Sum {
    let carry = (a.x & b.x) | (c.x & (a.x ^ b.x));
    let low = a.y ^ b.y;
    let high = a.y & b.y;
    let other_low = c.y ^ carry;
    let other_high = c.y & carry;
    return Sum(a.x ^ b.x ^ c.x, low ^ other_low, high | other_high | (low & other_low));
}

// The product of the two numbers, summed over the orders.
fn sum_of_products(a: vec2<u32>, b: Sum) -> u32 {
    return countOneBits(a.x & b.ones)
        + ((countOneBits(a.x & b.twos) + countOneBits(a.y & b.ones)) << 1u)
        + ((countOneBits(a.x & b.fours) + countOneBits(a.y & b.twos)) << 2u)
        + (countOneBits(a.y & b.fours) << 3u);
}

// The sum of the permanents over all orders.
fn permanents(r0: Row, r1: Row, r2: Row, r3: Row, r4: Row) -> u32 {
    let p01 = pair_permanent(r2.k0, r2.k1, r3.k0, r3.k1);
    let p02 = pair_permanent(r2.k0, r2.k2, r3.k0, r3.k2);
    let p03 = pair_permanent(r2.k0, r2.k3, r3.k0, r3.k3);
    let p04 = pair_permanent(r2.k0, r2.k4, r3.k0, r3.k4);
    let p12 = pair_permanent(r2.k1, r2.k2, r3.k1, r3.k2);
    let p13 = pair_permanent(r2.k1, r2.k3, r3.k1, r3.k3);
    let p14 = pair_permanent(r2.k1, r2.k4, r3.k1, r3.k4);
    let p23 = pair_permanent(r2.k2, r2.k3, r3.k2, r3.k3);
    let p24 = pair_permanent(r2.k2, r2.k4, r3.k2, r3.k4);
    let p34 = pair_permanent(r2.k3, r2.k4, r3.k3, r3.k4);
    let k0 = vec2(r4.k0);
    let k1 = vec2(r4.k1);
    let k2 = vec2(r4.k2);
    let k3 = vec2(r4.k3);
    let k4 = vec2(r4.k4);
    return sum_of_products(pair_permanent(r0.k0, r0.k1, r1.k0, r1.k1), add_terms(p34 & k2, p24 & k3, p23 & k4))
        + sum_of_products(pair_permanent(r0.k0, r0.k2, r1.k0, r1.k2), add_terms(p34 & k1, p14 & k3, p13 & k4))
        + sum_of_products(pair_permanent(r0.k0, r0.k3, r1.k0, r1.k3), add_terms(p24 & k1, p14 & k2, p12 & k4))
        + sum_of_products(pair_permanent(r0.k0, r0.k4, r1.k0, r1.k4), add_terms(p23 & k1, p13 & k2, p12 & k3))
        + sum_of_products(pair_permanent(r0.k1, r0.k2, r1.k1, r1.k2), add_terms(p34 & k0, p04 & k3, p03 & k4))
        + sum_of_products(pair_permanent(r0.k1, r0.k3, r1.k1, r1.k3), add_terms(p24 & k0, p04 & k2, p02 & k4))
        + sum_of_products(pair_permanent(r0.k1, r0.k4, r1.k1, r1.k4), add_terms(p23 & k0, p03 & k2, p02 & k3))
        + sum_of_products(pair_permanent(r0.k2, r0.k3, r1.k2, r1.k3), add_terms(p14 & k0, p04 & k1, p01 & k4))
        + sum_of_products(pair_permanent(r0.k2, r0.k4, r1.k2, r1.k4), add_terms(p13 & k0, p03 & k1, p01 & k3))
        + sum_of_products(pair_permanent(r0.k3, r0.k4, r1.k3, r1.k4), add_terms(p12 & k0, p02 & k1, p01 & k2));
}
