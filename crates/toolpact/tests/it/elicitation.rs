//! Tools that have questions, and things to tell.

use crate::support::{call, soon};
use crate::world::{Place as _, leaves_out};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use toolpact::call::{CallLimits, Retries};
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::elicitation::{
    Form, ModelReply, PendingAnswer, Prompt, Question, Responder, Root, UserAnswer, WRONG_ANSWER,
    answer_pending,
};
use toolpact::session::{LogLevel, Update};
use toolpact::{Context, Registry, Session, ToolError, tool};

/// Answers with what it was given, and keeps what it was asked.
struct Scripted {
    answer: UserAnswer<&'static str>,
    asked: Mutex<Vec<String>>,
}

impl Scripted {
    fn new(answer: UserAnswer<&'static str>) -> Self {
        let asked = Mutex::default();
        Self { answer, asked }
    }
}

impl Responder for Scripted {
    fn can_ask(&self, _: Question) -> bool {
        true
    }

    fn ask_user<'a>(
        &'a self,
        name: &'a str,
        form: &'a Form,
    ) -> PendingAnswer<'a, UserAnswer<Value>> {
        let asked = format!("{name}: {} {}", form.message(), form.schema().text());
        self.asked.lock().unwrap().push(asked);
        Box::pin(async {
            Ok(match &self.answer {
                UserAnswer::Given(content) => UserAnswer::Given(Value::from_json(content)?),
                UserAnswer::Declined => UserAnswer::Declined,
                UserAnswer::Dismissed => UserAnswer::Dismissed,
            })
        })
    }

    fn ask_model<'a>(&'a self, _: &'a str, prompt: &'a Prompt) -> PendingAnswer<'a, ModelReply> {
        Box::pin(async { Ok(ModelReply::new(format!("{}?", prompt.text()), "parrot")) })
    }

    fn ask_roots<'a>(&'a self, _: &'a str) -> PendingAnswer<'a, Vec<Root>> {
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
        UserAnswer::Given(Guest { name, people }) => format!("A table for {people}, {name}."),
        UserAnswer::Declined => "No table.".to_owned(),
        UserAnswer::Dismissed => "Nobody there.".to_owned(),
    })
}

/// Says who can be asked, and asks those who can be.
#[tool(opaque)]
async fn around(cx: &Context) -> Result<String, ToolError> {
    let can = [Question::User, Question::Model, Question::Roots].map(|what| cx.can_ask(what));
    let said = cx.ask_model("say", &Prompt::new("Well", 5)).await?;
    let roots = cx.ask_roots("where").await?;
    Ok(format!("{can:?} {} {}", said.text, roots[0].uri))
}

