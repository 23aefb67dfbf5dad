use schemars::SchemaGenerator;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::content::{self, Bytes};
use super::envelope::{self, outcome_methods};
use super::refine;
use super::result_node::ResultNode;
use super::wire::standard_result;
use crate::Error;
use crate::returns::StandardError;

/// A file, or an error.
///
/// ```
/// use toolpact_core::returns::types::{File, FileResult};
///
/// let result = FileResult::success(File::from_bytes("a.txt", b"Hello".to_vec())?.with_content_type("text/plain"));
/// assert_eq!(
///     serde_json::to_string(&result)?,
///     r#"{"success":true,"file":{"name":"a.txt","size":5,"content_type":"text/plain","data":"SGVsbG8=","checksum":{"algorithm":"sha256","value":"185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969"}}}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FileResult {
    outcome: Result<File, StandardError>,
}

standard_result!(FileResult);

/// A file: its content, or its address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct File {
    name: Box<str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_type: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Bytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checksum: Option<Checksum>,
}

/// A checksum and its algorithm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checksum {
    algorithm: Box<str>,
    value: Box<str>,
}

impl FileResult {
    /// A success.
    #[must_use]
    pub fn success(file: File) -> Self {
        Self::from_outcome(Ok(file))
    }

    outcome_methods!(File);

    fn from_outcome(outcome: Result<File, StandardError>) -> Self {
        Self { outcome }
    }

    fn wire(&self) -> impl Serialize {
        #[derive(Serialize)]
        struct Payload<'a> {
            file: &'a File,
        }
        envelope::wire(&self.outcome, |file| Payload { file })
    }

    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let outcome = envelope::read(part, &["file"], |part| File::read(&part.require("file")?))?;
        Ok(Self { outcome })
    }

    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        vec![
            json!({"properties": {"file": {
                "required": ["name"],
                "anyOf": [{"required": ["url"]}, {"required": ["data"]}],
                "properties": {
                    "name": {"minLength": 1},
                    "size": {"minimum": 0},
                    "checksum": {"required": ["algorithm", "value"]},
                },
            }}}),
            refine::envelope(generator, &["file"], &["file"]),
        ]
    }
}

impl File {
    /// A file with its content. Size and checksum are computed. The name must not be empty.
    pub fn from_bytes(name: &str, content: impl Into<Box<[u8]>>) -> Result<Self, Error> {
        let data = Bytes(content.into());
        Ok(Self {
            size: Some(data.size()),
            checksum: Some(Checksum::new("sha256", &data.sha256())),
            data: Some(data),
            ..Self::named(name)?
        })
    }

    /// A file at an address, which must be an absolute URI. The name must not be empty.
    pub fn from_url(name: &str, url: &str) -> Result<Self, Error> {
        Ok(Self {
            url: Some(content::uri(url)?),
            ..Self::named(name)?
        })
    }

    /// Adds the content type: `application/pdf`.
    #[must_use]
    pub fn with_content_type(mut self, content_type: &str) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// Adds the address.
    pub fn with_url(mut self, url: &str) -> Result<Self, Error> {
        self.url = Some(content::uri(url)?);
        Ok(self)
    }

    /// Adds the size and the checksum of content that is not included. For included content they
    /// are already known and not changed.
    #[must_use]
    pub fn with_remote(mut self, size: u64, checksum: Checksum) -> Self {
        if self.data.is_none() {
            self.size = Some(size);
            self.checksum = Some(checksum);
        }
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Its content type.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// Its content.
    #[must_use]
    pub fn content(&self) -> Option<&[u8]> {
        self.data.as_ref().map(|data| &*data.0)
    }

    /// Its checksum.
    #[must_use]
    pub fn checksum(&self) -> Option<&Checksum> {
        self.checksum.as_ref()
    }

    fn named(name: &str) -> Result<Self, Error> {
        if name.is_empty() {
            return Err(Error::at("name", "expected a name that is not empty"));
        }
        Ok(Self {
            name: name.into(),
            size: None,
            content_type: None,
            url: None,
            data: None,
            checksum: None,
        })
    }

    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        content::require_content(&part)?;
        let data = part.optional("data", Bytes::read)?;
        Ok(Self {
            name: part.require("name")?.filled()?,
            size: content::read_size(&part, data.as_ref())?,
            content_type: part.optional("content_type", ResultNode::text)?,
            url: part.optional("url", content::read_uri)?,
            data,
            checksum: part.optional("checksum", Checksum::read)?,
        })
    }
}

impl Checksum {
    /// A checksum.
    #[must_use]
    pub fn new(algorithm: &str, value: &str) -> Self {
        Self {
            algorithm: algorithm.into(),
            value: value.into(),
        }
    }

    /// The algorithm: `sha256`.
    #[must_use]
    pub fn algorithm(&self) -> &str {
        &self.algorithm
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        Ok(Self {
            algorithm: part.require("algorithm")?.text()?,
            value: part.require("value")?.text()?,
        })
    }
}
