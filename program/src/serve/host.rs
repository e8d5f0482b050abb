//! The names of this host that a request may use.
//!
//! This prevents DNS rebinding: a foreign page whose name is made to resolve to this machine still sends that name as
//! `Host`, so of all names only `localhost` and the one that the operator gave are accepted. The port is not checked,
//! because a port that is forwarded, by ssh or from a container, differs.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Reads the name of a host.
///
/// # Errors
/// If the text has anything else, such as a port.
pub fn read_name(text: &str) -> Result<String, String> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    match !text.is_empty() && text.chars().all(is_of_name) {
        true => Ok(text.to_owned()),
        false => Err("write a name alone, as in doves.example.org, without http:// and port".to_owned()),
    }
}

/// Whether the value of a `Host` header means this machine, which listens on this address. If it listens on all of its
/// addresses, any address is accepted. The name that the user gave it, such as a proxy's, is always accepted.
pub fn is_this_host(host: &str, listened: IpAddr, given: Option<&str>) -> bool {
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
        None => ["localhost"].into_iter().chain(given).any(|known| name.eq_ignore_ascii_case(known)),
    }
}

/// The address in the host part of a URL, in which IPv6 addresses are in brackets.
fn address(name: &str) -> Option<IpAddr> {
    match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(name) => name.parse::<Ipv6Addr>().ok().map(IpAddr::from),
        None => name.parse::<Ipv4Addr>().ok().map(IpAddr::from),
    }
}
