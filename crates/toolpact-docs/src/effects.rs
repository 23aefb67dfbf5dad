use std::time::Duration;

use toolpact_core::contract::Effects;

/// A side effect of a tool, or the absence of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effect {
    /// A short name: `read-only`.
    pub name: &'static str,
    /// The meaning.
    pub meaning: &'static str,
    /// Whether it calls for caution.
    pub is_risky: bool,
}

impl Effect {
    /// The declared effects of a tool; unknown ones are left out.
    pub(super) fn all(effects: Effects) -> Vec<Self> {
        let said = [
            effects.read_only().map(read_only),
            effects.destructive().map(destructive),
            effects.idempotent().map(idempotent),
            effects.open_world().map(open_world),
            effects.durable().and_then(durable),
            effects.idempotency_key().and_then(idempotency_key),
        ];
        said.into_iter().flatten().collect()
    }
}

fn read_only(is: bool) -> Effect {
    if is {
        effect("read-only", "it changes nothing")
    } else {
        effect("makes changes", "it is not read-only")
    }
}

fn destructive(is: bool) -> Effect {
    match is {
        true => Effect {
            is_risky: true,
            ..effect("destructive", "it may destroy something")
        },
        false => effect("not destructive", "it only adds to what is there"),
    }
}

fn idempotent(is: bool) -> Effect {
    match is {
        true => effect(
            "idempotent",
            "a second call with the same arguments changes nothing more",
        ),
        false => effect("not idempotent", "a second call changes something again"),
    }
}

fn open_world(is: bool) -> Effect {
    if is {
        effect("open world", "it deals with things outside of its system")
    } else {
        effect("closed world", "it stays within its system")
    }
}

/// That it is not is what everybody expects.
fn durable(is: bool) -> Option<Effect> {
    let meaning = "a call on the grid is kept until it has an outcome";
    is.then(|| effect("durable", meaning))
}

fn idempotency_key(is: bool) -> Option<Effect> {
    let meaning = "it uses the identifier of its call, so that to execute the same call twice changes nothing more";
    is.then(|| effect("idempotency key", meaning))
}

fn effect(name: &'static str, meaning: &'static str) -> Effect {
    Effect {
        name,
        meaning,
        is_risky: false,
    }
}

/// `5 seconds`, `1.5 seconds`, `250 milliseconds`, `2 minutes`.
pub(super) fn in_words(time: Duration) -> String {
    let ms = time.as_millis();
    let units = [
        (86_400_000, "day"),
        (3_600_000, "hour"),
        (60_000, "minute"),
        (1_000, "second"),
        (1, "millisecond"),
    ];
    let whole = units.into_iter().find(|(unit, _)| ms.is_multiple_of(*unit));
    match whole {
        Some((1, _)) | None if ms > 1_000 => format!("{} seconds", time.as_secs_f64()),
        Some((unit, noun)) => {
            let plural = if ms == unit { "" } else { "s" };
            format!("{} {noun}{plural}", ms / unit)
        }
        None => format!("{ms} milliseconds"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    #[test]
    fn times_are_told_in_the_largest_unit_that_is_exact() {
        let cases = [
            (1, "1 millisecond"),
            (250, "250 milliseconds"),
            (1_000, "1 second"),
            (1_500, "1.5 seconds"),
            (90_000, "90 seconds"),
            (120_000, "2 minutes"),
            (3_600_000, "1 hour"),
            (86_400_000, "1 day"),
        ];
        for (ms, words) in cases {
            assert_eq!(super::in_words(Duration::from_millis(ms)), words);
        }
    }
}
