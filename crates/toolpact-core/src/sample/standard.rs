//! What the parts of a result of a standard type must be, so that they agree with each other.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::json::Writer;
use crate::returns::{Envelope, StandardType};
use crate::schema::Keyword;
use crate::schema::view::View;

use super::make::{Maker, Style};

/// Members of the whole result: their values, or nothing where they must be absent.
pub(super) type Frame = Vec<(&'static str, Option<String>)>;

impl<'v> Maker<'_, 'v> {
    /// A success of a standard type as JSON. If the schema that refines it names a member of the frame,
    /// `prefers_frame` decides which of them makes that member.
    pub(super) fn success(
        &mut self,
        standard: StandardType,
        prefers_frame: bool,
    ) -> Option<String> {
        let root = self.sources.root();
        let mut frame = match standard.envelope() {
            Envelope::None => Vec::new(),
            _ => vec![("success", Some("true".to_owned())), ("error", None)],
        };
        self.needs = standard.envelope().payload();
        let more = self.parts(standard, &root)?;
        let refined = |key: &str| {
            let whole = root.parts().first();
            let named = whole.and_then(|part| part.get(Keyword::Properties)?.member(key));
            named.is_some()
        };
        let is_refined = self.sources.len() > 1;
        frame.extend(more.into_iter().filter(|(key, value)| {
            prefers_frame || !is_refined || value.is_none() || !refined(key)
        }));
        self.frame = frame;
        self.root()
    }

    fn parts(&mut self, standard: StandardType, root: &View<'v>) -> Option<Frame> {
        Some(match standard {
            StandardType::ListResult => self.page(root)?,
            StandardType::BatchResult => self.batch(root)?,
            StandardType::OperationStatus => self.operation(root)?,
            StandardType::FileResult => vec![("file", Some(self.file()))],
            StandardType::MediaResult => vec![("media", Some(self.media()))],
            StandardType::ChunkedData => self.chunk(),
            StandardType::EventStream => vec![("retry", None)],
            StandardType::EntityResult => vec![("relationships", None)],
            _ => Vec::new(),
        })
    }

    /// A page with the items that the schemas ask for, of a list that may have more.
    fn page(&mut self, root: &View<'v>) -> Option<Frame> {
        let data = self.field(root, "data", 0, 0)?;
        let items = crate::json::Value::from_json(&data)
            .ok()?
            .root()
            .items()
            .count();
        let per_page = items.max(10);
        let (page, pages) = match self.upto(3) {
            0 => (1, 2 + self.upto(3)),
            _ => (1, 1),
        };
        let total = match pages {
            1 => items,
            more => (more - 1) * per_page + 1,
        };
        let pages = total.div_ceil(per_page);
        let pagination = object(&[
            ("page", page.to_string()),
            ("per_page", per_page.to_string()),
            ("total", total.to_string()),
            ("total_pages", pages.to_string()),
            ("has_next", (page < pages).to_string()),
            ("has_prev", "false".to_owned()),
        ]);
        Some(vec![("data", Some(data)), ("pagination", Some(pagination))])
    }

    fn batch(&mut self, root: &View<'v>) -> Option<Frame> {
        let items = self.sources.view(self.named(root, "items"));
        let item = self.sources.view(items.rest(Keyword::Items));
        let count = 1 + self.upto(3);
        let mut writer = Writer::default();
        writer.begin_array();
        for number in 0..count {
            let data = self.field(&item, "data", number, 1)?;
            writer.raw(&object(&[
                ("id", string(&format!("item_{}", number + 1))),
                ("success", "true".to_owned()),
                ("data", data),
            ]));
        }
        writer.end_array();
        Some(vec![
            ("batch_id", Some(string(&self.id("batch")))),
            ("total", Some(count.to_string())),
            ("successful", Some(count.to_string())),
            ("failed", Some("0".to_owned())),
            ("items", Some(writer.finish())),
            ("errors", None),
            ("error", None),
            ("success", Some("true".to_owned())),
        ])
    }

    fn operation(&mut self, root: &View<'v>) -> Option<Frame> {
        let at = |minute: usize| Some(string(&format!("2026-01-15T10:{minute:02}:00Z")));
        let last = 1 + self.upto(50);
        let status = ["completed", "running", "pending"][self.upto(3)];
        let mut frame = vec![
            ("operation_id", Some(string(&self.id("op")))),
            ("status", Some(string(status))),
            ("created_at", at(0)),
            ("updated_at", at(last)),
            ("error", None),
        ];
        match status {
            "completed" => {
                frame.push(("result", Some(self.field(root, "result", 0, 0)?)));
                frame.push(("completed_at", at(last)));
                frame.push(("progress", None));
            }
            status => {
                let percent = if status == "running" {
                    1 + self.upto(99)
                } else {
                    0
                };
                let progress = object(&[("percent", percent.to_string())]);
                frame.push(("progress", Some(progress)));
                frame.extend([("result", None), ("completed_at", None)]);
            }
        }
        Some(frame)
    }

    fn file(&mut self) -> String {
        let content = self.id("The content of a file");
        object(&[
            ("name", string(&format!("{}.txt", self.id("file")))),
            ("size", content.len().to_string()),
            ("content_type", string("text/plain")),
            ("data", string(&BASE64_STANDARD.encode(content))),
        ])
    }

    fn media(&mut self) -> String {
        let name = self.id("image");
        object(&[
            ("type", string("image")),
            ("url", string(&format!("https://example.com/{name}.png"))),
            ("format", string("png")),
            (
                "dimensions",
                object(&[("width", "640".to_owned()), ("height", "480".to_owned())]),
            ),
            ("alt_text", string("A picture")),
        ])
    }

    fn chunk(&mut self) -> Frame {
        let total = 1 + self.upto(5);
        let sequence = self.upto(total);
        let content = self.id("The content of a chunk");
        vec![
            ("chunk_id", Some(string(&self.id("chunk")))),
            ("sequence", Some(sequence.to_string())),
            ("total_chunks", Some(total.to_string())),
            ("data", Some(string(&BASE64_STANDARD.encode(content)))),
            ("is_last", Some((sequence + 1 == total).to_string())),
            ("checksum", None),
        ]
    }

    /// A number below this one: 0 in values that are shown.
    fn upto(&mut self, end: usize) -> usize {
        match &mut self.style {
            Style::Shown(_) => 0,
            Style::Random(random, _) => random.below(end),
        }
    }

    fn id(&mut self, of: &str) -> String {
        format!("{of}_{}", 1 + self.upto(100_000))
    }
}

fn string(text: &str) -> String {
    let mut writer = Writer::default();
    writer.string(text);
    writer.finish()
}

fn object(members: &[(&str, String)]) -> String {
    let mut writer = Writer::default();
    writer.begin_object();
    for (key, value) in members {
        writer.key(key).raw(value);
    }
    writer.end_object();
    writer.finish()
}
