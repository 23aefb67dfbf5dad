//! Letters that read as others: to models and to people they are the same, to a search they are not.

use std::collections::HashMap;
use std::sync::LazyLock;

/// An ASCII character, and the characters that are read as it. Letters with accents are among them, since
/// a model reads past those.
const TABLE: &[(char, &str)] = &[
    ('a', "àáâãäåāăąǎǟǡǻȁȃȧạảấầẩẫậắằẳẵặⱥɑаӑӓαάἀἁὰᴀᎪꭺᗅꓮªᵃₐ"),
    ('b', "ḃḅḇƀɓʙвъьβвᏴᗷꓐᵇЪЬ"),
    ('c', "çćĉċčƈȼсϲᴄᏟⅽꓚҫᶜ"),
    ('d', "ďđḋḍḏḑḓɖɗᴅԁᎠᗞꓓⅾᵈ"),
    ('e', "èéêëēĕėęěȅȇȩẹẻẽếềểễệеёєҽεέᴇᎬꓰℯᵉₑəɛэ"),
    ('f', "ḟƒꜰϝᖴꓝᶠſẝ"),
    ('g', "ĝğġģǧǵḡɡɢԍցᏀꓖᵍ"),
    ('h', "ĥħȟḣḥḧḩḫẖһнհʜηᎻꓧᕼʰₕ"),
    ('i', "ìíîïĩīĭįıǐȉȋḭḯỉịіїɩιίϊᎥӏⅰꓲⁱᵢ"),
    ('j', "ĵǰјϳʝᴊᎫꓙʲⱼ"),
    ('k', "ķĸǩḱḳḵкκᴋқᏦꓗᵏₖ"),
    ('l', "ĺļľŀłḷḹḻḽʟӏⅼᏞꓡˡₗ"),
    ('m', "ḿṁṃмμᴍᎷⅿꓟᵐₘ"),
    ('n', "ñńņňŉŋǹṅṇṉṋɴпոηꓠⁿₙ"),
    ('o', "òóôõöøōŏőơǒǫǭǿȍȏȫȯọỏốồổỗộớờởỡợоοόσօᴏᎤꓳºᵒₒ"),
    ('p', "ṕṗρрᴘᏢꓑᵖₚ"),
    ('q', "ɋԛգզ"),
    ('r', "ŕŗřȑȓṙṛṝṟʀгяᎡᏒꓣʳᵣ"),
    ('s', "śŝşšșṡṣѕꜱᏚꓢˢₛ"),
    ('t', "ţťŧțṫṭṯṱẗтτᴛᎢꓔᵗₜ"),
    ('u', "ùúûüũūŭůűųưǔǖǘǚǜȕȗụủứừửữựυύᴜսцꓴᵘᵤ"),
    ('v', "ṽṿνѵᴠᏙⅴꓦᵛᵥ"),
    ('w', "ŵẁẃẅẇẉẘԝшωώᴡᏔꓪʷ"),
    ('x', "ẋẍхχⅹ᙭ꓫˣₓ×"),
    ('y', "ýÿŷȳẏẙỳỵỷỹуүγўʏᎩꓬʸ"),
    ('z', "źżžẑẓẕƶᴢζᏃꓜᶻ"),
    ('0', "⁰₀०০"),
    ('1', "¹₁"),
    ('2', "²₂"),
    ('3', "³₃зӡ"),
    ('4', "⁴₄ч"),
    ('5', "⁵₅"),
    ('6', "⁶₆б"),
    ('7', "⁷₇"),
    ('8', "⁸₈"),
    ('9', "⁹₉"),
    ('.', "。．․‥…"),
    (':', "：︰∶ː꞉"),
    ('<', "‹＜〈⟨❮˂"),
    ('>', "›＞〉⟩❯˃"),
    ('[', "［【〔"),
    (']', "］】〕"),
    ('|', "｜❘∣│"),
    ('/', "⁄∕／⧸"),
    ('~', "∼～˜"),
    ('@', "＠﹫"),
    ('_', "＿‗"),
    ('-', "‐‑‒–—―−﹣－"),
    ('\'', "‘’‛′＇ʼ"),
    ('"', "“”„‟″＂«»"),
];

