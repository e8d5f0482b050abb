//! Which names a request may call this host by.
//!
//! A page from elsewhere that has its own name resolved to this machine still sends that name as `Host` (DNS
//! rebinding), so no name is accepted but `localhost`, and no address but those that are this machine's. The port tells
//! nothing: it is another one if it is forwarded, by ssh or from a container.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether the value of a `Host` header means this machine, which listens on this address. If that is every address of
/// the machine, any will do.
pub fn is_this_host(host: &str, listened: IpAddr) -> bool {
    let name = match host.rsplit_once(':') {
        Some((_, port)) if port.ends_with(']') => host,
        Some((name, port)) if port.parse::<u16>().is_ok() => name,
        Some(_) => return false,
        None => host,
    };
    match address(name) {
        Some(ip) => {
            [IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into(), listened].contains(&ip)
                || listened.is_unspecified()
        }
        None => name.eq_ignore_ascii_case("localhost"),
    }
}

/// The address that is written so in a URL: that of IPv6 has brackets.
fn address(name: &str) -> Option<IpAddr> {
    match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(name) => name.parse::<Ipv6Addr>().ok().map(IpAddr::from),
        None => name.parse::<Ipv4Addr>().ok().map(IpAddr::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTENED: [&str; 6] = ["127.0.0.1", "::1", "0.0.0.0", "::", "192.0.2.7", "2001:db8::7"];

    fn accepting(host: &str) -> Vec<&'static str> {
        LISTENED.into_iter().filter(|listened| is_this_host(host, listened.parse().unwrap())).collect()
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
        let names = [
            "",
            ":8034",
            "evil.example",
            "localhost.example",
            "localhost.",
            "127.0.0.1.example",
            "127.0.0.1@evil.example",
            "evil.example@127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f.0.0.1",
            "::1",
            "[127.0.0.1]",
            "[::1",
            "[::1].example",
            "localhost:8034:8034",
            "localhost:",
            "localhost:08034x",
            "localhost:65536",
            "localhost localhost",
            "localhost,evil.example",
        ];
        for name in names {
            assert!(accepting(name).is_empty(), "{name}");
            let with_port = format!("{name}:8034");
            assert!(accepting(&with_port).is_empty(), "{with_port}");
        }
    }
}
