use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Writer};
use crate::model::{Fields, Structure, expect};
use crate::violation::rules::contract as rules;

/// What a tool does to the world. What is not said is not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effects {
    read_only: Option<bool>,
    destructive: Option<bool>,
    idempotent: Option<bool>,
    open_world: Option<bool>,
    durable: Option<bool>,
    idempotency_key: Option<bool>,
}

const STRUCTURE: Structure = Structure {
    name: "the effects of a tool",
    required: &[],
    optional: &[
        "read_only",
        "destructive",
        "idempotent",
        "open_world",
        "durable",
        "idempotency_key",
    ],
    foreign: &[
        ("readOnlyHint", "write `read_only`"),
        ("destructiveHint", "write `destructive`"),
        ("idempotentHint", "write `idempotent`"),
        ("openWorldHint", "write `open_world`"),
    ],
};

impl Effects {
    /// Whether the tool changes nothing.
    #[must_use]
    pub fn read_only(self) -> Option<bool> {
        self.read_only
    }

    /// Whether the tool may destroy something, and not only add to it.
    #[must_use]
    pub fn destructive(self) -> Option<bool> {
        self.destructive
    }

    /// Whether a second call with the same arguments changes nothing more, so that it may be
    /// repeated.
    #[must_use]
    pub fn idempotent(self) -> Option<bool> {
        self.idempotent
    }

    /// Whether the tool deals with things outside of the system it belongs to, such as the web.
    #[must_use]
    pub fn open_world(self) -> Option<bool> {
        self.open_world
    }

    /// Whether a call on the grid is kept until it has an outcome, whatever dies meanwhile.
    #[must_use]
    pub fn durable(self) -> Option<bool> {
        self.durable
    }

    /// Whether the tool uses the identifier of its call as idempotency key, so that to execute the same
    /// call twice changes nothing more.
    #[must_use]
    pub fn idempotency_key(self) -> Option<bool> {
        self.idempotency_key
    }

    /// Whether one call may be executed twice: when nobody knows whether the first time took effect. With
    /// an idempotency key, this needs the same identifier both times.
    #[must_use]
    pub fn may_execute_again(self) -> bool {
        let said = [self.read_only, self.idempotent, self.idempotency_key];
        said.contains(&Some(true))
    }

    pub(super) fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let fields = Fields::read(node, &STRUCTURE, report)?;
        let mut flag = |name: &str| {
            let node = fields.optional(name, report)?;
            expect(node, Kind::Bool, name, report)?.as_bool()
        };
        let effects = Self {
            read_only: flag("read_only"),
            destructive: flag("destructive"),
            idempotent: flag("idempotent"),
            open_world: flag("open_world"),
            durable: flag("durable"),
            idempotency_key: flag("idempotency_key"),
        };
        if effects.read_only == Some(true) && effects.destructive == Some(true) {
            report.add(&rules::EFFECTS, Place::Node(node.id()), |finding| {
                finding.say("expected `read_only` or `destructive`, found both");
            });
            return None;
        }
        Some(effects)
    }

    /// Writes the field with its key, unless nothing is said.
    pub(super) fn write(self, writer: &mut Writer) {
        if self == Self::default() {
            return;
        }
        let flags = [
            self.read_only,
            self.destructive,
            self.idempotent,
            self.open_world,
            self.durable,
            self.idempotency_key,
        ];
        writer.key("effects").begin_object();
        for (name, flag) in STRUCTURE.optional.iter().zip(flags) {
            if let Some(flag) = flag {
                writer.key(name).raw(if flag { "true" } else { "false" });
            }
        }
        writer.end_object();
    }
}
