//! The URLs of a listening server, for browsers on this machine and on other machines of its network.

#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use qrcode::{EcLevel, QrCode};

/// Reads the address to listen on; `localhost` means 127.0.0.1.
///
/// # Errors
/// If the text is neither an IP address nor `localhost`.
pub fn read_listened(text: &str) -> Result<IpAddr, String> {
    if text.eq_ignore_ascii_case("localhost") {
        return Ok(Ipv4Addr::LOCALHOST.into());
    }
    let address = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    address
        .parse()
        .map_err(|_| "write an IP address (0.0.0.0 means all of this machine's) or localhost".to_owned())
}

/// The URLs of a server that listens on this address. The first is for a browser on this machine. If the server listens
/// on all addresses, those for other machines on the network follow.
pub fn urls(listened: SocketAddr) -> Vec<String> {
    let own = match listened.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    let network = if listened.ip().is_unspecified() { of_network(listened.ip()) } else { Vec::new() };
    let url = |ip| format!("http://{}/", SocketAddr::new(ip, listened.port()));
    [own].into_iter().chain(network).map(url).collect()
}

/// The addresses of this machine that others may reach, of the same family as `all`. The most likely one for a phone
/// comes first: see [`by_use`].
fn of_network(all: IpAddr) -> Vec<IpAddr> {
    let far: IpAddr = match all {
        IpAddr::V4(_) => Ipv4Addr::new(192, 0, 2, 1).into(),
        IpAddr::V6(_) => Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
    };
    // Connecting a UDP socket sends nothing, but selects the address of the default route.
    let connected = UdpSocket::bind((all, 0)).and_then(|socket| socket.connect((far, 9)).map(|()| socket));
    let main = connected.and_then(|socket| socket.local_addr()).ok().map(|address| address.ip());
    let is_reached = |ip: &IpAddr| match ip {
        IpAddr::V4(ip) => all.is_ipv4() && !ip.is_loopback() && !ip.is_link_local(),
        IpAddr::V6(ip) => all.is_ipv6() && !ip.is_loopback() && !ip.is_unicast_link_local(),
    };
    let networks = sysinfo::Networks::new_with_refreshed_list().ok();
    let found = networks.iter().flat_map(|networks| networks.iter()).flat_map(|(name, network)| {
        let is_virtual = is_virtual(&name.to_string_lossy()) || network.mac_address().is_unspecified();
        network.ip_networks().iter().map(move |own| (is_virtual, own.addr))
    });
    by_use(found.filter(|(_, ip)| is_reached(ip)).collect(), main)
}

/// Whether an interface of this name is one of a VPN, of containers or of virtual machines.
fn is_virtual(name: &str) -> bool {
    const VIRTUAL_PREFIXES: [&str; 12] =
        ["tun", "tap", "wg", "utun", "ppp", "tailscale", "zt", "docker", "br-", "veth", "virbr", "vmnet"];
    VIRTUAL_PREFIXES.iter().any(|beginning| name.starts_with(beginning))
}

/// Sorts addresses. Those of virtual interfaces, which are flagged, come last. Both among these and among the others,
/// `main` comes first: the address towards the default gateway, which may be a VPN's.
fn by_use(mut found: Vec<(bool, IpAddr)>, main: Option<IpAddr>) -> Vec<IpAddr> {
    found.sort_by_key(|&(is_virtual, ip)| (is_virtual, Some(ip) != main, ip));
    let mut addresses: Vec<IpAddr> = found.into_iter().map(|(_, ip)| ip).collect();
    addresses.dedup();
    addresses
}

/// A QR code of a URL, as lines for a terminal with colours; `None` if the URL is too long. Its modules are spaces with
/// a background, because block characters may be two columns wide.
pub fn qr_code(url: &str) -> Option<String> {
    /// The light frame that readers need.
    const FRAME_MODULES: usize = 2;
    const DARK: &str = "\x1b[40m  ";
    const LIGHT: &str = "\x1b[107m  ";
    let code = QrCode::with_error_correction_level(url, EcLevel::L).ok()?;
    let mut renderer = code.render::<&str>();
    let picture = renderer.dark_color(DARK).light_color(LIGHT).quiet_zone(false).build();
    let (side, blank) = (LIGHT.repeat(FRAME_MODULES), LIGHT.repeat(code.width()));
    let edge = [&blank[..]; FRAME_MODULES];
    let lines = edge.into_iter().chain(picture.lines()).chain(edge);
    Some(lines.map(|line| format!("{side}{line}{side}\x1b[0m\n")).collect())
}
