//! Board text and action text: what they mean, round trips, and every error.

use std::collections::HashSet;

use crate::boards;
use dovemate::rules::{
    Action, ActionTextError, Board, BoardError, BoardTextError, Cell, Color, Dove, DoveSet, Kind, Rules,
};
use proptest::prelude::RngExt;

fn board(text: &str) -> Board {
    text.parse().unwrap_or_else(|error| panic!("'{text}': {error}"))
}

fn board_error(text: &str) -> BoardTextError {
    text.parse::<Board>().expect_err(text)
}

/// The dove with this letter.
fn dove(letter: char) -> Dove {
    Dove::from_letter(letter).unwrap_or_else(|| panic!("'{letter}' is no dove"))
}

/// The text shifted down and right, with rows and columns of empty cells in front.
fn shifted(text: &str, down: usize, right: usize) -> String {
    let rows = text.split(';').map(|row| "-".repeat(right) + row);
    std::iter::repeat_n(String::new(), down).chain(rows).collect::<Vec<_>>().join(";")
}

#[test]
fn the_start() {
    assert_eq!(Board::default().to_string(), "b---;B---;----;----");
    assert_eq!(board("b;B"), Board::default());
}

#[test]
fn letters_and_cells() {
    use Kind::{Aniki, Boss, Hajike, Mamedeppo, Totsu, Yaibato};
    let text = "BAY-;MTH-;-bay;-mth";
    let board = board(text);
    let rows =
        [[Some(Boss), Some(Aniki), Some(Yaibato), None], [Some(Mamedeppo), Some(Totsu), Some(Hajike), None]];
    for (row, kinds) in rows.into_iter().enumerate() {
        for (column, kind) in kinds.into_iter().enumerate() {
            // Green's doves stand two rows below red's, and one column to the right.
            for (color, rows, columns) in [(Color::Red, 0, 0), (Color::Green, 2, 1)] {
                let cell = Cell::new(row as i8 + rows, (column as i8 + columns) % 4);
                assert_eq!(board.dove_at(cell), kind.map(|kind| Dove { color, kind }), "{cell:?}");
            }
        }
    }
    assert_eq!(board.to_string(), text);
}

#[test]
fn empty_cells() {
    for text in ["b-a;-B", "b.a;.B", "b a; B", "b-a-; B..;....;    ", "b a;.B-"] {
        assert_eq!(board(text).to_string(), "b-a-;-B--;----;----", "{text}");
    }
}

#[test]
fn leading_spaces_are_cells() {
    assert_eq!(board(" b;B").to_string(), "-b--;B---;----;----");
    assert_eq!(board("b; B").to_string(), "b---;-B--;----;----");
    assert_ne!(board(" b;B"), board("b;B"));
    // Three push the box to the right end of the window, four push it out.
    assert_eq!(board("   b;   B"), Board::default());
    assert_eq!(board_error("    b;    B"), BoardTextError::TooManyColumns { row: 1, columns: 5 });
}

#[test]
fn rows_may_be_short_empty_or_left_out() {
    for text in ["b;B", "b;B;", "b;B;;", ";b;B;", ";;b;B", "b-;B", "b;B---", "b---;B;----"] {
        assert_eq!(board(text), Board::default(), "{text}");
    }
}

#[test]
fn equal_exactly_under_translation() {
    let hashes = |text: &str| HashSet::from([board(text)]);
    assert_eq!(hashes("b;B"), hashes("----;-b--;-B--"));
    let images = HashSet::from(["bBa", "aBb", "b;B;a", "a;B;b"].map(board));
    assert_eq!(images.len(), 4, "a turned or reflected board is another one");
    assert_ne!(board("bBa"), board("Bba"), "another dove on a cell");
    assert_ne!(board("bBa"), board("bBA"), "another colour");
}

