//! Tests of the URLs of a server.

use super::*;

#[test]
fn a_phone_is_given_the_local_network_before_a_vpn() {
    let ip = |text: &str| text.parse::<IpAddr>().expect("an address");
    let names =
        [("tun0", "10.8.0.2"), ("wlan0", "192.168.1.9"), ("docker0", "172.17.0.1"), ("eth0", "10.0.0.5")];
    let found = || names.iter().map(|(name, address)| (is_virtual(name), ip(address))).collect();
    let expected = |texts: [&str; 4]| texts.map(ip).to_vec();
    let by_vpn = by_use(found(), Some(ip("10.8.0.2")));
    assert_eq!(by_vpn, expected(["10.0.0.5", "192.168.1.9", "10.8.0.2", "172.17.0.1"]));
    let by_gateway = by_use(found(), Some(ip("192.168.1.9")));
    assert_eq!(by_gateway, expected(["192.168.1.9", "10.0.0.5", "10.8.0.2", "172.17.0.1"]));
}
