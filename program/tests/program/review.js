// What the review of a game says of positions of which so much is known, beside what it should say: a line for each that differs.
async function wrongReviews() {
  const { worthsOf, pointsOf, judge } = await import("./review.js");
  const wrong = [];
  const expect = (what, found, expected) => {
    const [is, should] = [found, expected].map(value => JSON.stringify(value));
    if (is !== should) wrong.push(`${what}: ${is} and not ${should}`);
  };
  const known = (value, plies = null, within) => ({ value, plies, within });
  const [none, draw] = [known("none", 5), known("draw")];
  const win = (plies, within) => known("win", plies, within), lose = (plies, within) => known("lose", plies, within);
  const a = worth => ({ action: "a", ...worth }), b = worth => ({ action: "b", ...worth });

  // A position, its actions in order, and what is known after action a: what both are worth.
  const positions = [null, { text: "a" }].map(action => ({ action }));
  for (const [actions, next, worths] of [
    [[a(none), b(none)], lose(null, 6), [win(null, 7), lose(null, 6)]],
    [null, lose(6), [win(null, 7), lose(6)]],
    [null, win(3), [null, win(3)]],
    [[a(none), b(none)], win(3), [null, win(3)]],
    [[a(none), b(draw)], win(3), [draw, win(3)]],
    [[a(none), b(lose(6))], win(3), [lose(6), win(3)]],
    [[b(lose(null, 8)), a(none)], win(3), [lose(null, 8), win(3)]],
    // The list of the first has the value of the second, if more is known there.
    [[b(none), a(lose(12))], win(null, 11), [none, win(11)]],
    [[b(none), a(lose(null, 10))], win(null, 3), [none, win(null, 3)]],
  ]) {
    const answers = [actions && { worth: none, actions }, { worth: next }];
    const found = worthsOf(positions, index => answers[index], () => null);
    const of = worth => worth && known(worth.value, worth.plies, worth.within);
    const what = JSON.stringify([actions, next]);
    expect(what, of(found[1]), worths[1]);
    // Where the list has what is known after it, the first position is not carried back to.
    if (worths[0]?.value !== "none") expect(what, of(found[0]), worths[0]);
  }

  for (const [before, after, kind] of [[win(5), draw, "lostWin"], [draw, lose(2), "lostDraw"], [win(5), win(7), "better"]]) {
    expect(kind, judge(before, after, [null, null], "a").kind, kind);
  }
  // By estimates: of 60 points of 100 are 30 left, which nobody knows if only one of both positions has been looked at.
  const estimated = (action, points, ...others) =>
    ({ actions: [{ action, ...none, estimate: { per_mille: points, plies: 4 } }, ...others] });
  const [before, next] = [estimated("b", 600, a(none)), estimated("c", 700)];
  expect("what is left", judge(null, null, [before, next], "a").left.toFixed(2), "0.30");
  for (const [after, answers] of [[null, [null, next]], [null, [before, null]], [win(3), [before, next]]]) {
    expect("what nobody knows", judge(null, after, answers, "a"), null);
  }
  expect("quick and slow wins", [1, 8, 72].map(plies => Math.round(1000 * pointsOf(win(plies)))), [964, 838, 708]);
  return wrong;
}
