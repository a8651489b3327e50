//! Which servers of the web a rule is about: `WebFetch(domain:*.example.com)`.

use url::{Host, Url};

/// A domain, or everything below one.
#[derive(Debug, Clone)]
pub(crate) struct DomainPattern {
    /// Without the star, in lower case; empty for every domain.
    pub name: Box<str>,
    below: bool,
}

impl DomainPattern {
    /// Reads `example.com`, `*.example.com` or `*`.
    ///
    /// # Errors
    /// When it is none of these, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (below, name) = match text.strip_prefix("*.") {
            Some(name) => (true, name),
            None if text == "*" => (true, ""),
            None => (false, text),
        };
        let plain = |char: char| char.is_alphanumeric() || ".-_:[]".contains(char);
        if (name.is_empty() && text != "*") || !name.chars().all(plain) {
            return Err(format!(
                "`{text}` is not a domain: write `example.com` or `*.example.com`"
            ));
        }
        Ok(Self {
            name: name.trim_end_matches('.').to_lowercase().into(),
            below,
        })
    }

    /// Whether a host fits.
    pub fn fits(&self, host: &str) -> bool {
        if !self.below {
            return host == &*self.name;
        }
        self.name.is_empty()
            || host
                .strip_suffix(&*self.name)
                .is_some_and(|before| before.ends_with('.'))
    }
}

/// The host that an address leads to; none where it is no address of the web.
pub(crate) fn host_of(address: &str) -> Option<String> {
    let url = Url::parse(address.trim()).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    Some(match url.host()? {
        Host::Domain(name) => name.trim_end_matches('.').to_lowercase(),
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => address.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_fits_by_where_it_leads() {
        for (pattern, address, wanted) in [
            ("example.com", "https://example.com/x", true),
            ("example.com", "https://EXAMPLE.com.", true),
            ("example.com", "https://docs.example.com", false),
            ("*.example.com", "https://docs.example.com", true),
            ("*.example.com", "https://example.com", false),
            ("*.example.com", "https://notexample.com", false),
            ("example.com", "https://example.com@evil.com/", false),
            ("example.com", "https://evil.com#example.com", false),
            ("example.com", "https://evil.com\\@example.com", false),
            ("example.com", "file://example.com/x", false),
            ("*", "http://10.0.0.1/", true),
            ("10.0.0.1", "http://0x0a000001/", true),
        ] {
            let host = host_of(address);
            let pattern = DomainPattern::parse(pattern).unwrap();
            assert_eq!(
                host.is_some_and(|host| pattern.fits(&host)),
                wanted,
                "{address}"
            );
        }
        assert!(DomainPattern::parse("").is_err());
        assert!(DomainPattern::parse("a*b.com").is_err());
    }
}
