//! What a tour says of the page.

use serde_json::{Value, json};

use super::in_page;

/// How what is found is compared with what is wanted; the longer of two that begin alike comes first.
const RELATIONS: [&str; 6] = ["is not", "is", "has", "lacks", "begins", "ends"];

/// What is looked at, and how it compares with what is wanted.
pub struct Claim<'a> {
    subject: String,
    relation: &'a str,
    wanted: &'a str,
}

impl Claim<'_> {
    pub fn read(claim: &str) -> Claim<'_> {
        // A text in quotes may have these words, too.
        let is_quoted = |place: usize| claim[..place].matches(['\'', '"', '`']).count() % 2 == 1;
        let found =
            claim.match_indices(' ').filter(|(place, _)| !is_quoted(*place)).find_map(|(place, _)| {
                RELATIONS.into_iter().find_map(|relation| {
                    let wanted = claim[place + 1..].strip_prefix(relation)?.strip_prefix(' ')?;
                    Some(Claim { subject: claim[..place].to_owned(), relation, wanted })
                })
            });
        found.unwrap_or_else(|| Claim::of_presence(claim))
    }

    fn of_presence(claim: &str) -> Claim<'_> {
        match claim.split_once(' ') {
            Some(("value", _)) => Claim { subject: claim.to_owned(), relation: "is", wanted: "true" },
            Some(("no", selector)) => {
                Claim { subject: format!("count {selector}"), relation: "is", wanted: "0" }
            }
            _ => Claim { subject: format!("count {claim}"), relation: "is not", wanted: "0" },
        }
    }

    /// An expression for what is looked at.
    pub fn expression(&self) -> String {
        match self.subject.split_once(' ') {
            // An error may go away; if it does not, it is what is found.
            Some(("value", expression)) => format!("{}.catch(String)", in_page(expression)),
            Some(("count", selector)) => format!("document.querySelectorAll({}).length", json!(selector)),
            _ => format!("document.querySelector({})?.textContent", json!(self.subject)),
        }
    }

    pub fn holds(&self, found: &Value) -> bool {
        let text = found.as_str();
        let is = || {
            text == Some(self.wanted)
                || serde_json::from_str(self.wanted).is_ok_and(|wanted: Value| wanted == *found)
        };
        match self.relation {
            "is" => is(),
            "is not" => !is(),
            "has" => text.is_some_and(|text| text.contains(self.wanted)),
            "lacks" => text.is_some_and(|text| !text.contains(self.wanted)),
            "begins" => text.is_some_and(|text| text.starts_with(self.wanted)),
            _ => text.is_some_and(|text| text.ends_with(self.wanted)),
        }
    }
}
