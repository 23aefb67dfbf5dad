//! What must be so in the ledger when all is over.

use super::ledger::Ledger;

/// A runtime that was killed.
pub(super) struct Death {
    pub(super) pid: u32,
    pub(super) at: i64,
}

/// What was done to a grid.
pub(super) struct Part<'a> {
    pub(super) name: &'a str,
    pub(super) deaths: &'a [Death],
    /// Whether messages arrived all the time, where somebody lived to take them.
    pub(super) is_connected: bool,
    /// Whether there were faults enough for each of their consequences.
    pub(super) is_long: bool,
}

/// An ordinary call may end this much after its deadline: the machine is busy, and the ledger is shared.
const SLACK_MS: i64 = 1500;

/// How soon it has to be known that a runtime has died.
const NOTICED_MS: i64 = 2000;

/// Asserts what was promised, and prints what was counted.
pub(super) fn check(part: &Part<'_>, ledger: &Ledger) {
    let what = part.name;
    for (rule, query) in rules(part) {
        let rows = ledger.rows(&query);
        assert!(rows.is_empty(), "{what}: {rule}: {rows:#?}");
    }
    eprintln!("{what}: {}", summary(ledger));
    let given_up = ledger.count(
        "SELECT count(*) FROM calls JOIN runs ON runs.name = calls.name
         WHERE outcome = 'cancelled'",
    );
    assert!(
        given_up > 0 || !part.is_long,
        "{what}: no call was cancelled"
    );
    let mut noticed: Vec<i64> = part
        .deaths
        .iter()
        .flat_map(|death| noticed(ledger, death))
        .collect();
    noticed.sort_unstable();
    if let Some(longest) = noticed.last() {
        let half = noticed[noticed.len() / 2];
        eprintln!(
            "{what}: {} lost calls, noticed after {half} ms in the middle, {longest} ms at most",
            noticed.len()
        );
        assert!(half < NOTICED_MS, "{noticed:?}");
        assert!(*longest < NOTICED_MS + SLACK_MS, "{noticed:?}");
    } else {
        // Of a few, each may have died between two calls.
        let is_nothing_shown = part.is_long && !part.deaths.is_empty();
        assert!(
            !is_nothing_shown,
            "{what}: no call was lost, so nothing is known"
        );
    }
}

/// What must not be in a ledger: a promise, and the rows that break it.
fn rules(part: &Part<'_>) -> Vec<(&'static str, String)> {
    let mut rules: Vec<(&'static str, String)> = [
        (
            "every durable call has an outcome",
            "SELECT name FROM calls WHERE ended IS NULL",
        ),
        (
            "a durable call with an idempotency key is done",
            "SELECT name, outcome FROM calls WHERE tool = 'pay' AND outcome <> 'done'",
        ),
        (
            "and took effect once",
            "SELECT calls.name, count(keyed.name) FROM calls LEFT JOIN keyed ON keyed.name = calls.name
             WHERE tool = 'pay' GROUP BY calls.name HAVING count(keyed.name) <> 1",
        ),
        (
            "a durable call without one is done, or not known",
            "SELECT name, outcome FROM calls WHERE tool = 'send' AND outcome NOT IN ('done', 'runtime_lost')",
        ),
        (
            "what may not be executed twice was not",
            "SELECT calls.name, count(*) FROM calls JOIN runs ON runs.name = calls.name
             WHERE tool IN ('send', 'post', 'hold') GROUP BY calls.name HAVING count(*) > 1",
        ),
        (
            "and did not take effect twice",
            "SELECT calls.name, count(*) FROM calls JOIN effects ON effects.name = calls.name
             WHERE tool IN ('send', 'post', 'hold') GROUP BY calls.name HAVING count(*) > 1",
        ),
        (
            "what is done took effect",
            "SELECT calls.name FROM calls LEFT JOIN effects ON effects.name = calls.name
             WHERE tool <> 'pay' AND outcome = 'done' AND effects.name IS NULL",
        ),
        (
            "nothing was executed after its deadline",
            "SELECT name, began - deadline FROM runs WHERE began > deadline",
        ),
        (
            "nothing was executed that its caller had given up",
            "SELECT runs.name, runs.began - calls.ended, outcome FROM runs JOIN calls ON runs.name = calls.name
             WHERE tool IN ('post', 'put') AND ended > 0 AND runs.began > calls.ended",
        ),
    ]
    .map(|(rule, query)| (rule, query.to_owned()))
    .to_vec();
    rules.push((
        "every ordinary call has an outcome by its deadline",
        format!(
            "SELECT name, ended - deadline, outcome FROM calls
             WHERE tool IN ('post', 'put', 'hold') AND ended > deadline + {SLACK_MS}"
        ),
    ));
    // Behind a cancellation that takes its time, what was sent before it may begin: until its start-by, a second later.
    rules.push((
        "nothing was begun after it was cancelled",
        format!(
            "SELECT runs.name, runs.began - calls.ended FROM runs JOIN calls ON runs.name = calls.name
             WHERE outcome = 'cancelled' AND runs.began > calls.ended + {SLACK_MS}"
        ),
    ));
    if part.is_connected {
        rules.push((
            "nothing took effect after it was cancelled",
            format!(
                "SELECT effects.name, effects.at - calls.ended FROM effects JOIN calls ON effects.name = calls.name
                 WHERE outcome = 'cancelled' AND effects.at > calls.ended + {SLACK_MS}"
            ),
        ));
        let dead: Vec<String> = part
            .deaths
            .iter()
            .map(|death| death.pid.to_string())
            .collect();
        rules.push((
            "only of what a runtime had begun that died is it not known",
            format!(
                "SELECT calls.name, runs.pid FROM calls JOIN runs ON runs.name = calls.name
                 WHERE tool = 'send' AND outcome = 'runtime_lost' AND pid NOT IN ({})",
                dead.join(", ")
            ),
        ));
    }
    rules
}

