//! What a user does on the board page.

use serde_json::json;

use super::browser::Browser;

/// Clicks what a legal action needs: its dove, then its cell or the hand.
pub fn act(page: &mut Browser, action: &str) {
    act_in(page, action, "./session.js");
}

/// The same in a page whose session is a module of this name.
pub fn act_in(page: &mut Browser, action: &str, module: &str) {
    let found = page.value(&format!(
        "import('{module}').then(({{ session }}) => {{ const {{ kind, dove, to }} = session.legal({}); return [kind, dove, String(to)] }})",
        json!(action)
    ));
    let part = |index: usize| found[index].as_str().expect("text").to_owned();
    page.click(&format!("[data-dove={}]", part(1)));
    match part(0).as_str() {
        "return" => page.click("[data-return]"),
        _ => page.click(&format!("[data-cell='{}']", part(2))),
    }
}

/// Gives a field or a list this value, as a user does who then leaves it.
pub fn set(page: &mut Browser, selector: &str, value: &str) {
    page.value(&format!(
        "(() => {{ const field = document.querySelector({}); field.value = {}; \
         field.dispatchEvent(new Event('change', {{ bubbles: true }})) }})()",
        json!(selector),
        json!(value)
    ));
}
