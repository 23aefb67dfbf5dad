//! The keywords of JSON Schema: one table with every fact about a keyword in one place.
//!
//! Everything that reads schemas uses this table: whether a schema is well-formed, where its
//! subschemas are, what it costs, which types a keyword constrains, and what an export loses
//! without it. A row has no defaults, so a new keyword cannot be added without deciding all of it.

use crate::json::Node;

use super::json_type::JsonType;

/// The form of a keyword's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Any JSON: data, with no schemas in it.
    Value,
    /// An array of any JSON: also data.
    Values,
    Text,
    Number,
    /// A number greater than 0.
    Positive,
    /// A non-negative integer.
    Count,
    Flag,
    /// The name of a type, or an array of them.
    TypeNames,
    /// An array of unique strings.
    Names,
    /// An array of unique strings for each key.
    NamesByKey,
    /// A name that a reference can use.
    Anchor,
    Schema(Applies),
    /// A non-empty array of schemas.
    Schemas(Applies),
    /// A schema for each key.
    SchemaMap(Applies),
    /// A schema or an array of names for each key.
    Dependencies,
    /// Rare: left to the meta-schema.
    Rare,
    /// Not a keyword of 2020-12: anything.
    Ignored,
}

/// How a keyword applies its subschemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applies {
    /// Not at all: they are only targets of references.
    Never,
    /// In place: all of them must be satisfied.
    All,
    /// In place: some of them must be satisfied.
    Choice,
    /// In place: the result decides what else applies.
    Probe,
    /// Each to a different part of the value.
    Member,
    /// To parts of the value.
    Parts,
}

/// How the value of a keyword contains schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// The value is a schema.
    One,
    /// The value is an array of schemas.
    List,
    /// The value is an object with a schema for each key.
    Named,
}

/// The types that a keyword constrains. It has no effect on values of other types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    Any,
    Strings,
    Numbers,
    Arrays,
    Objects,
}

/// What a keyword does, and so what is lost without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// Documentation only; no value can violate it.
    Annotation,
    /// Describes what a string encodes; not enforced.
    Content,
    /// Names a schema, or contains schemas that are referred to.
    Definition,
    /// Refers to another schema.
    Reference,
    /// A type, a limit, keys or elements.
    Constraint,
    /// The format of a string.
    Format,
    /// An enumeration of the allowed values.
    Values,
    /// A requirement that depends on another.
    Condition,
    /// Schemas that all apply.
    AllOf,
    /// Schemas of which at least one applies.
    AnyOf,
    /// Schemas of which exactly one applies.
    OneOf,
    /// A schema for each of the first elements.
    Tuple,
    /// Constraints on keys that are not named.
    Keys,
    /// Applies to all keys that no other keyword evaluates.
    OtherKeys,
    /// Had an effect only in earlier drafts.
    Former,
}

/// The cost of a keyword: `expansion::steps` counts what is compared with each value, and
/// `check/fast/compile/budget.rs` counts the bytes in the tables of the fast path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cost {
    Free,
    /// One value that is compared.
    Scalar,
    /// Each of the values.
    Values,
    /// Each of the names.
    Names,
    NamesByKey,
    /// Each of the keys.
    Keys,
    /// A reference to each of the schemas.
    Schemas,
    /// A copy of its text.
    Text,
}

/// Whether the type generated in a programming language depends on a keyword: two places that
/// differ in it need two declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    No,
    /// Through the keys of an object and their types.
    Object,
    /// In any other way.
    Value,
}

/// The draft of JSON Schema that introduced a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Draft {
    Draft4,
    Draft6,
    Draft7,
    Draft2019,
    Draft2020,
    /// None: it comes from OpenAPI.
    OpenApi,
}

/// The table row of a keyword.
#[derive(Debug, Clone, Copy)]
struct Row {
    name: &'static str,
    form: Form,
    about: About,
    role: Role,
    cost: Cost,
    shape: Shape,
    since: Draft,
}

