//! Documents made of all tools: each is made once for each change of the tools, off the threads that answer
//! requests, and whoever asks for it meanwhile waits for the same one.

use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use axum::response::{IntoResponse, Response};
use http::header::{ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, StatusCode};
use sha2::{Digest as _, Sha256};
use tokio::sync::{OnceCell, Semaphore};
use toolpact::background;
use toolpact::core::contract::Contract;
use toolpact::core::dialect::Dialect;
use toolpact::core::memory::{MemoryBudget, MemoryShare};
use toolpact::core::model::ToolName;
use toolpact::core::returns::ErrorKind;
use toolpact::{Principal, Session};
use toolpact_http::held_bytes;

use super::App;
use super::reply::Failure;
use super::route::{Operation, Output};

/// What of the memory for documents those may take that are kept. The rest is for older ones that are not sent yet.
const KEPT_PART: usize = 2;

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Contracts,
    OpenApi,
    Python,
    TypeScript,
    Export(Dialect),
    Docs,
    /// The list of tools of the page for people.
    ToolList,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Contracts => "contracts",
            Kind::OpenApi => "openapi",
            Kind::Python => "python",
            Kind::TypeScript => "typescript",
            Kind::Export(dialect) => dialect.as_str(),
            Kind::Docs => "docs",
            Kind::ToolList => "page",
        }
    }
}

pub(super) type Made = Result<Vec<u8>, &'static str>;

/// The documents of the tools as they are.
pub(crate) struct Documents {
    kept: Mutex<Kept>,
    /// One is made at a time: each takes much memory while it is made.
    making: Arc<Semaphore>,
    /// How many of each kind have been made.
    made: Mutex<BTreeMap<&'static str, u64>>,
    memory: Arc<MemoryBudget>,
}

/// Most different choices of tools that principals see whose documents are kept.
const KEPT_VIEWS: usize = 64;

#[derive(Default)]
struct Kept {
    /// How often the tools had changed.
    generation: u64,
    /// Principals who see the same tools have the same documents.
    views: Vec<View>,
}

struct View {
    session: Session,
    documents: HashMap<Kind, Arc<OnceCell<Document>>>,
}

impl Kept {
    fn view(&mut self, session: &Session) -> &mut View {
        let same = |view: &View| view.session.sees_same(session);
        let place = self.views.iter().position(same).unwrap_or_else(|| {
            if self.views.len() >= KEPT_VIEWS {
                self.views.remove(0);
            }
            self.views.push(View {
                session: session.clone(),
                documents: HashMap::new(),
            });
            self.views.len() - 1
        });
        &mut self.views[place]
    }

    fn bytes(&self) -> usize {
        let places = self.views.iter().flat_map(|view| view.documents.values());
        places
            .map(|place| place.get().map_or(0, |d| d.bytes.len()))
            .sum()
    }

    /// A document that was made, and one of this kind only if there is no other.
    fn first_to_go(&self, last: Kind) -> Option<(usize, Kind)> {
        let made = self.views.iter().enumerate().flat_map(|(place, view)| {
            let made = view.documents.iter().filter(|(_, cell)| cell.initialized());
            made.map(move |(kind, _)| (place, *kind))
        });
        made.max_by_key(|(_, kind)| *kind != last)
    }
}

#[derive(Clone)]
pub(super) struct Document {
    pub(super) bytes: Bytes,
    etag: HeaderValue,
}

/// A document as the answer that `T` describes.
pub(super) struct DocumentReply<T> {
    response: Response,
    of: PhantomData<fn() -> T>,
}

impl Documents {
    pub(super) fn new(memory: &Arc<MemoryBudget>) -> Self {
        Self {
            kept: Mutex::default(),
            making: Arc::new(Semaphore::new(1)),
            made: Mutex::default(),
            memory: Arc::clone(memory),
        }
    }

