//! Tools that have questions, and things to tell.

use crate::support::call;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Mutex;
use toolpact::ask::{Answer, Ask, Client, Form, Pending, Prompt, Root, Said};
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
    assert_eq!(error.kind(), ErrorKind::DependencyFailed);
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