#[test]
fn random_boards_are_read_back_wherever_they_stand() {
    let mut rng = boards::random_numbers(0);
    for doves in 2..=12 {
        for _ in 0..200 {
            let board = boards::random_board(&mut rng, doves);
            let text = board.to_string();
            assert_eq!(text.chars().filter(char::is_ascii_alphabetic).count(), doves, "{text}");
            assert_eq!(text.split(';').map(str::len).collect::<Vec<_>>(), [4; 4], "{text}");
            let (rows, columns) =
                (board.bounding_box().rows() as usize, board.bounding_box().columns() as usize);
            let boxed = text.split(';').take(rows).map(|row| &row[..columns]).collect::<Vec<_>>().join(";");
            for (down, right) in
                (0..=4 - rows).flat_map(|down| (0..=4 - columns).map(move |right| (down, right)))
            {
                let shifted = shifted(&boxed, down, right);
                let read: Board =
                    shifted.parse().unwrap_or_else(|error| panic!("{text} as {shifted}: {error}"));
                assert_eq!((&read, read.to_string()), (&board, text.clone()), "{text} as {shifted}");
            }
        }
    }
}

/// Variants of a board text that shells, files and people produce.
#[test]
fn rows_are_separated_in_several_ways_and_may_be_quoted() {
    let expected = board("-b-B;--Ma;A;Y---");
    for text in [
        "-b-B/--Ma/A/Y---",
        "-b-B\n--Ma\nA\nY---",
        "-b-B\r\n--Ma\r\nA\r\nY---\r\n",
        "\n-b-B\n--Ma\nA---\nY---\n\n",
        "-b-B;\n--Ma;\nA;\nY---",
        "-b-B/--Ma;A\nY",
        "'-b-B;--Ma;A;Y---'",
        "\"-b-B/--Ma/A/Y---\"",
        "‘-b-B;--Ma;A;Y’",
        "“-b-B\n--Ma\nA\nY”\n",
    ] {
        assert_eq!(board(text), expected, "{text}");
    }
    // An empty row between others is a row of the board.
    assert_eq!(board("bB\n\n\n--Aa"), board("bB;;;--Aa"));
    // A space inside the quotes is a cell; an unmatched quote is not a dove.
    assert_eq!(board("' b;B'"), board("-b;B"));
    assert_eq!(board_error("'b;B"), BoardTextError::UnknownLetter { row: 1, column: 1, letter: '\'' });
    assert_eq!(board_error("b/B/;;;;"), BoardTextError::TooManyRows(6));
}

#[test]
fn doves_that_make_no_board() {
    let twice = [("Bb;B", 'B'), ("bB;b", 'b'), ("bBA;-A", 'A'), ("bBh;h", 'h')]
        .map(|(text, letter)| (text, BoardError::Twice(letter)));
    let missing =
        [("bA", 'B'), ("aB", 'b'), ("B", 'b'), ("AaY", 'B'), ("", 'B'), ("----;----;----;----", 'B')]
            .map(|(text, letter)| (text, BoardError::MissingBoss(letter)));
    let isolated = [("bB;;A", 'A'), ("Bb-a", 'a'), ("bA-B", 'B'), ("b--t;BA;;-YHM", 't')]
        .map(|(text, letter)| (text, BoardError::Isolated(letter)));
    for (text, error) in twice.into_iter().chain(missing).chain(isolated) {
        assert_eq!(board_error(text), error.into(), "{text}");
    }
    // Diagonal neighbours count, and the doves need not all be connected.
    assert_eq!(board("b;-B").to_string(), "b---;-B--;----;----");
    assert_eq!(board("bB;;;--Aa").to_string(), "bB--;----;----;--Aa");
}

#[test]
fn letters_that_are_no_dove() {
    let cases = [("xb;B", 1, 1, 'x'), ("b;B-C", 2, 3, 'C'), ("b;B;;---0", 4, 4, '0'), ("b;B*", 2, 2, '*')];
    let odd_cases = [("b,B", 1, 2, ','), ("b\u{7};B", 1, 2, '\u{7}'), ("ハ;bB", 1, 1, 'ハ')];
    for (text, row, column, letter) in cases.into_iter().chain(odd_cases) {
        let error = board_error(text);
        assert_eq!(error, BoardTextError::UnknownLetter { row, column, letter }, "{text}");
        // A control character is escaped, so that the message stays one line.
        let letter = letter.escape_debug();
        assert!(error.to_string().starts_with(&format!("row {row}, column {column}: '{letter}'")), "{error}");
    }
}

