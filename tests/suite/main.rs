//! The library as its users see it. Private code is tested beside it, in `src`.

#[path = "../../src/testing/asked.rs"]
mod asked;
#[path = "../../src/testing/boards.rs"]
mod boards;
#[path = "../../src/testing/images.rs"]
mod images;

mod count;
mod rules;

use asked::cases;
