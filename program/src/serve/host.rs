//! Which names a request may call this host by.
//!
//! A page from elsewhere that has its own name resolved to this machine still sends that name as `Host` (DNS
//! rebinding), so only the address that is listened on is accepted, and `localhost` where that is the loopback address.

use std::net::{IpAddr, SocketAddr};

/// Whether the value of a `Host` header means the address that is listened on. If that is every address of this
/// machine, any address will do, but no name.
pub fn is_this_host(host: &str, address: SocketAddr) -> bool {
    const HTTP: u16 = 80;
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(HTTP)),
    };
    let ip = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name).parse::<IpAddr>().ok();
    let is_named = match ip {
        Some(ip) => ip == address.ip() || address.ip().is_unspecified(),
        None => address.ip().is_loopback() && name.eq_ignore_ascii_case("localhost"),
    };
    port == Some(address.port()) && is_named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_address_is_this_host() {
        let at = |address: &str| address.parse::<SocketAddr>().unwrap();
        let local = at("127.0.0.1:8034");
        assert!(["127.0.0.1:8034", "localhost:8034", "LOCALHOST:8034"].iter().all(|host| is_this_host(host, local)));
        let foreign = [
            "localhost",
            "127.0.0.1",
            "localhost:80",
            "127.0.0.2:8034",
            "evil.example:8034",
            "",
            ":8034",
            "localhost.evil.example:8034",
            "127.0.0.1:8034:8034",
            "[::1]:8034",
            "127.0.0.1:08034x",
        ];
        assert!(foreign.iter().all(|host| !is_this_host(host, local)));
        assert!(is_this_host("127.0.0.1", at("127.0.0.1:80")));
        assert!(is_this_host("[::1]:8034", at("[::1]:8034")) && is_this_host("[::1]", at("[::1]:80")));
        let named = at("192.0.2.7:8034");
        assert!(is_this_host("192.0.2.7:8034", named) && !is_this_host("localhost:8034", named));
        let all = at("0.0.0.0:8034");
        assert!(is_this_host("192.0.2.7:8034", all) && !is_this_host("evil.example:8034", all));
    }
}