#[test]
fn a_fifth_row_or_column() {
    for text in ["b;B;;;;", "b---;B---;----;----;;", ";;;b;B", "b;B;;;A"] {
        assert_eq!(board_error(text), BoardTextError::TooManyRows(5), "{text}");
    }
    for (text, row, columns) in
        [("b----;B", 1, 5), ("b;B;-----", 3, 5), ("b;    B", 2, 5), ("b;B;;------", 4, 6)]
    {
        assert_eq!(board_error(text), BoardTextError::TooManyColumns { row, columns }, "{text}");
    }
    // Columns are counted in characters, not in bytes.
    assert_eq!(board_error("ハト;bB"), BoardTextError::UnknownLetter { row: 1, column: 1, letter: 'ハ' });
}

/// Errors that no text of four rows and four columns can have.
#[test]
fn doves_on_cells_that_are_no_board() {
    let placed = |doves: &[(char, i8, i8)]| {
        Board::new(doves.iter().map(|&(letter, row, column)| (dove(letter), Cell::new(row, column))))
    };
    assert_eq!(placed(&[('b', -7, 30), ('B', -6, 30)]), Ok(Board::default()));
    assert_eq!(placed(&[('b', 0, 0), ('B', 0, 0)]), Err(BoardError::SameCell('b', 'B')));
    let in_line = [('b', 2, 0), ('B', 2, 1), ('A', 2, 2), ('a', 2, 3), ('t', 2, 4)];
    assert_eq!(placed(&in_line), Err(BoardError::TooLarge { rows: 1, columns: 5 }));
    let upright = in_line.map(|(letter, row, column)| (letter, column, row));
    assert_eq!(placed(&upright), Err(BoardError::TooLarge { rows: 5, columns: 1 }));
    // Cells at the limits of their coordinates.
    let apart = placed(&[('b', -128, 127), ('B', 127, -128)]);
    assert_eq!(apart, Err(BoardError::TooLarge { rows: 127, columns: 127 }));
    assert_eq!(placed(&[('b', -128, 127), ('B', -127, 127)]), Ok(Board::default()));
    assert_eq!(placed(&in_line[..4]).map(|board| board.to_string()), Ok("bBAa;----;----;----".to_owned()));
}

/// The text of an action counts cells even where no board can reach.
#[test]
fn actions_to_extreme_cells() {
    for (to, text) in [((-128, 0), "+AN128"), ((1, 127), "+AE127"), ((127, -128), "+AS126W128")] {
        let action = Action::Put { dove: dove('A'), to: Cell::new(to.0, to.1) };
        assert_eq!(action.text(&Board::default()), text);
    }
}

/// The board before the actions below. Red has B, T and Y on it; green has b, m and t.
const BEFORE: &str = "-T--;-bm-;YB-t";

#[test]
fn action_texts() {
    let before = board(BEFORE);
    let (put, moved) = (
        |letter, row, column| Action::Put { dove: dove(letter), to: Cell::new(row, column) },
        |letter, row, column| Action::Move { dove: dove(letter), to: Cell::new(row, column) },
    );
    let cases = [
        // Always relative to the red boss, on row 2 and column 1, whoever acts and wherever the acting dove
        // stands.
        ("+AN2E1", put('A', 0, 2)),
        ("+aN2E1", put('a', 0, 2)),
        ("+HS1W1", put('H', 3, 0)),
        ("mE2", moved('m', 2, 3)),
        ("mN2E2", moved('m', 0, 3)),
        ("tN2", moved('t', 0, 1)),
        ("YW2", moved('Y', 2, -1)),
        ("bS1", moved('b', 3, 1)),
        ("BS1E1", moved('B', 3, 2)),
        ("TN2W1", moved('T', 0, 0)),
        ("-t", Action::Return { dove: dove('t') }),
        ("-Y", Action::Return { dove: dove('Y') }),
    ];
    for (text, action) in cases {
        assert_eq!(Action::from_text(text, &before), Ok(action), "{text}");
        assert_eq!(action.text(&before), text);
    }
}

#[test]
fn every_step_from_the_red_boss_is_read_back() {
    let before = board(BEFORE);
    let boss = before.boss(Color::Red);
    for step in (-9..=9).flat_map(|rows| (-9..=9).map(move |columns| (rows, columns))) {
        let to = boss.step(step);
        for action in [Action::Put { dove: dove('h'), to }, Action::Move { dove: dove('T'), to }] {
            let text = action.text(&before);
            assert_eq!(Action::from_text(&text, &before), Ok(action), "{text}");
        }
    }
}

