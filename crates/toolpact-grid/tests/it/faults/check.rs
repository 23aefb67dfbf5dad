//! What must be so in the ledger when all is over.

use super::ledger::Ledger;

/// A runtime that was killed.
pub(super) struct Death {
    pub(super) pid: u32,
    pub(super) at: i64,
}

/// An ordinary call may end this much after its deadline: the machine is busy, and the ledger is shared.
const SLACK_MS: i64 = 1500;

/// Asserts what was promised, and prints what was counted.
pub(super) fn check(what: &str, ledger: &Ledger, deaths: &[Death]) {
    let nothing = |rule: &str, query: &str| {
        let rows = ledger.rows(query);
        assert!(rows.is_empty(), "{what}: {rule}: {rows:#?}");
    };
    nothing(
        "every durable call has an outcome",
        "SELECT name FROM calls WHERE ended IS NULL",
    );
    nothing(
        "a durable call with an idempotency key is done",
        "SELECT name, outcome FROM calls WHERE tool = 'pay' AND outcome <> 'done'",
    );
    nothing(
        "and took effect once",
        "SELECT calls.name, count(keyed.name) FROM calls LEFT JOIN keyed ON keyed.name = calls.name
         WHERE tool = 'pay' GROUP BY calls.name HAVING count(keyed.name) <> 1",
    );
    nothing(
        "a durable call without one is done, or not known",
        "SELECT name, outcome FROM calls WHERE tool = 'send' AND outcome NOT IN ('done', 'runtime_lost')",
    );
    nothing(
        "no call that is not idempotent took effect twice",
        "SELECT calls.name, count(*) FROM calls JOIN effects ON effects.name = calls.name
         WHERE tool IN ('send', 'post') GROUP BY calls.name HAVING count(*) > 1",
    );
    nothing(
        "what is done took effect",
        "SELECT calls.name FROM calls LEFT JOIN effects ON effects.name = calls.name
         WHERE tool <> 'pay' AND outcome = 'done' AND effects.name IS NULL",
    );
    nothing(
        "every ordinary call has an outcome by its deadline",
        &format!(
            "SELECT name, ended - deadline, outcome FROM calls
             WHERE tool IN ('post', 'put') AND ended > deadline + {SLACK_MS}"
        ),
    );
    nothing(
        "nothing was executed after its deadline",
        "SELECT name, began - deadline FROM runs WHERE began > deadline",
    );
    nothing(
        "nothing was executed that its caller had given up",
        "SELECT runs.name, runs.began - calls.ended, outcome FROM runs JOIN calls ON runs.name = calls.name
         WHERE tool IN ('post', 'put') AND ended > 0 AND runs.began > calls.ended",
    );
    eprintln!("{what}: {}", summary(ledger));
    let mut noticed: Vec<i64> = deaths
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
        assert!(*longest < 2000 + SLACK_MS, "{noticed:?}");
    }
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
    format!("{counts:?}, {executed} executions, {again} calls executed again")
}

/// For messages about what takes too long.
pub(super) fn waits_for_calls(ledger: &Ledger) -> String {
    let open = ledger.rows("SELECT name, tool FROM calls WHERE ended IS NULL LIMIT 20");
    format!("{open:?}; {}", summary(ledger))
}
