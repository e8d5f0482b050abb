//! Which names a request may call a server by.

use host::{is_this_host, read_name};

#[path = "../../src/serve/host.rs"]
mod host;

const LISTENED: [&str; 6] = ["127.0.0.1", "::1", "0.0.0.0", "::", "192.0.2.7", "2001:db8::7"];

fn accepting(host: &str) -> Vec<&'static str> {
    LISTENED.into_iter().filter(|listened| is_this_host(host, listened.parse().unwrap(), None)).collect()
}

#[test]
fn names_of_this_machine_are_accepted_with_any_port() {
    for name in ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"] {
        for port in ["", ":80", ":8034", ":65535"] {
            assert_eq!(accepting(&format!("{name}{port}")), LISTENED, "{name}{port}");
        }
    }
}

#[test]
fn other_addresses_are_accepted_if_they_are_listened_on() {
    for port in ["", ":8034", ":9000"] {
        assert_eq!(accepting(&format!("192.0.2.7{port}")), ["0.0.0.0", "::", "192.0.2.7"], "{port}");
        assert_eq!(accepting(&format!("[2001:db8::7]{port}")), ["0.0.0.0", "::", "2001:db8::7"], "{port}");
        assert_eq!(accepting(&format!("127.0.0.2{port}")), ["0.0.0.0", "::"], "{port}");
    }
}

#[test]
fn other_names_are_never_accepted() {
    const NAMES: &str = ":8034 evil.example localhost.example localhost. 127.0.0.1.example 127.0.0.1@evil.example \
        evil.example@127.0.0.1 127.1 2130706433 0x7f.0.0.1 ::1 [127.0.0.1] [::1 [::1].example \
        localhost:8034:8034 localhost: localhost:08034x localhost:65536 localhost,evil.example";
    for name in NAMES.split(' ').chain(["", "localhost localhost"]) {
        assert!(accepting(name).is_empty(), "{name}");
        let with_port = format!("{name}:8034");
        assert!(accepting(&with_port).is_empty(), "{with_port}");
    }
}

#[test]
fn the_name_of_a_proxy_is_accepted_if_it_is_given() {
    let accepts = |host| is_this_host(host, "127.0.0.1".parse().unwrap(), Some("board.example"));
    assert!(["board.example", "Board.Example:443", "localhost"].into_iter().all(accepts));
    assert!(!["other.example", "board.example.org", ".board.example"].into_iter().any(accepts));
}

#[test]
fn a_name_of_a_proxy_is_nothing_but_a_name() {
    for name in ["board.example", "Board-2.Example", "board_1", "xn--bcher-kva.example"] {
        assert_eq!(read_name(name).as_deref(), Ok(name));
    }
    for text in
        ["", "board.example:80", "http://board.example", "a b", "board.example/", "[::1]", "bücher.example"]
    {
        assert!(read_name(text).is_err(), "{text}");
    }
}