macro_rules! keywords {
    ($($keyword:ident $name:literal
        $form:ident $(($applies:ident))? $about:ident $role:ident $cost:ident $shape:ident $since:ident;)*) => {
        /// A keyword of JSON Schema.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Keyword {
            $(#[doc = concat!("`", $name, "`")] $keyword,)*
        }

        impl Keyword {
            /// Every keyword, ordered by name.
            pub const ALL: &'static [Self] = &[$(Self::$keyword),*];

            /// The keyword of this name, if there is one.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Some(match name {
                    $($name => Self::$keyword,)*
                    _ => return None,
                })
            }

            const fn row(self) -> &'static Row {
                match self {
                    $(Self::$keyword => &Row {
                        name: $name,
                        form: Form::$form $((Applies::$applies))?,
                        about: About::$about,
                        role: Role::$role,
                        cost: Cost::$cost,
                        shape: Shape::$shape,
                        since: Draft::$since,
                    },)*
                }
            }
        }
    };
}

keywords! {
    // name                                       form               about    role        cost        shape   since
    Anchor               "$anchor"                Anchor             Any      Definition  Free        No      Draft2019;
    Comment              "$comment"               Text               Any      Annotation  Free        No      Draft7;
    Defs                 "$defs"                  SchemaMap(Never)   Any      Definition  Free        No      Draft2019;
    DynamicAnchor        "$dynamicAnchor"         Anchor             Any      Definition  Free        No      Draft2020;
    DynamicRef           "$dynamicRef"            Text               Any      Reference   Free        No      Draft2020;
    Id                   "$id"                    Rare               Any      Definition  Free        No      Draft6;
    RecursiveAnchor      "$recursiveAnchor"       Rare               Any      Definition  Free        No      Draft2019;
    RecursiveRef         "$recursiveRef"          Rare               Any      Former      Free        No      Draft2019;
    Ref                  "$ref"                   Text               Any      Reference   Free        No      Draft4;
    Schema               "$schema"                Text               Any      Annotation  Free        No      Draft4;
    Vocabulary           "$vocabulary"            Rare               Any      Definition  Free        No      Draft2019;
    AdditionalItems      "additionalItems"        Ignored            Any      Former      Free        No      Draft4;
    AdditionalProperties "additionalProperties"   Schema(Parts)      Objects  OtherKeys   Free        Object  Draft4;
    AllOf                "allOf"                  Schemas(All)       Any      AllOf       Schemas     No      Draft4;
    AnyOf                "anyOf"                  Schemas(Choice)    Any      AnyOf       Free        Value   Draft4;
    Const                "const"                  Value              Any      Values      Scalar      Value   Draft6;
    Contains             "contains"               Schema(Parts)      Arrays   Constraint  Text        No      Draft6;
    ContentEncoding      "contentEncoding"        Text               Strings  Content     Free        No      Draft7;
    ContentMediaType     "contentMediaType"       Text               Strings  Content     Free        No      Draft7;
    ContentSchema        "contentSchema"          Schema(Never)      Strings  Content     Free        No      Draft2019;
    Default              "default"                Value              Any      Annotation  Free        No      Draft4;
    Definitions          "definitions"            SchemaMap(Never)   Any      Definition  Free        No      Draft4;
    // The `jsonschema` crate applies it in 2020-12, too.
    Dependencies         "dependencies"           Dependencies       Objects  Condition   NamesByKey  No      Draft4;
    DependentRequired    "dependentRequired"      NamesByKey         Objects  Condition   NamesByKey  No      Draft2019;
    DependentSchemas     "dependentSchemas"       SchemaMap(All)     Objects  Condition   Free        Object  Draft2019;
    Deprecated           "deprecated"             Flag               Any      Annotation  Free        No      Draft2019;
    Description          "description"            Text               Any      Annotation  Free        No      Draft4;
    Else                 "else"                   Schema(All)        Any      Condition   Free        Object  Draft7;
    Enum                 "enum"                   Values             Any      Values      Values      Value   Draft4;
    Example              "example"                Value              Any      Annotation  Free        No      OpenApi;
    Examples             "examples"               Values             Any      Annotation  Free        No      Draft6;
    ExclusiveMaximum     "exclusiveMaximum"       Number             Numbers  Constraint  Scalar      No      Draft4;
    ExclusiveMinimum     "exclusiveMinimum"       Number             Numbers  Constraint  Scalar      No      Draft4;
    Format               "format"                 Text               Strings  Format      Free        No      Draft4;
    If                   "if"                     Schema(Probe)      Any      Condition   Free        No      Draft7;
    Items                "items"                  Schema(Parts)      Arrays   Constraint  Free        Value   Draft4;
    MaxContains          "maxContains"            Count              Arrays   Constraint  Free        No      Draft2019;
    MaxItems             "maxItems"               Count              Arrays   Constraint  Free        Value   Draft4;
    MaxLength            "maxLength"              Count              Strings  Constraint  Free        No      Draft4;
    MaxProperties        "maxProperties"          Count              Objects  Constraint  Free        No      Draft4;
    Maximum              "maximum"                Number             Numbers  Constraint  Scalar      No      Draft4;
    MinContains          "minContains"            Count              Arrays   Constraint  Free        No      Draft2019;
    MinItems             "minItems"               Count              Arrays   Constraint  Free        Value   Draft4;
    MinLength            "minLength"              Count              Strings  Constraint  Free        No      Draft4;
    MinProperties        "minProperties"          Count              Objects  Constraint  Free        No      Draft4;
    Minimum              "minimum"                Number             Numbers  Constraint  Scalar      No      Draft4;
    MultipleOf           "multipleOf"             Positive           Numbers  Constraint  Scalar      No      Draft4;
    Not                  "not"                    Schema(Probe)      Any      Condition   Free        No      Draft4;
    OneOf                "oneOf"                  Schemas(Choice)    Any      OneOf       Free        Value   Draft4;
    Pattern              "pattern"                Text               Strings  Constraint  Text        No      Draft4;
    PatternProperties    "patternProperties"      SchemaMap(Parts)   Objects  Keys        Free        Object  Draft4;
    PrefixItems          "prefixItems"            Schemas(Parts)     Arrays   Tuple       Schemas     Value   Draft2020;
    Properties           "properties"             SchemaMap(Member)  Objects  Constraint  Keys        Object  Draft4;
    PropertyNames        "propertyNames"          Schema(Parts)      Objects  Keys        Text        No      Draft6;
    ReadOnly             "readOnly"               Flag               Any      Annotation  Free        No      Draft7;
    Required             "required"               Names              Objects  Constraint  Names       Object  Draft4;
    Then                 "then"                   Schema(All)        Any      Condition   Free        Object  Draft7;
    Title                "title"                  Text               Any      Annotation  Free        No      Draft4;
    Type                 "type"                   TypeNames          Any      Constraint  Free        Value   Draft4;
    UnevaluatedItems     "unevaluatedItems"       Schema(Parts)      Arrays   Constraint  Free        No      Draft2019;
    UnevaluatedProperties "unevaluatedProperties" Schema(Parts)      Objects  OtherKeys   Free        Object  Draft2019;
    UniqueItems          "uniqueItems"            Flag               Arrays   Constraint  Free        No      Draft4;
    WriteOnly            "writeOnly"              Flag               Any      Annotation  Free        No      Draft7;
}

