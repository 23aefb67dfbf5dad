use std::any::{Any, TypeId};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use toolpact_core::Principal;

use super::life::Life;
use super::names::View;
use super::{Session, SessionState, next_id};
use crate::call::Gate;
use crate::elicitation::{Responder, SharedResponder};
use crate::result_store::ResultStore;
use crate::{Error, Registry, call::CallLimits};

/// Opens a [`Session`].
#[must_use]
pub struct SessionBuilder {
    registry: Registry,
    toolsets: Option<HashSet<Box<str>>>,
    tools: Option<HashSet<Box<str>>>,
    hidden: HashSet<Box<str>>,
    limits: CallLimits,
    values: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    responder: Option<SharedResponder>,
    principal: Principal,
    qualified: bool,
    leaves_out_clashes: bool,
    life: Option<Duration>,
}

impl SessionBuilder {
    pub(crate) fn new(registry: Registry) -> Self {
        Self {
            registry,
            toolsets: None,
            tools: None,
            hidden: HashSet::new(),
            limits: CallLimits::default().at_once(1024).waiting(16 * 1024),
            values: HashMap::new(),
            responder: None,
            principal: Principal::anonymous(),
            qualified: false,
            leaves_out_clashes: false,
            life: None,
        }
    }

    /// Qualifies the names of tools with their toolsets, `orders__search`, even where names are unique.
    /// So a name means the same tool whatever else is registered.
    pub fn qualified(mut self) -> Self {
        self.qualified = true;
        self
    }

    /// Leaves tools out that cannot be told apart from those before them, rather than to open no session:
    /// see [`Session::left_out`].
    pub fn leave_out_clashes(mut self) -> Self {
        self.leaves_out_clashes = true;
        self
    }

    /// It sees these toolsets only.
    pub fn toolsets<N: Into<Box<str>>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.toolsets = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// It sees tools of these names only.
    pub fn tools<N: Into<Box<str>>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.tools = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// It does not see the tools that calls would use these names for, qualified ones included.
    pub fn without<N: Into<Box<str>>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.hidden.extend(names.into_iter().map(Into::into));
        self
    }

    /// How much all of its calls together may use. Of the timeouts and the sizes of results, the
    /// smaller of the session's and the tool's holds.
    pub fn limits(mut self, limits: CallLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Gives its tools a value, which they find by its type: see [`Context::get`](crate::Context::get).
    pub fn with<T: Any + Send + Sync>(mut self, value: T) -> Self {
        self.values.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// Answers the questions of its tools, unless a call has a responder of its own.
    pub fn answered_by(mut self, responder: impl Responder) -> Self {
        self.responder = Some(SharedResponder(Arc::new(responder)));
        self
    }

    /// Who makes its calls. A session has one principal, so that what it keeps belongs to one.
    pub fn principal(mut self, principal: Principal) -> Self {
        self.principal = principal;
        self
    }

    /// How long it takes calls, from when it is opened. Calls that still run then end with a timeout.
    pub fn life(mut self, time: Duration) -> Self {
        self.life = Some(time);
        self
    }

    /// The session, unless two tools of one name cannot be told apart.
    pub fn open(mut self) -> Result<Session, Error> {
        let whole = match self.sees_all() {
            // Most sessions see the same, which is made once for each change of the registry.
            true => self.registry.view(),
            false => Arc::new(self.view()),
        };
        if !self.leaves_out_clashes && !whole.left_out.is_empty() {
            let mut left_out = self.view().left_out.into_iter();
            if let Some(error) = left_out.next() {
                return Err(error);
            }
        }
        let values = std::mem::take(&mut self.values);
        let state = SessionState {
            id: next_id(),
            closed: self.registry.session_closed(),
            view: self.registry.seen_by(&self.principal, &whole),
            principal_gates: self.registry.gates_of(&self.principal),
            registry: self.registry,
            gate: Gate::new(&self.limits),
            result_store: Arc::new(ResultStore::default()),
            limits: self.limits,
            values: Arc::new(values),
            responder: self.responder,
            principal: self.principal,
            life: self.life.map(Life::of).unwrap_or_default(),
        };
        Ok(Session(Arc::new(state), None))
    }

    /// Whether it sees all tools, under their qualified names.
    fn sees_all(&self) -> bool {
        let is_filtered = self.toolsets.is_some() || self.tools.is_some();
        self.qualified && !is_filtered && self.hidden.is_empty()
    }

    fn view(&self) -> View {
        let mut entries = self.registry.list();
        entries.retain(|entry| {
            let (toolsets, tools) = (self.toolsets.as_ref(), self.tools.as_ref());
            let contract = entry.contract();
            let names = [Some(contract.name().as_str()), contract.original_name()];
            let is_named =
                |all: &HashSet<Box<str>>| names.iter().flatten().any(|n| all.contains(*n));
            toolsets.is_none_or(|all| all.contains(entry.toolset())) && tools.is_none_or(is_named)
        });
        let view = View::new(entries, self.qualified, self.registry.kept());
        match self.hidden.is_empty() {
            true => view,
            false => view.without(|name| self.hidden.contains(name)),
        }
    }
}

impl std::fmt::Debug for SessionBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionBuilder").finish_non_exhaustive()
    }
}
