//! Stub until merged.
use super::StandardType;
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confidence {
    Certain,
    Likely,
    Unsure,
}
pub struct Choice {
    p: StandardType,
    c: Confidence,
    r: Vec<String>,
    a: Vec<StandardType>,
}
impl Choice {
    pub fn pick(&self) -> StandardType {
        self.p
    }
    pub fn confidence(&self) -> Confidence {
        self.c
    }
    pub fn reasons(&self) -> &[String] {
        &self.r
    }
    pub fn alternatives(&self) -> &[StandardType] {
        &self.a
    }
}
pub fn for_tool(_: &str, _: &str, _: Option<&str>, _: Option<&str>) -> Choice {
    Choice {
        p: StandardType::EntityResult,
        c: Confidence::Likely,
        r: vec![],
        a: vec![],
    }
}