#[test]
fn texts_that_are_no_action() {
    let before = board(BEFORE);
    let without_a_dove = ["", "+", "-", "N1", "+N1", "xN1", "+ZE1", "++AN1", "+-A", " T", "ハ"];
    let wrong_steps =
        ["TN", "TN0", "TN0E1", "TE1N1", "TN1N1", "TN1S1", "TN1E1S1", "TN10", "TN-1", "Tn1", "TN1e1", "T1"];
    let something_more = ["TN1 ", "TN1;", "TYN1", "TN１", "-tN1", "-YE1", "-t ", "+AN1+", "T+N1"];
    for text in without_a_dove.into_iter().chain(wrong_steps).chain(something_more) {
        assert_eq!(Action::from_text(text, &before), Err(ActionTextError::Malformed(text.to_owned())));
    }
}

#[test]
fn actions_of_doves_that_are_elsewhere() {
    let before = board(BEFORE);
    let cases = [
        ("+TN1", ActionTextError::OnBoard('T')),
        ("+mS1", ActionTextError::OnBoard('m')),
        ("+BE1", ActionTextError::OnBoard('B')),
        ("AN1", ActionTextError::InHand('A')),
        ("hE1", ActionTextError::InHand('h')),
        ("-A", ActionTextError::InHand('A')),
        ("-y", ActionTextError::InHand('y')),
        ("-B", ActionTextError::ReturnedBoss),
        ("-b", ActionTextError::ReturnedBoss),
    ];
    for (text, error) in cases {
        assert_eq!(Action::from_text(text, &before), Err(error), "{text}");
    }
}

/// The mover and the hands settle what a text leaves open.
#[test]
fn actions_as_they_are_typed() {
    let before = board(BEFORE);
    let read = |text, player| Action::from_typed(text, &before, player).map(|action| action.text(&before));
    for (text, red, green) in [
        ("+an2e1", "+AN2E1", "+aN2E1"),
        ("AS1", "+AS1", "+aS1"),
        (" h s1 w1 ", "+HS1W1", "+hS1W1"),
        ("hw1s1", "+HS1W1", "+hS1W1"),
        ("bE1N1", "BN1E1", "bN1E1"),
    ] {
        assert_eq!(read(text, Color::Red).as_deref(), Ok(red), "{text}");
        assert_eq!(read(text, Color::Green).as_deref(), Ok(green), "{text}");
    }
    assert_eq!(read("tn1", Color::Red).as_deref(), Ok("TN1"), "on the board it is moved");
    assert_eq!(read("- T", Color::Green).as_deref(), Ok("-t"));
    assert_eq!(read("+tn1", Color::Red), Err(ActionTextError::OnBoard('T')));
    assert_eq!(read("-a", Color::Red), Err(ActionTextError::InHand('A')));
    assert_eq!(read("-b", Color::Red), Err(ActionTextError::ReturnedBoss));
    for text in ["", "+", "N1", "foo", "+AN2N1", "A1S", "-AS1", "AS1E1N1", "ハ", "AE1S"] {
        assert_eq!(read(text, Color::Red), Err(ActionTextError::Malformed(text.to_owned())), "{text}");
    }
    // The text written is read back, for the player who acts.
    let mut rng = boards::random_numbers(9);
    for doves in 2..=12 {
        let board = boards::random_board(&mut rng, doves);
        for player in Color::ALL {
            for (action, _) in board.legal_actions(player, Rules::default()) {
                let text = action.text(&board);
                for text in [&text[..], text.trim_start_matches('+')] {
                    assert_eq!(Action::from_typed(text, &board, player), Ok(action), "{text} on {board}");
                }
            }
        }
    }
}

/// The reader checks only the form: this Totsu would have to fly over the green boss and end far from all
/// others.
#[test]
fn actions_are_read_whether_legal_or_not() {
    let before = board(BEFORE);
    let action = Action::from_text("TS9", &before).expect("an action");
    assert_eq!(action, Action::Move { dove: dove('T'), to: Cell::new(11, 1) });
    assert!(before.legal_actions(Color::Red, Rules::default()).all(|(legal, _)| legal != action));
}

