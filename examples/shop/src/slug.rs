/// A name as it stands in the address of a page: `darjeeling-first-flush-100-g`. Empty if there is
/// nothing in it that could stand there.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for letter in name.chars().flat_map(char::to_lowercase) {
        match plain(letter) {
            Some(letters) => slug.push_str(letters),
            None if letter.is_ascii_alphanumeric() => slug.push(letter),
            // One dash for whatever lies between two words.
            None if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            None => {}
        }
    }
    slug.truncate(60);
    slug.trim_end_matches('-').to_owned()
}

/// The letters of Europe in those of an address. An apostrophe joins what it stands between.
fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ą' => "a",
        'ä' | 'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'è' | 'é' | 'ê' | 'ë' | 'ę' => "e",
        'ì' | 'í' | 'î' | 'ï' | 'ı' => "i",
        'ł' => "l",
        'ñ' | 'ń' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ø' => "o",
        'ö' | 'œ' => "oe",
        'ś' | 'š' => "s",
        'ß' => "ss",
        'ù' | 'ú' | 'û' => "u",
        'ü' => "ue",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        '\'' | '’' => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn slugs_are_letters_digits_and_single_dashes() {
        assert_eq!(
            slug("Darjeeling First Flush, 100 g"),
            "darjeeling-first-flush-100-g"
        );
        assert_eq!(
            slug("  Käse & Brötchen -- D'Angelo! "),
            "kaese-broetchen-dangelo"
        );
        assert_eq!(slug("茶 ☕"), "");
        assert_eq!(slug("'; DROP TABLE orders; --"), "drop-table-orders");
        assert_eq!(slug(&"long ".repeat(50)).len(), 59);
    }
}
