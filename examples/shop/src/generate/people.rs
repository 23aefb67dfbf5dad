//! Customers: names and places that go together.

use jiff::civil::{Date, date};
use jiff::{Span, ToSpan as _};
use rusqlite::{Transaction, params};

use super::random::Random;

/// The number of the first customer.
pub(super) const FIRST: i64 = 101;

/// A customer gives an address that some post office knows.
struct Region {
    country: &'static str,
    domain: &'static str,
    cities: &'static [&'static str],
    given: &'static [&'static str],
    family: &'static [&'static str],
}

const REGIONS: [Region; 8] = [
    Region {
        country: "Germany",
        domain: "de",
        cities: &[
            "Berlin", "Hamburg", "München", "Köln", "Leipzig", "Freiburg", "Kassel", "Münster",
        ],
        given: &[
            "Anna",
            "Jonas",
            "Lena",
            "Felix",
            "Katharina",
            "Moritz",
            "Jürgen",
            "Heike",
            "Emre",
            "Sabine",
        ],
        family: &[
            "Müller",
            "Schneider",
            "Fischer",
            "Weber",
            "Wagner",
            "Becker",
            "Schäfer",
            "Yılmaz",
            "Krüger",
            "Vogt",
        ],
    },
    Region {
        country: "France",
        domain: "fr",
        cities: &[
            "Paris",
            "Lyon",
            "Marseille",
            "Nantes",
            "Lille",
            "Rennes",
            "Besançon",
        ],
        given: &[
            "Camille", "Louis", "Chloé", "Hugo", "Manon", "Théo", "Inès", "Benoît", "Fatou",
        ],
        family: &[
            "Martin", "Bernard", "Dubois", "Petit", "Durand", "Lefèvre", "Moreau", "Diallo",
            "Garnier",
        ],
    },
    Region {
        country: "Spain",
        domain: "es",
        cities: &[
            "Madrid",
            "Barcelona",
            "Valencia",
            "Sevilla",
            "Málaga",
            "Bilbao",
        ],
        given: &[
            "Lucía", "Hugo", "Martina", "Mateo", "Carmen", "Íñigo", "Pilar", "Javier",
        ],
        family: &[
            "García",
            "Fernández",
            "López",
            "Sánchez",
            "Romero",
            "Ibáñez",
            "Navarro",
        ],
    },
    Region {
        country: "Italy",
        domain: "it",
        cities: &["Roma", "Milano", "Torino", "Bologna", "Napoli", "Trieste"],
        given: &[
            "Giulia", "Lorenzo", "Chiara", "Matteo", "Elena", "Niccolò", "Sofia",
        ],
        family: &[
            "Rossi", "Russo", "Ferrari", "Esposito", "D'Angelo", "Conti", "Gallo",
        ],
    },
    Region {
        country: "Netherlands",
        domain: "nl",
        cities: &["Amsterdam", "Utrecht", "Rotterdam", "Groningen", "Den Haag"],
        given: &["Sanne", "Daan", "Lotte", "Bram", "Femke", "Joost", "Noor"],
        family: &[
            "de Jong",
            "Jansen",
            "van den Berg",
            "Bakker",
            "Visser",
            "Smit",
        ],
    },
    Region {
        country: "Poland",
        domain: "pl",
        cities: &["Warszawa", "Kraków", "Gdańsk", "Wrocław", "Poznań", "Łódź"],
        given: &[
            "Zofia",
            "Jakub",
            "Małgorzata",
            "Piotr",
            "Agnieszka",
            "Łukasz",
        ],
        family: &[
            "Nowak",
            "Kowalska",
            "Wiśniewski",
            "Zieliński",
            "Wójcik",
            "Kamiński",
        ],
    },
    Region {
        country: "Sweden",
        domain: "se",
        cities: &["Stockholm", "Göteborg", "Malmö", "Uppsala", "Umeå"],
        given: &["Elsa", "Oskar", "Astrid", "Nils", "Maja", "Åsa", "Björn"],
        family: &[
            "Andersson",
            "Johansson",
            "Lindqvist",
            "Nyström",
            "Sjöberg",
            "Öberg",
        ],
    },
    Region {
        country: "Ireland",
        domain: "ie",
        cities: &["Dublin", "Cork", "Galway", "Limerick", "Sligo"],
        given: &["Aoife", "Conor", "Niamh", "Cillian", "Saoirse", "Patrick"],
        family: &[
            "Murphy",
            "O'Brien",
            "Kelly",
            "Byrne",
            "Ní Dhomhnaill",
            "Walsh",
        ],
    },
];

/// Writes so many customers.
pub(super) fn write(to: &Transaction<'_>, random: &mut Random, count: i64) -> rusqlite::Result<()> {
    let mut insert = to.prepare(
        "INSERT INTO customers (id, name, email, city, country, since) VALUES (?, ?, ?, ?, ?, ?)",
    )?;
    for id in FIRST..FIRST + count {
        let Some(region) = random.favour(&REGIONS) else {
            continue;
        };
        let given = random.pick(region.given).copied().unwrap_or_default();
        let family = random.pick(region.family).copied().unwrap_or_default();
        let city = random.pick(region.cities).copied().unwrap_or_default();
        // The number keeps those apart who have the same name.
        let email = format!(
            "{}.{}{id}@example.{}",
            plain(given),
            plain(family),
            region.domain
        );
        let since = since(random);
        insert.execute(params![
            id,
            format!("{given} {family}"),
            email,
            city,
            region.country,
            since.to_string(),
        ])?;
    }
    Ok(())
}

/// Before the first order of all.
fn since(random: &mut Random) -> Date {
    let first = date(2022, 3, 1);
    let days: Span = random.below(1000).days();
    first.checked_add(days).unwrap_or(first)
}

/// A name as people write it in an address.
fn plain(name: &str) -> String {
    let letters = name.chars().filter_map(|letter| match letter {
        'ä' | 'á' | 'å' | 'Å' | 'à' => Some('a'),
        'é' | 'è' | 'ë' | 'ê' => Some('e'),
        'í' | 'ï' | 'î' | 'ı' | 'Í' => Some('i'),
        'ö' | 'ó' | 'ò' | 'Ö' | 'ô' => Some('o'),
        'ü' | 'ú' => Some('u'),
        'ç' => Some('c'),
        'ñ' | 'ń' => Some('n'),
        'ł' | 'Ł' => Some('l'),
        'ś' => Some('s'),
        'ź' => Some('z'),
        letter => letter
            .is_ascii_alphabetic()
            .then_some(letter.to_ascii_lowercase()),
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::{REGIONS, plain};

    #[test]
    fn every_letter_of_a_name_has_a_plain_one() {
        for region in REGIONS {
            for name in region.given.iter().chain(region.family) {
                let letters = name.chars().filter(|letter| letter.is_alphabetic()).count();
                assert_eq!(plain(name).len(), letters, "{name}");
            }
        }
    }
}