/// Talks while it works.
#[tool(opaque)]
async fn talk(cx: &Context) -> String {
    cx.log(LogLevel::Debug, "one").await;
    cx.log(LogLevel::Error, Value::from_json(r#"{"two": 2}"#).unwrap())
        .await;
    "Done.".to_owned()
}

fn registry() -> Registry {
    let registry = Registry::new();
    registry.place(book::tool()).unwrap();
    registry.place(around::tool()).unwrap();
    registry.place(talk::tool()).unwrap();
    registry
}

fn session() -> Session {
    registry().session().open().unwrap()
}

#[tokio::test]
async fn users_give_decline_and_leave() {
    for (answer, expected) in [
        (
            UserAnswer::Given(r#"{"name": "Ada", "people": 2}"#),
            "A table for 2, Ada.",
        ),
        (UserAnswer::Declined, "No table."),
        (UserAnswer::Dismissed, "Nobody there."),
    ] {
        let call = call("book").answered_by(Scripted::new(answer));
        assert_eq!(session().call(call).await.text(), expected);
    }
}

/// A form says what is asked for, with the words of the type and without its name.
#[tokio::test]
async fn forms_are_made_of_types() {
    let client = Arc::new(Scripted::new(UserAnswer::Declined));
    let call = call("book").answered_by(Arc::clone(&client));
    session().call(call).await;
    let asked = client.asked.lock().unwrap().join("\n");
    let name = r#""name":{"type":"string","description":"As they want to be called."}"#;
    assert!(asked.starts_with("guest: For whom? {"), "{asked}");
    assert!(asked.contains(name), "{asked}");
    assert!(!asked.contains("Guest"), "{asked}");
}

/// What the user gives is held to the form, like everything else, and told to nobody else.
#[tokio::test]
async fn an_answer_that_is_none_is_an_error() {
    let wrong = r#"{"name": "Ada", "people": 300, "pin": "s3cret"}"#;
    let wrong = Scripted::new(UserAnswer::Given(wrong));
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
    impl Responder for Half {
        fn can_ask(&self, what: Question) -> bool {
            what == Question::Model
        }
    }
    let completed = session().call(call("around").answered_by(Half)).await;
    assert_eq!(completed.error().unwrap().kind(), ErrorKind::WrongState);
}

#[tokio::test]
async fn the_client_of_a_call_comes_before_that_of_its_session() {
    let declines = Scripted::new(UserAnswer::Declined);
    let session = registry().session().answered_by(declines).open().unwrap();
    assert_eq!(session.call(call("book")).await.text(), "No table.");
    let other = Scripted::new(UserAnswer::Dismissed);
    let asked = session.call(call("book").answered_by(other)).await;
    assert_eq!(asked.text(), "Nobody there.");
    let again = session.fork().call(call("book")).await;
    assert_eq!(again.text(), "No table.");
    let around = session.call(call("around")).await;
    assert_eq!(around.text(), "[true, true, true] Well? file:///here");
}

/// For what the client of a call cannot be asked, there is that of the session.
#[tokio::test]
async fn clients_answer_for_each_other() {
    struct Mute;
    impl Responder for Mute {
        fn can_ask(&self, _: Question) -> bool {
            false
        }
    }
    let declines = Scripted::new(UserAnswer::Declined);
    let session = registry().session().answered_by(declines).open().unwrap();
    let asked = session.call(call("book").answered_by(Mute)).await;
    assert_eq!(asked.text(), "No table.");
}

/// A client that notes questions, and does not wait for answers.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Responder for Notes {
    fn can_ask(&self, _: Question) -> bool {
        true
    }

    fn ask_user<'a>(&'a self, name: &'a str, _: &'a Form) -> PendingAnswer<'a, UserAnswer<Value>> {
        self.0.lock().unwrap().push(name.to_owned());
        match name {
            "pin" => Box::pin(async { Ok(UserAnswer::Given(Value::from_json(r#"{"pin": 1}"#)?)) }),
            _ => Box::pin(async { Err(answer_pending()) }),
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
        match answer.map(UserAnswer::given) {
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

/// Lets in who knows the pin, and waits for it where nothing can be dropped.
#[tool(opaque)]
fn in_the_way(cx: &Context) -> Result<String, ToolError> {
    let wait = || tokio::runtime::Runtime::new()?.block_on(guess(cx));
    std::thread::scope(|scope| scope.spawn(wait).join()).unwrap()
}

/// A tool ends at a question that is answered later, wherever it runs, and has its place no longer.
#[tokio::test]
async fn a_question_may_be_answered_later() {
    let registry = Registry::new();
    registry.place(on_threads::tool()).unwrap();
    registry.place(on_the_spot::tool()).unwrap();
    registry.place(alone::tool()).unwrap();
    registry.place(in_the_way::tool()).unwrap();
    let limits = CallLimits::default().at_once(1).waiting(0);
    let session = registry.session().limits(limits).open().unwrap();
    for tool in ["on_threads", "on_the_spot", "alone", "in_the_way"] {
        // What blocks its thread gives its place back when it can.
        let rounds = if tool == "in_the_way" { 1 } else { 3 };
        for round in 1..=rounds {
            let notes = Arc::new(Notes::default());
            let call = call(tool).answered_by(Arc::clone(&notes));
            let completed = soon(session.call(call)).await;
            assert!(
                completed.error().unwrap().is_answer_pending(),
                "{completed:?}"
            );
            // The same name again is another question.
            assert_eq!(*notes.0.lock().unwrap(), ["pin", "pin#2"]);
            let metrics = session.get(tool).unwrap().metrics();
            assert_eq!((metrics.questions(), metrics.calls()), (round, 0));
        }
    }
}

/// A question that comes too late does not let the tool go on without an answer.
#[tokio::test]
async fn nobody_goes_on_without_an_answer() {
    /// Asks when it is too late.
    #[tool(opaque)]
    async fn late(cx: &Context) -> String {
        cx.cancelled().await;
        let pin = cx.ask_user::<Pin>("later", "Your pin?").await;
        let went_on = cx.get::<Arc<AtomicBool>>().unwrap();
        went_on.store(true, Ordering::SeqCst);
        format!("{}", pin.is_ok())
    }
    if leaves_out("elicitation::nobody_goes_on_without_an_answer") {
        return;
    }
    let registry = Registry::new();
    registry.place(late::tool()).unwrap();
    let went_on = Arc::new(AtomicBool::new(false));
    let session = registry.session().with(Arc::clone(&went_on));
    let session = session.open().unwrap();
    let cancel = CancellationToken::new();
    let call = call("late")
        .answered_by(Notes::default())
        .cancelled_by(&cancel);
    let (_, ()) = tokio::join!(session.call(call), async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!went_on.load(Ordering::SeqCst));
}

/// What a tool leaves behind does not wait for ever.
#[tokio::test]
async fn a_question_after_the_end_has_no_answer() {
    type Report = Mutex<Option<tokio::sync::oneshot::Sender<bool>>>;
    /// Asks after it is done.
    #[tool(opaque)]
    async fn leaves(cx: &Context) -> String {
        let (cx, report) = (cx.clone(), cx.get::<Report>().unwrap());
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let pin = cx.ask_user::<Pin>("later", "Your pin?").await;
            let report = report.lock().unwrap().take().unwrap();
            let _ = report.send(pin.is_err_and(|error| error.is_answer_pending()));
        });
        "Done.".to_owned()
    }
    if leaves_out("elicitation::a_question_after_the_end_has_no_answer") {
        return;
    }
    let (sender, reported) = tokio::sync::oneshot::channel();
    let registry = Registry::new();
    registry.place(leaves::tool()).unwrap();
    let session = registry.session().with::<Report>(Mutex::new(Some(sender)));
    let session = session.open().unwrap();
    let completed = session
        .call(call("leaves").answered_by(Notes::default()))
        .await;
    assert_eq!(completed.text(), "Done.");
    assert!(soon(reported).await.unwrap());
}

/// Each question of a run has a name that no other has.
#[tokio::test]
async fn names_are_told_apart() {
    /// Asks for the same in many ways.
    #[tool(opaque)]
    async fn mumble(cx: &Context) -> Result<String, ToolError> {
        for name in ["a", "a#2", "a", "toolpact/approval"] {
            cx.ask_model(name, &Prompt::new("Well", 1)).await?;
        }
        Ok("Done.".to_owned())
    }
    #[derive(Default)]
    struct Names(Mutex<Vec<String>>);
    impl Responder for Names {
        fn can_ask(&self, _: Question) -> bool {
            true
        }
        fn ask_model<'a>(&'a self, name: &'a str, _: &'a Prompt) -> PendingAnswer<'a, ModelReply> {
            self.0.lock().unwrap().push(name.to_owned());
            Box::pin(async { Ok(ModelReply::new("Well.", "none")) })
        }
    }
    let names = Arc::new(Names::default());
    let registry = Registry::new();
    registry.place(mumble::tool()).unwrap();
    let session = registry.session().open().unwrap();
    let call = call("mumble").answered_by(Arc::clone(&names));
    assert_eq!(session.call(call).await.text(), "Done.");
    let expected = ["a", "a#2", "a#3", "toolpact/approval#2"];
    assert_eq!(*names.0.lock().unwrap(), expected);
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
        .limits(CallLimits::default().retries(retries))
        .build();
    registry.place(fails::tool()).unwrap();
    let session = registry.session().open().unwrap();
    let notes = Arc::new(Notes::default());
    let call = call("fails").answered_by(Arc::clone(&notes));
    soon(session.call(call)).await;
    assert_eq!(*notes.0.lock().unwrap(), ["pin", "pin", "pin"]);
}

#[tokio::test]
async fn those_who_follow_a_call_read_its_log() {
    let mut running = session().call_streaming(call("talk"));
    let mut read = Vec::new();
    while let Some(update) = running.next().await {
        let Update::Log(line) = update else {
            panic!("{update:?}");
        };
        read.push((line.level, line.message.text().to_owned()));
    }
    let expected = [
        (LogLevel::Debug, "\"one\"".to_owned()),
        (LogLevel::Error, "{\"two\": 2}".to_owned()),
    ];
    assert_eq!(read, expected);
    assert_eq!(running.finish().await.text(), "Done.");
    // Nobody has to.
    assert_eq!(session().call(call("talk")).await.text(), "Done.");
}

#[test]
fn levels_have_their_names() {
    for level in LogLevel::ALL {
        assert_eq!(LogLevel::from_name(level.name()), Some(level));
    }
    assert_eq!(LogLevel::from_name("loud"), None);
    assert!(LogLevel::ALL.is_sorted());
}
