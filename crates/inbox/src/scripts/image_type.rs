//! Images that a browser may be given: bitmaps, known by their first bytes. Others, such as SVG, can
//! hold more than a picture.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use holdpoint::{Artifact, ArtifactKind};

/// The type and the bytes of an image; none where it is not one of these.
pub(crate) fn detect(artifact: &Artifact) -> Option<(&'static str, Vec<u8>)> {
    if artifact.kind != ArtifactKind::Image {
        return None;
    }
    let bytes = bytes(&artifact.content)?;
    let kind = kind(&bytes)?;
    let matches = artifact
        .mime_type
        .as_deref()
        .is_none_or(|mime| mime == kind);
    matches.then_some((kind, bytes))
}

/// The bytes that base64 stands for, with or without the start of a data address.
pub(crate) fn bytes(content: &str) -> Option<Vec<u8>> {
    let content = match content.split_once(";base64,") {
        Some((start, content)) if start.starts_with("data:") => content,
        _ => content,
    };
    STANDARD.decode(content.trim()).ok()
}

fn kind(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_are_shown() {
        let check = |mime: Option<&str>, bytes: &[u8], wanted: Option<&str>| {
            let artifact = Artifact {
                kind: ArtifactKind::Image,
                title: String::new(),
                content: STANDARD.encode(bytes),
                language: None,
                mime_type: mime.map(str::to_owned),
            };
            assert_eq!(detect(&artifact).map(|(kind, _)| kind), wanted, "{mime:?}");
        };
        let png = b"\x89PNG\r\n\x1a\n";
        check(Some("image/png"), png, Some("image/png"));
        check(None, png, Some("image/png"));
        check(None, b"RIFF\0\0\0\0WEBPVP8", Some("image/webp"));
        check(Some("image/jpeg"), png, None);
        check(Some("text/html"), png, None);
        check(Some("image/svg+xml"), b"<svg onload=alert(1)>", None);
        check(Some("image/png"), b"<script>alert(1)</script>", None);
        check(None, b"", None);
    }

    #[test]
    fn a_data_address_is_taken_too() {
        assert_eq!(bytes("data:image/png;base64,AAEC"), Some(vec![0, 1, 2]));
        assert_eq!(bytes("AAEC\n"), Some(vec![0, 1, 2]));
        assert_eq!(bytes("not base64!"), None);
    }
}