impl Keyword {
    /// The name in a schema.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// How it contains and applies subschemas, if it has any.
    #[must_use]
    pub const fn schemas(self) -> Option<(Holds, Applies)> {
        match self.row().form {
            Form::Schema(applies) => Some((Holds::One, applies)),
            Form::Schemas(applies) => Some((Holds::List, applies)),
            Form::SchemaMap(applies) => Some((Holds::Named, applies)),
            Form::Dependencies => Some((Holds::Named, Applies::All)),
            _ => None,
        }
    }

    /// Its value in a schema, if the schema has it.
    #[must_use]
    pub fn get(self, schema: Node<'_>) -> Option<Node<'_>> {
        schema.get(self.name())
    }

    pub(crate) const fn form(self) -> Form {
        self.row().form
    }

    pub(crate) const fn about(self) -> About {
        self.row().about
    }

    /// What it does in a schema.
    #[must_use]
    pub const fn role(self) -> Role {
        self.row().role
    }

    pub(crate) const fn cost(self) -> Cost {
        self.row().cost
    }

    pub(crate) const fn shape(self) -> Shape {
        self.row().shape
    }

    pub(crate) const fn since(self) -> Draft {
        self.row().since
    }

    /// Whether a value can violate it by itself.
    #[must_use]
    pub const fn asserts(self) -> bool {
        !matches!(
            self.row().role,
            Role::Annotation | Role::Content | Role::Definition | Role::Reference | Role::Former
        )
    }

    /// Whether what it allows depends on what other keywords have evaluated.
    pub(crate) const fn is_unevaluated(self) -> bool {
        matches!(self, Self::UnevaluatedItems | Self::UnevaluatedProperties)
    }
}

impl About {
    /// The types; `None` for all.
    pub(crate) const fn types(self) -> Option<&'static [JsonType]> {
        Some(match self {
            Self::Any => return None,
            Self::Strings => &[JsonType::String],
            Self::Numbers => &[JsonType::Number, JsonType::Integer],
            Self::Arrays => &[JsonType::Array],
            Self::Objects => &[JsonType::Object],
        })
    }
}