static LOOK_ALIKES: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let each = |(plain, others): &(char, &'static str)| {
        let plain = *plain;
        others.chars().map(move |other| (other, plain))
    };
    let mut map = HashMap::new();
    for (other, plain) in TABLE.iter().flat_map(each) {
        map.entry(other).or_insert(plain);
    }
    map
});

/// The lower-case ASCII character that this one is read as.
pub(super) fn plain(c: char) -> Option<char> {
    if c.is_ascii() {
        return Some(c.to_ascii_lowercase());
    }
    if let Some(styled) = styled(c) {
        return Some(styled.to_ascii_lowercase());
    }
    let known = |c: char| LOOK_ALIKES.get(&c).copied();
    known(c).or_else(|| c.to_lowercase().next().and_then(known))
}

/// A letter of ASCII in another style: full width, mathematical, in a circle, or as an invisible tag.
pub(super) fn styled(c: char) -> Option<char> {
    let code = u32::from(c);
    let letter = |from: u32, first: u8| ascii(code.checked_sub(from)?.checked_add(first.into())?);
    match code {
        0xFF01..=0xFF5E => letter(0xFF01, b'!'),
        0xE0020..=0xE007E => letter(0xE0020, b' '),
        0x1D400..=0x1D6A3 => {
            let at = (code - 0x1D400) % 52;
            ascii(if at < 26 { 65 + at } else { 71 + at })
        }
        0x1D7CE..=0x1D7FF => ascii(48 + (code - 0x1D7CE) % 10),
        0x24B6..=0x24CF => letter(0x24B6, b'A'),
        0x24D0..=0x24E9 => letter(0x24D0, b'a'),
        0x249C..=0x24B5 => letter(0x249C, b'a'),
        0x2460..=0x2468 => letter(0x2460, b'1'),
        0x1F110..=0x1F129 => letter(0x1F110, b'A'),
        0x1F130..=0x1F149 => letter(0x1F130, b'A'),
        0x1F150..=0x1F169 => letter(0x1F150, b'A'),
        0x1F170..=0x1F189 => letter(0x1F170, b'A'),
        0x1F1E6..=0x1F1FF => letter(0x1F1E6, b'A'),
        // Of the mathematical letters some are older than the others.
        0x2102 | 0x212D => Some('C'),
        0x210A => Some('g'),
        0x210B..=0x210D => Some('H'),
        0x210E => Some('h'),
        0x2110 | 0x2111 => Some('I'),
        0x2112 => Some('L'),
        0x2113 => Some('l'),
        0x2115 => Some('N'),
        0x2118 | 0x2119 => Some('P'),
        0x211A => Some('Q'),
        0x211B..=0x211D => Some('R'),
        0x2124 | 0x2128 => Some('Z'),
        0x212C => Some('B'),
        0x212F => Some('e'),
        0x2130 => Some('E'),
        0x2131 => Some('F'),
        0x2133 => Some('M'),
        0x2134 => Some('o'),
        0x2139 => Some('i'),
        _ => None,
    }
}

fn ascii(code: u32) -> Option<char> {
    char::from_u32(code).filter(char::is_ascii)
}

/// Whether a letter of another script is drawn as a letter of ASCII: one that nobody types into an English
/// word by accident. Letters that science uses, such as µ and Δ, are none.
pub(super) fn is_foreign_twin(c: char) -> bool {
    let script = matches!(u32::from(c),
        0x0370..=0x03FF | 0x0400..=0x052F | 0x0531..=0x058F | 0x13A0..=0x13FF | 0xA4D0..=0xA4FF | 0xAB70..=0xABBF);
    script && !"αβγδεηθλμνπρστφχωΔΣΩΠΦΨΛΘΓ".contains(c) && plain(c).is_some()
}

/// The same for letters in another style, which fonts have for mathematics.
pub(super) fn is_styled_letter(c: char) -> bool {
    let is_flag = matches!(u32::from(c), 0x1F1E6..=0x1F1FF | 0x2460..=0x2468);
    !is_flag && !is_tag(c) && styled(c).is_some_and(|c| c.is_ascii_alphabetic())
}

/// The invisible tags, which have the code of a character of ASCII.
pub(super) fn is_tag(c: char) -> bool {
    matches!(u32::from(c), 0xE0000..=0xE007F)
}
