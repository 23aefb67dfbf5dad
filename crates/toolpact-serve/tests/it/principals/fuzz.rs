//! Tries of principals to get at what others have.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value as Json, json};

use super::{House, NAMES, NAMESAKES, read};
use crate::support::PATIENCE;

/// What a principal has.
struct Belongings {
    who: &'static str,
    /// A session over REST, with a result that was cut.
    session: String,
    /// A session over MCP, in which a call runs.
    mcp: String,
    /// The state of a call that has asked something.
    state: String,
    /// The id of a call whose events can be resumed.
    events: String,
    /// The number of an operation.
    work: String,
    /// A call that is authorized and not reported.
    authorization: String,
    _running: reqwest::Response,
}

impl Belongings {
    async fn of(house: &House, who: &'static str) -> Self {
        let (_, opened) = house.post(who, "/v1/sessions", &json!({})).await;
        let opened: Json = serde_json::from_str(&opened).unwrap();
        let session = opened["session"].as_str().unwrap().to_owned();
        let talk = json!({"name": "talk", "view": "text", "session": session});
        let (_, said) = house.post(who, "/v1/call", &talk).await;
        assert!(said.contains("result_1"), "{said}");
        let mcp = house.begin(who).await;
        let params = json!({"name": "wait", "arguments": {}});
        let wait = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
        let running = house
            .mcp(who, &wait, &[("mcp-session-id", &mcp)])
            .send()
            .await;
        let (_, asked) = house
            .modern(who, &json!({"name": "ask", "arguments": {}}))
            .await;
        let state = asked["result"]["requestState"].as_str().unwrap().to_owned();
        let events = format!("events-of-{who}");
        let watch = house.request(who, Method::POST, "/v1/call");
        let watch = watch
            .header("accept", "text/event-stream")
            .body(watching(&events));
        let mut watched = watch.send().await.unwrap();
        let heard = tokio::time::timeout(PATIENCE, watched.chunk())
            .await
            .unwrap();
        let heard = heard.unwrap().unwrap();
        let heard = String::from_utf8_lossy(&heard);
        assert!(heard.contains("id: 1\n"), "{heard}");
        let (_, begun) = house.post(who, "/v1/call", &json!({"name": "begin"})).await;
        let work = begun.trim().trim_matches('"').to_owned();
        let (_, allowed) = house
            .post(who, "/v1/authorizations", &json!({"name": "who"}))
            .await;
        let allowed: Json = serde_json::from_str(&allowed).unwrap();
        let authorization = allowed["authorization"].as_str().unwrap().to_owned();
        Self {
            who,
            session,
            mcp,
            state,
            events,
            work,
            authorization,
            _running: running.unwrap(),
        }
    }

    /// The same names for what nobody has.
    fn of_nobody(number: u64) -> [String; 6] {
        [
            format!("{number:032x}"),
            format!("{number:032x}"),
            format!("AAAA{number:032x}"),
            format!("events-of-{number}"),
            format!("{}", 1_000_000 + number),
            format!("{number:032x}"),
        ]
    }

    fn names(&self) -> [String; 6] {
        let names = [
            &self.session,
            &self.mcp,
            &self.state,
            &self.events,
            &self.work,
            &self.authorization,
        ];
        names.map(Clone::clone)
    }
}

fn watching(id: &str) -> String {
    json!({"name": "watch", "id": id}).to_string()
}

/// How many ways there are to try.
const WAYS: u64 = 28;

