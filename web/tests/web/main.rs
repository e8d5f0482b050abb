//! The tests of the answers: small questions, counts and solved games, and the module of the board page.
//! One program, which links once.

mod answers;
mod long;
mod module;
mod texts;
