use super::{Rule, Subject::CallTo, value::WEATHER};

rules! {
    UNKNOWN_FUNCTION = Rule::error("unknown-function", "A call must name a function that is declared.")
        .because("Names are compared exactly, case included (ADM 3.4.3).")
        .shown(
            CallTo(WEATHER),
            br#"{"name": "getWeather", "args": {"city": "Oslo"}}"#,
            br#"{"name": "get_weather", "args": {"city": "Oslo"}}"#,
        );
}
