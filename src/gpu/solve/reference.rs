//! The same rounds by the CPU, in the form in which a card reports them: for comparing, and for finishing what a card has begun.

use super::{Found, row_words};
use crate::retrograde::Value;
use crate::rules::Game;
use crate::solve::changes::Changes;
use crate::solve::gather::Board;
use crate::solve::layout::{Block, Class, Layout};
use crate::solve::rounds::{self, Candidates, Plane};
use crate::solve::word::Word;

/// A game that is solved round by round.
pub trait Rounds: Send {
    /// The next round, the first of which has number 0: calls `found` as a card would, with all that a class has at once.
    fn round(&mut self, found: &mut dyn FnMut(Found));
}

/// What is known of a game already: calls what it is given with every value that is no draw, the class, the block's number in it and its
/// rows, each in as many bytes as its bits need; for each value and class blocks ascend.
pub type Known<'a> = dyn Fn(&mut dyn FnMut(Value, usize, usize, &[u8])) + 'a;

/// The rounds of a game from the first on.
pub fn begin(game: Game) -> Box<dyn Rounds> {
    resume(game, 0, &|_| ())
}

/// The rounds of a game from one on, when all before it are known.
pub fn resume(game: Game, number: u32, known: &Known) -> Box<dyn Rounds> {
    match game.red.len().max(game.green.len()) {
        0..=3 => Box::new(Twin::<u8>::new(game, number, known)),
        4 => Box::new(Twin::<u32>::new(game, number, known)),
        _ => Box::new(Twin::<u128>::new(game, number, known)),
    }
}

struct Twin<W> {
    board: Board<W>,
    /// The next round.
    number: u32,
    wins: Plane<W>,
    /// What the last round has found.
    new_wins: Changes<W>,
    new_losses: Changes<W>,
    /// After the first round, the losses of the second.
    self_lost: Option<Changes<W>>,
}

impl<W: Word> Twin<W> {
    fn new(game: Game, number: u32, known: &Known) -> Twin<W> {
        let board: Board<W> = Board::new(game);
        let layout = &board.index.layout;
        let mut wins = Plane::empty(layout);
        let [mut new_wins, mut new_losses] = [Changes::none(layout), Changes::none(layout)];
        let mut self_lost = None;
        if number == 1 {
            // As the second round begins with what the first has worked out besides.
            let [stuck, lost] = rounds::immediate(&board, &mut wins);
            (new_losses, self_lost) = (stuck, Some(lost));
        } else if number > 1 {
            known(&mut |value, class, block, bytes| {
                let at = &layout.classes[class];
                let rows: Vec<W> = bytes.chunks_exact(at.width.div_ceil(8)).map(word).collect();
                let is_last = value.plies() == Some(number - 1);
                let group_blocks = at.group * at.sets;
                let (group, place) = (block / group_blocks, block % group_blocks);
                match value {
                    Value::Win(_) => {
                        let there = &mut wins.classes[class][block * at.rows..][..at.rows];
                        there.iter_mut().zip(&rows).for_each(|(there, row)| *there |= *row);
                        if is_last {
                            new_wins.groups[class][group].push(place, &rows);
                        }
                    }
                    Value::Lose(_) if is_last => new_losses.groups[class][group].push(place, &rows),
                    Value::Lose(_) | Value::Draw => {}
                }
            });
            for changes in [&mut new_wins, &mut new_losses] {
                changes.groups.iter_mut().flatten().for_each(|group| group.finish());
            }
        }
        Twin { board, number, wins, new_wins, new_losses, self_lost }
    }
}

/// A row from its bytes.
fn word<W: Word>(bytes: &[u8]) -> W {
    let bit = |(bit, ()): (usize, ())| bytes[bit / 8] >> (bit % 8) & 1 == 1;
    let bits = std::iter::repeat_n((), 8 * bytes.len()).enumerate().filter(|&it| bit(it));
    bits.fold(W::ZERO, |row, (bit, ())| row | W::bit(bit))
}

/// The words of some rows of a class.
fn words<W: Word>(class: &Class, rows: &[W]) -> Vec<u32> {
    let words = row_words(class) as usize;
    let word = |row: &W, word: usize| {
        (0..4)
            .map(|byte| 4 * word + byte)
            .filter(|byte| 8 * byte < W::BITS)
            .fold(0, |all, byte| all | u32::from(row.byte(byte)) << (8 * (byte % 4)))
    };
    rows.iter().flat_map(|row| (0..words).map(move |number| word(row, number))).collect()
}

/// Tells of changes, class by class.
fn tell<W: Word>(layout: &Layout, is_win: bool, changes: &Changes<W>, found: &mut dyn FnMut(Found)) {
    for (index, (class, groups)) in layout.classes.iter().zip(&changes.groups).enumerate() {
        let mut new = Found { is_win, class: index, blocks: Vec::new(), words: Vec::new() };
        for (group, changes) in groups.iter().enumerate() {
            for (block, rows) in changes.blocks(class.rows) {
                new.blocks.push((group * class.group * class.sets + block) as u32);
                new.words.extend(words(class, rows));
            }
        }
        if !new.blocks.is_empty() {
            found(new);
        }
    }
}

impl<W: Word> Rounds for Twin<W> {
    fn round(&mut self, found: &mut dyn FnMut(Found)) {
        let layout = &self.board.index.layout;
        let number = self.number;
        self.number += 1;
        match number {
            0 => {
                let [stuck, lost] = rounds::immediate(&self.board, &mut self.wins);
                tell(layout, false, &stuck, found);
                (self.new_losses, self.self_lost) = (stuck, Some(lost));
            }
            1 => {
                let lost = self.self_lost.take().expect("the first round has found them");
                tell(layout, false, &lost, found);
                let added = rounds::wins(&self.board, &self.wins, &self.new_losses);
                self.wins.add(layout, &added);
                for (index, class) in layout.classes.iter().enumerate() {
                    let mut new = Found { is_win: true, class: index, blocks: Vec::new(), words: Vec::new() };
                    for (block, rows) in self.wins.classes[index].chunks_exact(class.rows).enumerate() {
                        if rows.iter().any(|row| *row != W::ZERO) {
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
                let candidates = if number == 2 { Candidates::All } else { Candidates::Before(&self.new_wins) };
                let losses = rounds::losses(&self.board, &self.wins, candidates);
                let wins = rounds::wins(&self.board, &self.wins, &self.new_losses);
                tell(layout, false, &losses, found);
                tell(layout, true, &wins, found);
                self.wins.add(layout, &wins);
                (self.new_wins, self.new_losses) = (wins, losses);
            }
        }
    }
}

/// For each block the deals of the mover's doves with which an action wins at once, in words.
pub fn wins_at_once(game: Game) -> Box<dyn Fn(Block) -> Vec<u32> + Sync> {
    fn of<W: Word>(game: Game) -> Box<dyn Fn(Block) -> Vec<u32> + Sync> {
        let board: Board<W> = Board::new(game);
        Box::new(move |block| {
            words(&board.index.layout.classes[block.class], &[rounds::wins_at_once(&board.view(block))])
        })
    }
    match game.red.len().max(game.green.len()) {
        0..=3 => of::<u8>(game),
        4 => of::<u32>(game),
        _ => of::<u128>(game),
    }
}
