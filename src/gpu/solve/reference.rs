//! The same rounds on the CPU, in the form in which a card reports them: for comparison, and to finish what a card has
//! begun.

use super::{Found, row_words};
use crate::retrograde::Value;
use crate::rules::Game;
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::rounds::round::{self, Candidates, WinBits, as_they_are};
use crate::solve::space::changes::{Changes, SparseBits};
use crate::solve::space::layout::{Block, Class, Layout};

/// A game that is solved round by round.
pub trait Rounds: Send {
    /// Runs the next round, from number 0 on. Calls `found` as a card would, but once for all blocks of a class.
    fn round(&mut self, found: &mut dyn FnMut(Found));
}

/// The values of a game that are known already. Calls its argument with each value that is not a draw, the class, the
/// number of the block in it, and the rows of the block, each in as many bytes as its bits need. For each value and
/// class, blocks ascend.
pub type Known<'a> = dyn Fn(&mut dyn FnMut(Value, usize, usize, &[u8])) + 'a;

/// The rounds of a game from the first on.
pub fn begin(game: Game) -> Box<dyn Rounds> {
    resume(game, 0, &|_| ())
}

/// The rounds of a game from round `number` on, given the results of all earlier ones.
pub fn resume(game: Game, number: u32, known: &Known) -> Box<dyn Rounds> {
    Box::new(Twin::new(game, number, known))
}

struct Twin {
    board: CompiledGame,
    /// All groups of the game.
    groups: Vec<(usize, usize)>,
    /// The next round.
    number: u32,
    wins: WinBits,
    /// The results of the last round.
    new_wins: Changes,
    new_losses: Changes,
    /// After round 0, the losses of round 1.
    self_lost: Option<Changes>,
}

/// All classes of a game.
fn classes(layout: &Layout) -> Vec<usize> {
    (0..layout.classes.len()).collect()
}

impl Twin {
    fn new(game: Game, number: u32, known: &Known) -> Twin {
        let board = CompiledGame::new(game);
        let layout = &board.index.layout;
        let classes = classes(layout);
        let mut wins = WinBits::empty(layout, &classes);
        let [mut new_wins, mut new_losses] = [Changes::none(layout), Changes::none(layout)];
        let mut self_lost = None;
        if number == 1 {
            // Round 1 also needs what round 0 computes on the side.
            let [stuck, lost] = wins.begin(&board, &classes);
            (new_losses, self_lost) = (stuck, Some(lost));
        } else if number > 1 {
            for changes in [&mut new_wins, &mut new_losses] {
                for (class, groups) in layout.classes.iter().zip(&mut changes.groups) {
                    groups.iter_mut().enumerate().for_each(|(group, new)| *new = SparseBits::new(class, group));
                }
            }
            known(&mut |value, class, block, bytes| {
                let at = &layout.classes[class];
                let is_last = value.plies() == Some(number - 1);
                let group_blocks = at.group * at.sets;
                let (group, place) = (block / group_blocks, block % group_blocks);
                match value {
                    Value::Win(_) => {
                        let there = &mut wins.classes[class][block * at.block_bytes()..][..at.block_bytes()];
                        there.iter_mut().zip(bytes).for_each(|(there, row)| *there |= *row);
                        if is_last {
                            new_wins.groups[class][group].push(place, bytes);
                        }
                    }
                    Value::Lose(_) if is_last => new_losses.groups[class][group].push(place, bytes),
                    Value::Lose(_) | Value::Draw => {}
                }
            });
            for changes in [&mut new_wins, &mut new_losses] {
                changes.groups.iter_mut().flatten().for_each(SparseBits::finish);
            }
        }
        let groups = layout.groups(&classes);
        Twin { board, groups, number, wins, new_wins, new_losses, self_lost }
    }
}

/// The words of some rows of a class.
fn words(class: &Class, rows: &[u8]) -> Vec<u32> {
    let words = row_words(class) as usize;
    let word = |row: &[u8], word: usize| {
        let bytes = row.iter().skip(4 * word).take(4).enumerate();
        bytes.fold(0, |all, (place, &byte)| all | u32::from(byte) << (8 * place))
    };
    let rows = rows.chunks_exact(class.row_bytes);
    rows.flat_map(|row| (0..words).map(move |number| word(row, number))).collect()
}

/// Reports changes, class by class.
fn tell(layout: &Layout, is_win: bool, changes: &Changes, found: &mut dyn FnMut(Found)) {
    let mut room = Vec::new();
    for (index, (class, groups)) in layout.classes.iter().zip(&changes.groups).enumerate() {
        let mut new = Found { is_win, class: index, blocks: Vec::new(), words: Vec::new() };
        for (group, changes) in groups.iter().enumerate() {
            for (block, changed) in changes.blocks() {
                new.blocks.push((group * class.group * class.sets + block) as u32);
                changed.show(&mut room, |rows| new.words.extend(words(class, &rows[..class.block_bytes()])));
            }
        }
        if !new.blocks.is_empty() {
            found(new);
        }
    }
}

impl Rounds for Twin {
    fn round(&mut self, found: &mut dyn FnMut(Found)) {
        let layout = &self.board.index.layout;
        let rounds = round::Rounds { compiled: &self.board, groups: &self.groups };
        let of_groups = |found| Changes::of(layout, &self.groups, found);
        let wins_from = |wins: &WinBits, losses: &Changes| {
            of_groups(rounds.wins(wins, losses, &rounds.predecessors(losses), &as_they_are))
        };
        let number = self.number;
        self.number += 1;
        match number {
            0 => {
                let [stuck, lost] = self.wins.begin(&self.board, &classes(layout));
                tell(layout, false, &stuck, found);
                (self.new_losses, self.self_lost) = (stuck, Some(lost));
            }
            1 => {
                let lost = self.self_lost.take().expect("the first round has found them");
                tell(layout, false, &lost, found);
                let added = wins_from(&self.wins, &self.new_losses);
                self.wins.add(layout, &added);
                for (index, class) in layout.classes.iter().enumerate() {
                    let mut new = Found { is_win: true, class: index, blocks: Vec::new(), words: Vec::new() };
                    for (block, rows) in self.wins.blocks(index).chunks_exact(class.block_bytes()).enumerate() {
                        if rows.iter().any(|&byte| byte != 0) {
                            new.blocks.push(block as u32);
                            new.words.extend(words(class, rows));
                        }
                    }
                    if !new.blocks.is_empty() {
                        found(new);
                    }
                }
                self.new_losses = lost;
            }
            _ => {
                let marks = rounds.predecessors(&self.new_wins);
                let candidates = if number == 2 { Candidates::All } else { Candidates::Before(&self.new_wins, &marks) };
                let losses = of_groups(rounds.losses(&self.wins, candidates, &as_they_are));
                let wins = wins_from(&self.wins, &self.new_losses);
                tell(layout, false, &losses, found);
                tell(layout, true, &wins, found);
                self.wins.add(layout, &wins);
                (self.new_wins, self.new_losses) = (wins, losses);
            }
        }
    }
}

/// A function from a block to the deals of the mover's doves with which an action wins at once, in words.
pub fn wins_at_once(game: Game) -> Box<dyn Fn(Block) -> Vec<u32> + Sync> {
    let board = CompiledGame::new(game);
    Box::new(move |block| {
        let class = &board.index.layout.classes[block.class];
        words(class, &round::wins_at_once(&board.view(block)).to_le_bytes()[..class.row_bytes])
    })
}