/// The text as a Japanese keyboard may write it: full-width forms, other dashes, other spaces.
fn full_width(text: &str, rng: &mut impl RngExt) -> String {
    let form = |letter: char| match letter {
        '-' => ['-', '－', '−', '–', '—', '‐', 'ー'][rng.random_range(0..7)],
        ' ' => [' ', '\u{3000}', '\u{a0}'][rng.random_range(0..3)],
        '!'..='~' if rng.random() => char::from_u32(letter as u32 + 0xfee0).expect("a full-width form"),
        other => other,
    };
    text.chars().map(form).collect()
}

/// Boards, actions and dove sets are read in full-width forms; and boards as other programs write them: with
/// blanks after the fourth column, one separator at the end, a byte order mark, and line ends of any system.
#[test]
fn texts_of_other_programs_and_keyboards_are_read() {
    let mut rng = boards::random_numbers(12);
    for doves in 2..=12 {
        for _ in 0..100 {
            let board = boards::random_board(&mut rng, doves);
            let empty = if rng.random() { "-" } else { " " };
            let rows: Vec<String> =
                board.to_string().replace('-', empty).split(';').map(str::to_owned).collect();
            let blanks: Vec<String> =
                rows.iter().map(|row| format!("{row}{}", " ".repeat(rng.random_range(0..4)))).collect();
            let separator = [";", "/", "\n", "\r\n", "\r", ";\n", "/\r"][rng.random_range(0..7)];
            let end = ["", ";", "/"][rng.random_range(0..3)];
            let mark = if rng.random() { "\u{feff}" } else { "" };
            let text = format!("{mark}{}{end}", blanks.join(separator));
            let wide = format!("{mark}{}", full_width(&format!("{}{end}", blanks.join(separator)), &mut rng));
            for text in [text, wide] {
                assert_eq!(text.parse::<Board>().as_ref(), Ok(&board), "{text:?}");
            }
            for player in Color::ALL {
                for (action, _) in board.legal_actions(player, Rules::default()).take(5) {
                    let text = full_width(&action.text(&board), &mut rng);
                    assert_eq!(Action::from_typed(&text, &board, player), Ok(action), "{text} on {board}");
                }
            }
        }
    }
    for (text, set) in [("ＡＹ", "AY"), ("ｍtＨ", "MTH"), ("－", "-"), ("−", "-")] {
        assert_eq!(text.parse::<DoveSet>(), set.parse::<DoveSet>(), "{text}");
    }
    // From a spreadsheet: cells between tabs, which may be empty or padded, and columns and rows beside the board.
    for text in [
        "-\tb\t-\tB\n-\t-\tM\ta\nA\t-\t-\t-\nY\t-\t-\t-",
        "\tb\t\tB\r\n\t\tM\ta\r\nA\t\t\t\r\nY\t\t\t\r\n",
        "\tb\t\tB\t\t\n\t\tM\ta\t\t\nA\t\t\t\t\t\nY\t\t\t\t\t\n",
        " \t b \t \t B;\t\tM\ta;A;Y",
        "\u{3000}\tｂ\t\tＢ\n\t\tＭ\tａ\nＡ\t\t\t\nＹ\t\t\t",
    ] {
        assert_eq!(board(text), board("-b-B;--Ma;A---;Y---"), "{text:?}");
    }
    assert_eq!(board("\t\t\t\n\tb\tB\t"), board("bB"));
    // A character that is not a cell is still refused, with its place.
    assert!(matches!(board_error("b;B;;;;"), BoardTextError::TooManyRows(5)));
    assert!(matches!(board_error("b   B"), BoardTextError::TooManyColumns { row: 1, columns: 5 }));
    assert!(matches!(board_error("b\t\t\t\tB"), BoardTextError::TooManyColumns { row: 1, columns: 5 }));
    assert!(matches!(
        board_error("b\t\n\tx"),
        BoardTextError::UnknownLetter { row: 2, column: 2, letter: 'x' }
    ));
    assert!(matches!(board_error("ｂＺ"), BoardTextError::UnknownLetter { row: 1, column: 2, letter: 'Z' }));
}
