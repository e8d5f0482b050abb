//! The review of a game in the board page, for positions of which more or less is known.

use serde_json::json;

use crate::common::browser::Browser;
use crate::common::server::serve;

#[test]
fn a_review_follows_from_what_is_known() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.open(&server.url);
    page.value(include_str!("review.js"));
    assert_eq!(page.value("wrongReviews()"), json!([]));
}
