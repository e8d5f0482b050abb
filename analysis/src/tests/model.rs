//! Damaged and forged files of the estimate's network are read whole or refused.

use dovemate::rules::{Game, Rules};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::Draw;
use crate::search::Position;
use crate::search::estimate::Model;
use crate::testing::edits::{SHA256, cases, edit, edited, with_sha256};

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn models_of_any_bytes(edits in vec(edit(), 0..4), is_sealed in any::<bool>()) {
        let file = include_bytes!("../search/estimate/model.bin");
        let changed = edited(&file[..file.len() - SHA256], &edits);
        let changed = if is_sealed { with_sha256(changed) } else { edited(file, &edits) };
        let Some(model) = Model::read(&changed) else {
            prop_assert!(changed != file);
            return Ok(());
        };
        prop_assert!(changed == file || model != *Model::embedded(), "a changed file was read as the original");
        // No sum overflows, whatever the weights.
        let game = Game::whole(Rules::default());
        let mut draw = Draw::new(game, 2..=12, 1);
        for _ in 0..100 {
            let (board, mover) = draw.position();
            model.estimate(&Position::of(&board, mover, &game).expect("a game"), game.rules);
        }
    }
}
