//! Tools that have questions, and things to tell.

use crate::support::{call, soon};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Mutex;
use std::time::Duration;
use toolpact::ask::{Answer, Ask, Client, Form, Pending, Prompt, Root, Said, WRONG_ANSWER, later};
use toolpact::call::{Limits, Retries};
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::session::{Level, Update};
use toolpact::{Context, Registry, Session, ToolError, tool};

/// Answers with what it was given, and keeps what it was asked.
struct Scripted {
    answer: Answer<&'static str>,
    asked: Mutex<Vec<String>>,
}

impl Scripted {
    fn new(answer: Answer<&'static str>) -> Self {
        let asked = Mutex::default();
        Self { answer, asked }
    }
}

impl Client for Scripted {
    fn can_ask(&self, _: Ask) -> bool {
        true
    }

    fn ask_user<'a>(&'a self, name: &'a str, form: &'a Form) -> Pending<'a, Answer<Value>> {
        let asked = format!("{name}: {} {}", form.message(), form.schema().text());
        self.asked.lock().unwrap().push(asked);
        Box::pin(async {
            Ok(match &self.answer {
                Answer::Given(content) => Answer::Given(Value::from_json(content)?),
                Answer::Declined => Answer::Declined,
                Answer::Dismissed => Answer::Dismissed,
            })
        })
    }

    fn ask_model<'a>(&'a self, _: &'a str, prompt: &'a Prompt) -> Pending<'a, Said> {
        Box::pin(async { Ok(Said::new(format!("{}?", prompt.text()), "parrot")) })
    }

    fn ask_roots<'a>(&'a self, _: &'a str) -> Pending<'a, Vec<Root>> {
        Box::pin(async { Ok(vec![Root::new("file:///here", None)]) })
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Guest {
    /// As they want to be called.
    name: String,
    /// How many come.
    people: u8,
}

/// Books a table.
#[tool(opaque)]
async fn book(cx: &Context) -> Result<String, ToolError> {
    Ok(match cx.ask_user::<Guest>("guest", "For whom?").await? {
        Answer::Given(Guest { name, people }) => format!("A table for {people}, {name}."),
        Answer::Declined => "No table.".to_owned(),
        Answer::Dismissed => "Nobody there.".to_owned(),
    })
}

/// Says who can be asked, and asks those who can be.
#[tool(opaque)]
async fn around(cx: &Context) -> Result<String, ToolError> {
    let can = [Ask::User, Ask::Model, Ask::Roots].map(|what| cx.can_ask(what));
    let said = cx.ask_model("say", &Prompt::new("Well", 5)).await?;
    let roots = cx.ask_roots("where").await?;
    Ok(format!("{can:?} {} {}", said.text, roots[0].uri))
}

/// Talks while it works.
#[tool(opaque)]
async fn talk(cx: &Context) -> String {
    cx.log(Level::Debug, "one").await;
    cx.log(Level::Error, Value::from_json(r#"{"two": 2}"#).unwrap())
        .await;
    "Done.".to_owned()
}

fn registry() -> Registry {
    let registry = Registry::new();
    registry.add(book::tool()).unwrap();
    registry.add(around::tool()).unwrap();
    registry.add(talk::tool()).unwrap();
    registry
}

fn session() -> Session {
    registry().session().open().unwrap()
}

#[tokio::test]
async fn users_give_decline_and_leave() {
    for (answer, expected) in [
        (
            Answer::Given(r#"{"name": "Ada", "people": 2}"#),
            "A table for 2, Ada.",
        ),
        (Answer::Declined, "No table."),
        (Answer::Dismissed, "Nobody there."),
    ] {
        let call = call("book").answered_by(Scripted::new(answer));
        assert_eq!(session().call(call).await.text(), expected);
    }
}

/// A form says what is asked for, with the words of the type and without its name.
#[tokio::test]
async fn forms_are_made_of_types() {
    let client = std::sync::Arc::new(Scripted::new(Answer::Declined));
    let call = call("book").answered_by(std::sync::Arc::clone(&client));
    session().call(call).await;
    let asked = client.asked.lock().unwrap().join("\n");
    let name = r#""name":{"description":"As they want to be called.","type":"string"}"#;
    assert!(asked.starts_with("guest: For whom? {"), "{asked}");
    assert!(asked.contains(name), "{asked}");
    assert!(!asked.contains("Guest"), "{asked}");
}

/// What the user gives is held to the form, like everything else, and told to nobody else.
#[tokio::test]
async fn an_answer_that_is_none_is_an_error() {
    let wrong = r#"{"name": "Ada", "people": 300, "pin": "s3cret"}"#;
    let wrong = Scripted::new(Answer::Given(wrong));
    let completed = session().call(call("book").answered_by(wrong)).await;
    let error = completed.error().unwrap();
    assert_eq!(error.code(), WRONG_ANSWER);
    let expected = "The answer to `guest` is not what was asked for: value-range at /people.";
    assert_eq!(error.message(), expected);
    assert!(!format!("{error:?}").contains("300"));
}

#[tokio::test]
async fn nobody_can_be_asked_without_a_client() {
    let completed = session().call(call("book")).await;
    assert_eq!(completed.error().unwrap().kind(), ErrorKind::WrongState);
    let completed = session().call(call("around")).await;
    let expected = "The tool has a question for a model, and whoever called it cannot pass it on.";
    assert_eq!(completed.error().unwrap().message(), expected);
}

/// A client need not be able to do everything.
#[tokio::test]
async fn what_a_client_does_not_say_it_cannot() {
    struct Half;
    impl Client for Half {
        fn can_ask(&self, what: Ask) -> bool {
            what == Ask::Model
        }
    }
    let completed = session().call(call("around").answered_by(Half)).await;
    assert_eq!(completed.error().unwrap().kind(), ErrorKind::WrongState);
}

#[tokio::test]
async fn the_client_of_a_call_comes_before_that_of_its_session() {
    let declines = Scripted::new(Answer::Declined);
    let session = registry().session().answered_by(declines).open().unwrap();
    assert_eq!(session.call(call("book")).await.text(), "No table.");
    let other = Scripted::new(Answer::Dismissed);
    let asked = session.call(call("book").answered_by(other)).await;
    assert_eq!(asked.text(), "Nobody there.");
    let again = session.again().call(call("book")).await;
    assert_eq!(again.text(), "No table.");
    let around = session.call(call("around")).await;
    assert_eq!(around.text(), "[true, true, true] Well? file:///here");
}

/// For what the client of a call cannot be asked, there is that of the session.
#[tokio::test]
async fn clients_answer_for_each_other() {
    struct Mute;
    impl Client for Mute {
        fn can_ask(&self, _: Ask) -> bool {
            false
        }
    }
    let declines = Scripted::new(Answer::Declined);
    let session = registry().session().answered_by(declines).open().unwrap();
    let asked = session.call(call("book").answered_by(Mute)).await;
    assert_eq!(asked.text(), "No table.");
}

/// A client that notes questions, and does not wait for answers.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Client for Notes {
    fn can_ask(&self, _: Ask) -> bool {
        true
    }

    fn ask_user<'a>(&'a self, name: &'a str, _: &'a Form) -> Pending<'a, Answer<Value>> {
        self.0.lock().unwrap().push(name.to_owned());
        match name {
            "pin" => Box::pin(async { Ok(Answer::Given(Value::from_json(r#"{"pin": 1}"#)?)) }),
            _ => Box::pin(async { Err(later()) }),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
struct Pin {
    pin: u16,
}

async fn guess(cx: &Context) -> Result<String, ToolError> {
    loop {
        // What a tool makes of errors does not count: there is none.
        let answer = cx.ask_user::<Pin>("pin", "Your pin?").await;
        match answer.map(Answer::given) {
            Ok(Some(Pin { pin: 7 })) => return Ok("Right.".to_owned()),
            Ok(_) => {}
            Err(error) => return Ok(format!("Never mind: {error}")),
        }
    }
}

/// Lets in who knows the pin.
#[tool(opaque)]
async fn on_threads(cx: &Context) -> Result<String, ToolError> {
    guess(cx).await
}

/// Lets in who knows the pin.
#[tool(opaque, inline)]
async fn on_the_spot(cx: &Context) -> Result<String, ToolError> {
    guess(cx).await
}

/// Lets in who knows the pin.
#[tool(opaque, blocking)]
async fn alone(cx: &Context) -> Result<String, ToolError> {
    guess(cx).await
}

/// A tool ends at a question that is answered later, wherever it runs, and has its place no longer.
#[tokio::test]
async fn a_question_may_be_answered_later() {
    let registry = Registry::new();
    registry.add(on_threads::tool()).unwrap();
    registry.add(on_the_spot::tool()).unwrap();
    registry.add(alone::tool()).unwrap();
    let limits = Limits::default().at_once(1).waiting(0);
    let session = registry.session().limits(limits).open().unwrap();
    for tool in ["on_threads", "on_the_spot", "alone"] {
        for round in 1..=3 {
            let notes = std::sync::Arc::new(Notes::default());
            let call = call(tool).answered_by(std::sync::Arc::clone(&notes));
            let completed = soon(session.call(call)).await;
            assert!(completed.error().unwrap().is_later(), "{completed:?}");
            // The same name again is another question.
            assert_eq!(*notes.0.lock().unwrap(), ["pin", "pin#2"]);
            let metrics = session.get(tool).unwrap().metrics();
            assert_eq!((metrics.questions(), metrics.calls()), (round, 0));
        }
    }
}

/// What was answered is not asked again when a tool is tried again: the names are the same.
#[tokio::test]
async fn retries_ask_the_same_questions() {
    /// Fails when it knows enough.
    #[tool(opaque, idempotent)]
    async fn fails(cx: &Context) -> Result<String, ToolError> {
        cx.ask_user::<Pin>("pin", "Your pin?").await?;
        Err(ToolError::unavailable("Not now."))
    }
    let retries = Retries::new(2, Duration::from_millis(1));
    let registry = Registry::builder()
        .limits(Limits::default().retries(retries))
        .build();
    registry.add(fails::tool()).unwrap();
    let session = registry.session().open().unwrap();
    let notes = std::sync::Arc::new(Notes::default());
    let call = call("fails").answered_by(std::sync::Arc::clone(&notes));
    soon(session.call(call)).await;
    assert_eq!(*notes.0.lock().unwrap(), ["pin", "pin", "pin"]);
}

#[tokio::test]
async fn those_who_follow_a_call_read_its_log() {
    let mut running = session().call_listening(call("talk"));
    let mut read = Vec::new();
    while let Some(update) = running.next().await {
        let Update::Log(line) = update else {
            panic!("{update:?}");
        };
        read.push((line.level, line.message.text().to_owned()));
    }
    let expected = [
        (Level::Debug, "\"one\"".to_owned()),
        (Level::Error, "{\"two\": 2}".to_owned()),
    ];
    assert_eq!(read, expected);
    assert_eq!(running.finish().await.text(), "Done.");
    // Nobody has to.
    assert_eq!(session().call(call("talk")).await.text(), "Done.");
}

#[test]
fn levels_have_their_names() {
    for level in Level::ALL {
        assert_eq!(Level::from_name(level.name()), Some(level));
    }
    assert_eq!(Level::from_name("loud"), None);
    assert!(Level::ALL.is_sorted());
}