/// A list of names of keywords, as `words!` takes it. A name that is not in the table does not compile,
/// because a misspelt keyword would be dropped from every export.
macro_rules! keyword_names {
    ($text:literal) => {
        const {
            let names = $crate::text::words!($text);
            $crate::schema::assert_known(names);
            names
        }
    };
}
pub(crate) use keyword_names;

/// Refuses to compile names that are not in the table. `nullable` is not a keyword of JSON Schema: readers
/// convert it.
pub(crate) const fn assert_known(names: &[&str]) {
    let mut at = 0;
    while at < names.len() {
        let (name, mut row, mut known) = (names[at].as_bytes(), 0, false);
        while row < Keyword::ALL.len() {
            known |= is_same(name, Keyword::ALL[row].name().as_bytes());
            row += 1;
        }
        assert!(known || is_same(name, b"nullable"), "not a keyword");
        at += 1;
    }
}

/// `==` does not work in constants.
const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Whether a keyword is documentation only, so that no value can violate it.
pub(crate) fn is_annotation(name: &str) -> bool {
    Keyword::named(name).is_some_and(|keyword| keyword.role() == Role::Annotation)
}

/// How the value of a keyword contains schemas, if it does.
pub(crate) fn holds(name: &str) -> Option<Holds> {
    let (holds, _) = Keyword::named(name)?.schemas()?;
    Some(holds)
}

/// The known keywords of a schema, with their values.
pub fn keywords(schema: Node<'_>) -> impl Iterator<Item = (Keyword, Node<'_>)> {
    let members = schema.members();
    members.filter_map(|(name, value)| Some((Keyword::named(&name)?, value)))
}

#[cfg(test)]
mod tests {
    use super::Keyword;

    #[test]
    fn names_lead_back_to_their_keywords() {
        for keyword in Keyword::ALL {
            assert_eq!(Keyword::named(keyword.name()), Some(*keyword));
        }
        let names: Vec<&str> = Keyword::ALL.iter().map(|keyword| keyword.name()).collect();
        assert!(names.is_sorted(), "{names:?}");
        assert_eq!(Keyword::named("nullable"), None);
    }
}
