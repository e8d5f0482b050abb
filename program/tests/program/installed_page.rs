//! The page as files for a static host, from which a browser installs it: what stands there is what its visitor gets.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::common::browser::{Browser, Engine};
use crate::common::folders::Folder;
use crate::common::host::{Answer, Host};
use crate::common::server::serve_at;

/// A static host of a folder, whose files a browser may keep for ten minutes.
fn host_of(port: u16, folder: &Path) -> Host {
    let folder = folder.to_owned();
    Host::at(port, move |path| {
        let mut file = folder.join(path.trim_start_matches('/'));
        if file.is_dir() {
            file.push("index.html");
        }
        let kind = match file.extension().and_then(|extension| extension.to_str()) {
            Some("html") => "text/html",
            Some("js") => "text/javascript",
            Some("svg") => "image/svg+xml",
            _ => "application/manifest+json",
        };
        let (status, body) = fs::read(&file).map_or((404, Vec::new()), |body| (200, body));
        Some(Answer { status, head: format!("Content-Type: {kind}\r\nCache-Control: max-age=600"), body })
    })
}

/// The players' doves and the rule on returns of the page that an address leads to, once its worker is there.
fn opened(page: &mut Box<Browser>, url: &str) -> String {
    page.open(&format!("{url}#mode=count"));
    page.value("document.querySelector('link[rel=manifest]') ? navigator.serviceWorker.ready.then(() => true) : true");
    let told = page.value("(({ red, returns }) => `${red} ${returns}`)(document.body.dataset)");
    told.as_str().expect("text").to_owned()
}

/// Once it has been opened, the page needs no host any more.
#[test]
fn an_installed_page_needs_no_host() {
    let folder = Folder::new();
    folder.dovemate("serve --export site/ --no-return").succeeds();
    let site = folder.join("site");
    let mut names: Vec<String> = fs::read_dir(&site)
        .expect("a folder")
        .map(|file| file.expect("a file").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["icon.svg", "index.html", "manifest.ja.webmanifest", "manifest.webmanifest", "service.js"]
    );
    for engine in [Engine::Chromium, Engine::Firefox] {
        let Some(mut page) = Browser::start(engine) else { continue };
        let host = host_of(0, &site);
        let url = host.url();
        page.open(&url);
        page.until(
            "navigator.serviceWorker.controller === null && document.querySelector('link[rel=manifest]')",
        );
        assert_eq!(page.value("navigator.serviceWorker.ready.then(({ active }) => active !== null)"), true);
        page.until("document.querySelector('link[rel=apple-touch-icon]')?.href.startsWith('data:image/png')");
        // In one language, and in the other.
        for name in ["manifest.webmanifest", "manifest.ja.webmanifest"] {
            if engine == Engine::Chromium {
                let manifest = page.send("Page.getAppManifest", json!({}));
                let expected = (&json!([]), &json!(format!("{url}{name}")));
                assert_eq!((&manifest["errors"], &manifest["url"]), expected);
            }
            page.click("#language");
        }
        host.close();
        for address in ["", "index.html"] {
            assert_eq!(opened(&mut page, &format!("{url}{address}")), "AYMTH no", "{engine:?}: {address}");
            page.until("/counted on the CPU/.test(document.getElementById('tally-status').textContent)");
            assert_eq!(page.text("footer"), concat!("dovemate ", env!("CARGO_PKG_VERSION")));
        }
        assert!(page.complaints().is_empty(), "{engine:?}: {:?}", page.complaints());
    }
}

/// A visitor gets what is at an address now, at the second load at the latest, though the browser may keep the first
/// for ten minutes: a new export, or the server of another game at the same port. Pages in folders side by side do not
/// mix.
#[test]
fn what_stands_at_an_address_is_shown() {
    let folder = Folder::new();
    for (name, kinds) in [("site/a/", "AYM"), ("site/b/", "AYT")] {
        folder.dovemate(&format!("serve --export {name} --kinds {kinds}")).succeeds();
    }
    let site = folder.join("site");
    for engine in [Engine::Chromium, Engine::Firefox] {
        let Some(mut page) = Browser::start(engine) else { continue };
        let host = host_of(0, &site);
        let (a, b) = (format!("{}a/", host.url()), format!("{}b/", host.url()));
        assert_eq!(opened(&mut page, &a), "AYM yes");
        assert_eq!(opened(&mut page, &b), "AYT yes");
        // Another export, within ten minutes.
        folder.dovemate("serve --export site/a/ --kinds H").succeeds();
        opened(&mut page, &a);
        assert_eq!(opened(&mut page, &a), "H yes", "{engine:?}");
        // A page that is not the board page, such as a hotel's, is not kept.
        fs::write(site.join("b/index.html"), "<body data-ready=yes>Log in</body>").expect("a write");
        page.open(&b);
        assert_eq!(page.text("body"), "Log in");
        let port = host.port();
        host.close();
        assert_eq!([&a, &b].map(|url| opened(&mut page, url)), ["H yes", "AYT yes"], "{engine:?}");
        for (name, kinds) in [("a/", "AYM"), ("b/", "AYT")] {
            folder.dovemate(&format!("serve --export site/{name} --kinds {kinds}")).succeeds();
        }
        // Where the worker of a page at the root is installed, a server takes the place of the page.
        let root = host_of(port, &site.join("a"));
        let url = root.url();
        assert_eq!(opened(&mut page, &url), "AYM yes");
        root.close();
        let _server = serve_at(&port.to_string(), "--kinds A");
        opened(&mut page, &url);
        assert_eq!(opened(&mut page, &url), "A yes", "{engine:?}");
        page.until("document.getElementById('tally-status').textContent.includes('counted on the CPU')");
    }
}
