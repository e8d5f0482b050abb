//! The page's section on the small games: the articles' claims, the findings, and why the second player wins waribashi.

use maud::{Markup, html};

use crate::games::waribashi::{Solved, Waribashi};
use crate::pages::image_url;
use crate::verify::{Claim, Finding, Verdict, small_games};

/// The claims with their findings, and the pruned graph of waribashi.
pub fn section() -> Markup {
    let findings = small_games::findings().unwrap_or_default();
    let held = findings.iter().filter(|(_, finding)| finding.verdict == Verdict::Holds).count();
    let all_hold = held == findings.len() && held > 0;
    html! {
        section aria-labelledby="games" {
            h2 #games { "The small games" }
            p {
                "Articles on waribashi (割りばし), nim (三山崩し), Wythoff's game and hoshigaki (干し柿落とし) make claims, too. Each was \
                 checked by solving the game from its rules. Where an article is wrong, the claim here says so, with the first \
                 counterexample; the corrected rule follows."
            }
            p.verdict.(if all_hold { "good" } else { "bad" }) {
                span aria-hidden="true" { (if all_hold { "✓ " } else { "✗ " }) }
                (held) " of " (findings.len()) " claims hold."
            }
            (proof())
            div.scroll tabindex="0" role="region" aria-labelledby="claims-caption" {
                table #claims {
                    caption #claims-caption { "Claims on the small games" }
                    thead { tr { @for head in ["claim", "stated in", "found", "verdict"] { th scope="col" { (head) } } } }
                    tbody { @for (claim, finding) in &findings { (row(claim, finding)) } }
                }
            }
            dl.commands {
                dt { "All claims" } dd { code { "dovemate verify" } }
                dt { "A game" } dd { code { "dovemate games hoshigaki --strategy --piles 4 --max 9" } }
            }
        }
    }
}

fn row(claim: &Claim, finding: &Finding) -> Markup {
    let (class, verdict) = match finding.verdict {
        Verdict::Holds => ("good", "holds"),
        Verdict::Fails => ("bad", "FAILS"),
        Verdict::Skipped => ("open", "skipped"),
    };
    html! { tr { td { (claim.claim) } td { (claim.stated) } td { (finding.found) } td.(class) { (verdict) } } }
}

/// The pruned graph of waribashi under its basic rules.
fn proof() -> Markup {
    let solved = Solved::new(Waribashi::BASIC);
    let Some(part) = solved.pruned() else {
        return html! {};
    };
    let svg = solved.drawing(&part).svg();
    html! {
        figure {
            div.scroll tabindex="0" role="region" aria-label="Graph of waribashi" {
                img #waribashi src=(image_url(&svg))
                    alt={ "Graph of " (part.positions.len()) " states and " (part.edges.len()) " edges: whatever the first player \
                          does, the second has an answer that wins" };
            }
            figcaption {
                "Waribashi: all actions of the first player, and the second player's winning answers. Picture: "
                code { "dovemate games waribashi --pruned --svg waribashi.svg" }
            }
        }
    }
}
