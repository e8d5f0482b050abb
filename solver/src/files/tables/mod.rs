//! Tables: a solved game as files, written once and read at random.
//!
//! A game has its own folder, named by dove sets and rules, as in `AYM-AYM-returns-mover-loses`; an empty
//! dove set is `none`. For each class of [`crate::space::layout`] it has one or more files below 1
//! GiB, named by mover, slots, opposing doves and the first group, as in `any-6-3-00000.table`. And it has
//! `manifest.json`.
//!
//! # A file
//!
//! The files are [`super::archive`]s in which each frame is a group in the encoding of
//! [`super::group_encoding`]. Their headers have:
//!
//! | bytes | |
//! |---|---|
//! | 1 | 1; earlier versions wrote 0 for values without distances |
//! | 3 | class: side to move, slots, opposing doves |
//! | 2 | the kinds that the mover's doves, and the opponent's, are dealt from |
//! | 4 | bits of a row |
//! | 4 | rows of a block |
//! | 4 | blocks of a placement |
//! | 4 | placements of a group |
//! | 4 | placements of the class |
//! | 4 | the first placement in this file |
//!
//! [`crate::space::index::Index`] defines the bit of each position; if that changes, so does the
//! version. The number of placements of a file follows from its groups; the last file of a class ends with
//! the class.
//!
//! # The manifest
//!
//! It is written last, once all files exist; without it the tables are not finished. It has the solution, and the name,
//! size and BLAKE3 of each file. Its own first field is the BLAKE3 of the manifest with that field empty.
//!
//! # Sizes
//!
//! With A Y M for both, 58,925,630 positions, the folder has 486,580 bytes, 0.066 bits a position; without distances,
//! as earlier versions wrote them, 412,293, 0.056 bits. A Y M for red and Y M T H for green take 15,759,557 bytes, 0.10
//! bits a position. These figures include manifests. The first folder's manifest has 9,981 bytes; with zstd level 3 or
//! 19 instead of 9, its other files take 543,116 or 442,873 bytes, in 0.6 or 10 times the time.

pub(crate) mod manifest;
pub(crate) mod table_file;
pub(crate) mod tablebase;
pub(crate) mod writer;
