//! The page's address as a QR code for a phone.

use qrcode::{QrCode, render::unicode::Dense1x2};
use std::net::{IpAddr, SocketAddr, UdpSocket};

/// Draws the text as a QR code made of block characters; none where it is too long.
pub fn draw(text: &str) -> Option<String> {
    let code = QrCode::new(text).ok()?;
    let mut drawn = code.render::<Dense1x2>();
    // Terminals are mostly light on dark.
    drawn.dark_color(Dense1x2::Light);
    drawn.light_color(Dense1x2::Dark);
    Some(drawn.build())
}

/// Gives the address at which other machines on the local network reach this one.
pub fn lan_address(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        ip if ip.is_unspecified() => SocketAddr::new(own_address().unwrap_or(ip), address.port()),
        _ => address,
    }
}

/// Gives this machine's address on the way out. Nothing is sent: a datagram socket only chooses one.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind(("0.0.0.0", 0)).ok()?;
    socket.connect(("192.0.2.1", 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_unspecified()).then_some(ip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_for_an_address_with_its_key() {
        let address = format!("http://192.168.1.5:4653/#key={}", "a".repeat(64));
        let code = draw(&address).unwrap();
        let widths: Vec<_> = code.lines().map(|line| line.chars().count()).collect();
        assert!(
            widths
                .iter()
                .all(|width| *width == widths[0] && *width < 70)
        );
        // The margin is made of blocks: they are the light part, here and on the page.
        assert!(
            code.lines()
                .next()
                .unwrap()
                .chars()
                .all(|drawn| drawn == '█')
        );
        assert_eq!(draw(&"x".repeat(5_000)), None);
        let fixed: SocketAddr = "192.168.1.5:1".parse().unwrap();
        assert_eq!(lan_address(fixed), fixed);
    }
}