/// Tries to use what these names stand for.
#[allow(clippy::too_many_lines, reason = "a table, which grows")]
async fn attempt(house: &House, who: &str, way: u64, names: &[String; 6]) -> (u16, String) {
    let [session, mcp, state, events, work, authorization] = names;
    let of_work = json!({"number": work});
    let in_session = |body: Json, more: &[(&str, &str)]| {
        let headers = [&[("mcp-session-id", mcp.as_str())], more].concat();
        house.mcp(who, &body, &headers).send()
    };
    let rpc = |method: &str, params: Json| json!({"jsonrpc": "2.0", "id": 9, "method": method, "params": params});
    let stream = |last: Option<&str>| {
        let get = house.request(who, Method::GET, "/mcp");
        let get = get
            .header("accept", "text/event-stream")
            .header("mcp-session-id", mcp);
        match last {
            Some(last) => get.header("last-event-id", last).send(),
            None => get.send(),
        }
    };
    let call = json!({"name": "who", "session": session});
    let response = match way {
        0 => return house.post(who, "/v1/call", &call).await,
        1 => {
            let body = json!({"calls": [{"name": "who"}], "session": session});
            return house.post(who, "/v1/batch", &body).await;
        }
        2 => {
            let body = json!({"steps": [{"id": "s", "tool": "who"}], "session": session});
            return house.post(who, "/v1/plan", &body).await;
        }
        3 => {
            let body = json!({"steps": [{"tool": "who"}], "session": session, "check": true});
            return house.post(who, "/v1/plan", &body).await;
        }
        4 | 5 => {
            let from = way - 4;
            let path = format!("/v1/results/result_1?session={session}&from={from}");
            house.request(who, Method::GET, &path).send().await
        }
        6 => {
            let path = format!("/v1/sessions/{session}");
            house.request(who, Method::DELETE, &path).send().await
        }
        7 => {
            let request = house.request(who, Method::POST, "/v1/call");
            let request = request
                .header("accept", "text/event-stream")
                .body(call.to_string());
            request.send().await
        }
        8 => {
            in_session(
                rpc("tools/call", json!({"name": "who", "arguments": {}})),
                &[],
            )
            .await
        }
        9 => in_session(rpc("tools/list", json!({})), &[]).await,
        10 => stream(None).await,
        11 => stream(Some("0/1")).await,
        12 => {
            let delete = house.request(who, Method::DELETE, "/mcp");
            delete.header("mcp-session-id", mcp).send().await
        }
        13 => {
            let method = "notifications/cancelled";
            let body = json!({"jsonrpc": "2.0", "method": method, "params": {"requestId": 7}});
            in_session(body, &[]).await
        }
        14 => {
            let body = json!({"jsonrpc": "2.0", "id": "q1", "result": {"action": "accept"}});
            in_session(body, &[]).await
        }
        15 => {
            let answers = json!({"word": {"action": "accept", "content": {"word": "mine"}}});
            let params = json!({
                "name": "ask", "arguments": {}, "requestState": state, "inputResponses": answers,
            });
            let (status, said) = house.modern(who, &params).await;
            return (status, said.to_string());
        }
        17 => in_session(rpc("logging/setLevel", json!({"level": "debug"})), &[]).await,
        18 => in_session(rpc("ping", json!({})), &[]).await,
        19 => stream(Some("1/1")).await,
        20 | 21 => {
            let name = if way == 20 { "poll" } else { "chunk" };
            return house
                .post(who, "/v1/call", &json!({"name": name, "args": of_work}))
                .await;
        }
        22 => {
            let calls =
                json!([{"name": "poll", "args": of_work}, {"name": "chunk", "args": of_work}]);
            return house.post(who, "/v1/batch", &json!({"calls": calls})).await;
        }
        23 => {
            let steps = json!([{"id": "s", "tool": "chunk", "args": of_work}]);
            return house.post(who, "/v1/plan", &json!({"steps": steps})).await;
        }
        24 => {
            let params = json!({"name": "chunk", "arguments": of_work});
            let (status, said) = house.modern(who, &params).await;
            return (status, said.to_string());
        }
        25 | 26 => {
            let (result, error) = (
                json!("mine"),
                json!({"code": "INTERNAL_ERROR", "message": "mine"}),
            );
            let report = if way == 25 {
                json!({"result": result})
            } else {
                json!({"error": error})
            };
            let path = format!("/v1/authorizations/{authorization}");
            return house.post(who, &path, &report).await;
        }
        27 => return house.post(who, "/v1/authorizations", &call).await,
        _ => {
            let request = house.request(who, Method::POST, "/v1/call");
            let request = request.header("accept", "text/event-stream");
            request
                .header("last-event-id", "1")
                .body(watching(events))
                .send()
                .await
        }
    };
    read(response.unwrap()).await
}

/// Chance that is the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

const TRIES: u64 = 3400;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_gets_at_what_others_have() {
    let house = House::open().await;
    let everybody = NAMES.into_iter().chain(NAMESAKES).chain(["anonymous"]);
    let mut all = Vec::new();
    for who in everybody {
        all.push(Belongings::of(&house, who).await);
    }
    let mut chance = Chance(0x5eed_2026);
    let (mut got_in, mut tries) = (Vec::new(), [0; 28]);
    for number in 0..TRIES {
        let owner = &all[usize::try_from(chance.below(6)).unwrap()];
        let others: Vec<&str> = { all.iter() }
            .map(|one| one.who)
            .filter(|who| *who != owner.who)
            .collect();
        let who = others[usize::try_from(chance.below(5)).unwrap()];
        let way = chance.below(WAYS);
        tries[usize::try_from(way).unwrap()] += 1;
        let answer = attempt(&house, who, way, &owner.names()).await;
        let of_nothing = attempt(&house, who, way, &Belongings::of_nobody(number)).await;
        if answer != of_nothing {
            got_in.push(format!(
                "{who} at {}, way {way}: {answer:?}, not {of_nothing:?}",
                owner.who
            ));
        }
    }
    assert_eq!(got_in, Vec::<String>::new(), "of {TRIES}");
    assert!(tries.iter().all(|tries| *tries > 20), "{tries:?}");
    eprintln!("{TRIES} tries in {WAYS} ways, 0 got in: {tries:?}");

    // It is all still there, and its owner gets at it in each of these ways. What ends something comes last.
    for owner in &all {
        let of_work = [20, 21, 22, 23, 24];
        // An authorization is reported once, so nobody else has.
        let others = [
            25, 27, 0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 15, 16, 17, 18, 13, 14, 6, 12,
        ];
        for way in of_work.into_iter().chain(others) {
            let (status, said) = attempt(&house, owner.who, way, &owner.names()).await;
            assert!(
                (200..300).contains(&status),
                "{} by way {way}: {status} {said}",
                owner.who
            );
            let shown = match owner.who {
                "ada of the issuer" => "ada",
                "ada of acme" => "ada@acme",
                who => who,
            };
            let own = format!("secret of {shown}");
            match way {
                20 => assert!(said.contains(&own), "{said}"),
                21..=24 => assert!(!said.contains("There is no such"), "{said}"),
                4 | 5 => assert!(said.contains(&own[1..]), "{said}"),
                25 => assert_eq!(said.trim(), "\"mine\""),
                15 => assert!(said.contains(&format!("{shown}: mine")), "{said}"),
                _ => {}
            }
        }
        tokio::time::timeout(PATIENCE, async {
            while attempt(&house, owner.who, 9, &owner.names()).await.0 != 404 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await
        .unwrap();
    }
}