    /// How many have been made, by their names.
    pub(super) fn made(&self) -> BTreeMap<&'static str, u64> {
        self.made_mut().clone()
    }

    fn made_mut(&self) -> MutexGuard<'_, BTreeMap<&'static str, u64>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, kind: Kind, generation: u64, session: &Session) -> Arc<OnceCell<Document>> {
        let mut kept = self.kept();
        if kept.generation != generation {
            *kept = Kept {
                generation,
                ..Kept::default()
            };
        }
        Arc::clone(kept.view(session).documents.entry(kind).or_default())
    }

    /// Forgets documents until the others are short enough, and this one last.
    fn forget(&self, last: Kind) {
        let mut kept = self.kept();
        while kept.bytes() > self.memory.most() / KEPT_PART {
            let Some((place, kind)) = kept.first_to_go(last) else {
                return;
            };
            kept.views[place].documents.remove(&kind);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The document of the tools that a principal sees, made if they have changed since.
pub(super) async fn get(
    app: &Arc<App>,
    principal: &Principal,
    kind: Kind,
    write: fn(&Session, Kind) -> Made,
) -> Result<Document, Failure> {
    let (generation, session) = app.tools_at(principal);
    let place = app.documents.place(kind, generation, &session);
    if let Some(document) = place.get() {
        return Ok(document.clone());
    }
    let app = Arc::clone(app);
    // It is made for the others, too, if this request is given up.
    let made = tokio::spawn(async move {
        let made = place.get_or_try_init(|| made(&app, session, kind, write));
        let made = made.await.cloned();
        app.documents.forget(kind);
        made
    });
    made.await.unwrap_or_else(|_| Err(failure()))
}

async fn made(
    app: &App,
    session: Session,
    kind: Kind,
    write: fn(&Session, Kind) -> Made,
) -> Result<Document, Failure> {
    let making = Arc::clone(&app.documents.making).acquire_owned().await;
    let made = background::spawn(move || (write(&session, kind), making));
    *app.documents.made_mut().entry(kind.name()).or_default() += 1;
    // The next one is made when this one is counted.
    let (made, _making) = made.await.map_err(|_| failure())?;
    let made = made.map_err(|error| {
        tracing::error!(error, document = ?kind, "the document could not be made");
        failure()
    })?;
    // Those that are kept make room for one that is new.
    let share = app.documents.memory.take(made.len()).or_else(|| {
        for view in &mut app.documents.kept().views {
            view.documents.retain(|_, place| !place.initialized());
        }
        app.documents.memory.take(made.len())
    });
    let share = share.ok_or_else(no_memory)?;
    Ok(Document::new(made, share))
}

fn no_memory() -> Failure {
    let message =
        "The documents that are not sent yet take all the memory that is set aside for them.";
    let status = StatusCode::SERVICE_UNAVAILABLE;
    Failure::refused(status, ErrorKind::TooManyAtOnce, message)
}

fn failure() -> Failure {
    Failure::new(ErrorKind::Internal, "The document could not be made.")
}

/// The contracts under the names that calls use.
pub(super) fn contracts(session: &Session) -> Vec<Contract> {
    let contracts = session.contracts();
    contracts
        .filter_map(|(name, contract)| Some(contract.renamed(ToolName::new(name).ok()?)))
        .collect()
}

impl Document {
    fn new(bytes: Vec<u8>, share: MemoryShare) -> Self {
        let digest = Sha256::digest(&bytes);
        let number = digest
            .iter()
            .take(16)
            .fold(0_u128, |n, byte| n << 8 | u128::from(*byte));
        let etag = HeaderValue::from_str(&format!("\"{number:032x}\""));
        Self {
            bytes: held_bytes(bytes.into(), share),
            etag: etag.unwrap_or_else(|_| HeaderValue::from_static("\"\"")),
        }
    }

    /// The answer, or that the client has it already.
    pub(super) fn reply<T>(
        self,
        headers: &HeaderMap,
        respond: impl FnOnce(Bytes) -> Response,
    ) -> DocumentReply<T> {
        let mut response = match self.is_known(headers) {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => respond(self.bytes),
        };
        response.headers_mut().insert(ETAG, self.etag);
        DocumentReply {
            response,
            of: PhantomData,
        }
    }

    fn is_known(&self, headers: &HeaderMap) -> bool {
        let known = headers.get_all(IF_NONE_MATCH).iter();
        let mut known = known
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','));
        known.any(|tag| tag.trim().trim_start_matches("W/").as_bytes() == self.etag.as_bytes())
    }
}

impl<T> IntoResponse for DocumentReply<T> {
    fn into_response(self) -> Response {
        self.response
    }
}

impl<T: Output> Output for DocumentReply<T> {
    fn describe(operation: &mut Operation) {
        T::describe(operation);
    }
}
