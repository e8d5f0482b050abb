//! Tests of the characters for pictures.

use super::*;

/// Sentences that Windows prints in English, German, Japanese (in the code page itself) and Korean.
#[test]
fn code_pages() {
    for (sentence, page, is_wide) in [
        (&b"Active code page: 65001\r\n"[..], 65001, false),
        (b"Aktive Codepage: 850.\r\n", 850, false),
        (b"\x8c\xbb\x8d\xdd\x82\xcc\x83R\x81[\x83h \x83y\x81[\x83W: 932\r\n", 932, true),
        ("활성 코드 페이지: 949\r\n".as_bytes(), 949, true),
    ] {
        let found = code_page(&String::from_utf8_lossy(sentence));
        assert_eq!((found, found.map(has_wide_signs)), (Some(page), Some(is_wide)));
    }
    assert_eq!(code_page("no number"), None);
}