/// How long after a death its calls were known to be lost, in milliseconds.
fn noticed(ledger: &Ledger, death: &Death) -> Vec<i64> {
    let query = format!(
        "SELECT calls.ended - {} FROM calls JOIN runs ON runs.name = calls.name
         WHERE outcome = 'runtime_lost' AND tool = 'post' AND runs.pid = {} AND ended >= {}",
        death.at, death.pid, death.at
    );
    let mut statement = ledger.0.prepare(&query).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn summary(ledger: &Ledger) -> String {
    let counts = ledger.rows("SELECT tool, outcome, count(*) FROM calls GROUP BY tool, outcome");
    let executed = ledger.count("SELECT count(*) FROM runs");
    let again = ledger
        .count("SELECT count(*) FROM (SELECT name FROM runs GROUP BY name HAVING count(*) > 1)");
    let unknown = ledger.rows(
        "SELECT tool, count(effects.name), count(*) FROM calls LEFT JOIN effects ON effects.name = calls.name
         WHERE outcome = 'runtime_lost' GROUP BY tool",
    );
    format!(
        "{counts:?}, {executed} executions, {again} calls executed again; not known, of which took effect: {unknown:?}"
    )
}

/// For messages about what takes too long.
pub(super) fn waits_for_calls(ledger: &Ledger) -> String {
    let open = ledger.rows("SELECT name, tool FROM calls WHERE ended IS NULL LIMIT 20");
    format!("{open:?}; {}", summary(ledger))
}

/// A ledger in which all is well, and one for each promise that is broken in it.
#[test]
fn what_breaks_a_promise_is_found() {
    let part = Part {
        name: "nothing",
        deaths: &[Death { pid: 7, at: 1000 }],
        is_connected: true,
        is_long: true,
    };
    let good = "
        INSERT INTO calls VALUES
            ('pay', 'pay', 0, 0, 900, 'done'), ('send', 'send', 0, 0, 900, 'done'),
            ('lost', 'send', 0, 0, 9000, 'runtime_lost'), ('post', 'post', 0, 5000, 900, 'done'),
            ('gone', 'post', 0, 5000, 2500, 'runtime_lost'), ('hold', 'hold', 0, 5000, 200, 'cancelled');
        INSERT INTO keyed VALUES ('1', 'pay');
        INSERT INTO effects VALUES ('2', 'send', 900), ('3', 'lost', 900), ('4', 'post', 900);
        INSERT INTO runs VALUES
            ('pay', 7, 1, 5000), ('pay', 8, 1, 5000), ('send', 8, 1, 5000), ('lost', 7, 1, 5000),
            ('post', 8, 1, 5000), ('gone', 7, 1, 5000), ('hold', 8, 1, 5000);";
    let broken = [
        (
            "has an outcome",
            "UPDATE calls SET ended = NULL WHERE name = 'send'",
        ),
        (
            "key is done",
            "UPDATE calls SET outcome = 'runtime_lost' WHERE name = 'pay'",
        ),
        ("took effect once", "DELETE FROM keyed"),
        ("took effect once", "INSERT INTO keyed VALUES ('9', 'pay')"),
        (
            "done, or not known",
            "UPDATE calls SET outcome = 'late' WHERE name = 'send'",
        ),
        (
            "may not be executed twice",
            "INSERT INTO runs VALUES ('send', 8, 1, 5000)",
        ),
        (
            "take effect twice",
            "INSERT INTO effects VALUES ('9', 'lost', 900)",
        ),
        (
            "done took effect",
            "DELETE FROM effects WHERE name = 'send'",
        ),
        (
            "after its deadline",
            "UPDATE runs SET began = 5001 WHERE name = 'pay'",
        ),
        (
            "had given up",
            "UPDATE runs SET began = 901 WHERE name = 'post'",
        ),
        (
            "by its deadline",
            "UPDATE calls SET ended = 6501 WHERE name = 'gone'",
        ),
        (
            "begun after it was cancelled",
            "UPDATE runs SET began = 1701 WHERE name = 'hold'",
        ),
        (
            "took effect after it was cancelled",
            "INSERT INTO effects VALUES ('9', 'hold', 1701)",
        ),
        ("that died", "UPDATE runs SET pid = 8 WHERE name = 'lost'"),
        (
            "no call was cancelled",
            "DELETE FROM calls WHERE name = 'hold'",
        ),
        ("no call was lost", "DELETE FROM calls WHERE name = 'gone'"),
        (
            "[3501]",
            "UPDATE calls SET ended = 4501 WHERE name = 'gone'",
        ),
    ];
    for (rule, change) in [("", "")].iter().chain(&broken) {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger"));
        ledger.0.execute_batch(good).unwrap();
        ledger.0.execute_batch(change).unwrap();
        let checked =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&part, &ledger)));
        let Err(message) = checked else {
            assert_eq!(*rule, "", "{change}");
            continue;
        };
        let message = message.downcast::<String>().unwrap();
        assert!(
            !rule.is_empty() && message.contains(rule),
            "{change}: {message}"
        );
    }
}
