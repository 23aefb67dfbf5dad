//! The vocabulary that distinguishes types. How the words are weighed is in
//! [`words`](super::words).

use crate::returns::StandardType as T;

/// Words that are evidence for a type.
pub(super) struct Clue {
    pub(super) standard: T,
    pub(super) position: Position,
    pub(super) weight: i32,
    /// Phrases separated by `|`; each may have several words.
    pub(super) words: &'static str,
}

/// Where a word must be to count in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// At the beginning, like a verb; counts half elsewhere.
    First,
    /// At the beginning; does not count elsewhere.
    OnlyFirst,
    /// As the thing that is returned; counts half elsewhere.
    Head,
    /// As the thing that is returned; does not count elsewhere.
    OnlyHead,
    /// Anywhere.
    Any,
}

macro_rules! clues {
    ($($standard:ident $position:ident $weight:literal $words:literal;)*) => {
        &[$(Clue {
            standard: T::$standard,
            position: Position::$position,
            weight: $weight,
            words: $words,
        }),*]
    };
}

#[rustfmt::skip]
pub(super) static CLUES: &[Clue] = clues! {
    ObjectResult First 6 "create|add|insert|register|update|edit|modify|set|change|upsert|save|put|patch|assign|configure|reserve|rename|move|merge|submit";
    ObjectResult OnlyFirst 3 "book|schedule|place";
    ObjectResult First 4 "enable|disable|activate|deactivate";
    ObjectResult First 2 "delete|remove|cancel|close|post|analyze|analyse";
    ObjectResult Head 6 "setting|configuration|statistic|stats|metrics|analytics|overview|dashboard|config";
    EntityResult Any 3 "by id|by name|by email|single item|entity|specific";
    EntityResult Head 3 "detail|info|information|profile|record|metadata";
    ListResult First 8 "list|search|query|browse|filter|enumerate|discover";
    ListResult First 4 "find";
    ListResult Any 6 "list of|array of|paginate|page of|search result";
    ListResult Any 2 "matching|all|recent";
    ListResult Head 4 "history|result|recommendation|suggestion";
    BatchResult Any 9 "bulk|batch";
    BatchResult First 7 "import|mass";
    BatchResult First 3 "sync|synchronize";
    BatchResult Any 2 "multiple|several|each item|per item";
    OperationStatus Any 9 "long running|job status|task status|build status|status of job|status of operation";
    OperationStatus Any 6 "async|asynchronous|asynchronously|background|operation status";
    OperationStatus Head 6 "job|operation|deployment|build|pipeline|workflow";
    OperationStatus First 6 "start|launch|deploy|train|provision|enqueue|poll|reindex";
    OperationStatus First 4 "run|trigger|execute|migrate|restart";
    OperationStatus Any 2 "progress|queue";
    StringValue First 8 "summarize|summarise|translate|rewrite|paraphrase|compose|draft|echo|greet|explain|transcribe|slugify|encode|decode|hash|answer|ask|proofread|write";
    StringValue First 4 "describe|format|render|chat|convert";
    StringValue Head 7 "text|summary|translation|slug|title|caption|poem|story|string|markdown|html|sentence|haiku|greeting|answer|reply|essay|transcript";
    StringValue Head 4 "message|name|description|url|password|token|content|path";
    NumberValue First 9 "count|calculate|compute|sum|measure|average|estimate|multiply|divide|subtract";
    NumberValue Head 6 "count|total|sum|average|temperature|balance|distance|percentage|amount|price|duration|length|median";
    NumberValue Head 4 "number|score|rate|size|cost|rating";
    NumberValue First 3 "convert|score";
    NumberValue Any 7 "number of|how many|how much";
    BooleanValue OnlyFirst 10 "is|has|can|should|are|was|will";
    BooleanValue First 8 "check|validate|verify|exist|true";
    BooleanValue First 4 "confirm|test|ensure|authenticate|authorize|compare";
    BooleanValue Any 8 "whether|true if|true when|true or false|boolean|yes or no";
    BooleanValue Any 5 "exists|feature flag|existence";
    BooleanValue Head 5 "availability|flag|validity";
    IdentifierValue OnlyHead 10 "id|uuid|ids|identifier|guid|ulid|key";
    IdentifierValue Any 7 "unique id|unique identifier|uuid|generate id|tracking number|confirmation number|order number";
    IdentifierValue Head 3 "reference|handle";
    FileResult Head 8 "file|pdf|csv|report|spreadsheet|xlsx|excel|zip|docx|attachment|export|backup|certificate|workbook|slides";
    FileResult Head 4 "document|archive";
    FileResult First 8 "export";
    FileResult First 6 "download|print|zip";
    MediaResult Head 9 "image|picture|photo|audio|video|thumbnail|chart|screenshot|logo|avatar|icon|song|music|diagram|plot|animation|gif|png|jpeg|mp3|mp4|illustration|poster|banner";
    MediaResult Head 6 "speech|voice|clip|graph|barcode|qr|qrcode|drawing|voiceover";
    MediaResult First 7 "draw|paint|resize|crop|narrate|synthesize|plot";
    EventStream Any 9 "real time|realtime|server sent|sse|websocket|event stream";
    EventStream First 9 "subscribe|watch|listen|tail|stream|monitor";
    EventStream Any 5 "as they happen|live update|stream of|push";
    ChunkedData Any 10 "chunk|in parts|in pieces|multipart";
    ChunkedData Any 7 "large data|large file|large dataset|large payload|data transfer";
    ChunkedData First 3 "download|transfer";
    VoidResult First 7 "delete|remove|archive|notify|clear|purge|destroy|drop|revoke|unsubscribe|acknowledge|dismiss|mute|flush|invalidate|logout|wipe|alert|ping";
    VoidResult First 6 "send|cancel|reset|log|publish|emit|close|stop|kill|post";
    VoidResult First 5 "enable|disable|activate|deactivate";
    VoidResult Any 9 "fire and forget|side effect|no return|no output|return nothing|no content";
    VoidResult First 8 "nothing|none|void";
};

/// Verbs that retrieve something; their object says what.
pub(super) const RETRIEVE: &str =
    "get|fetch|retrieve|lookup|look up|read|load|show|view|obtain|pull|open|find";

/// Verbs that create their object, so the object says what is returned.
pub(super) const MAKE: &str = "generate|create|make|build|produce|export|download|draw|convert|\
    compose|draft|take|capture|record|synthesize|calculate|compute|render|write|plot|print|paint|\
    resize|crop|estimate|measure|count|stream";

/// Words that are skipped at the beginning of a description.
pub(super) const FILLERS: &str = "return|returns|returned|returning|the|a|an|this|that|tool|\
    function|method|will|can|use|uses|used|to|allow|allows|you|be|it|api|newly|created|updated|\
    generated|calls|endpoint|lets|us|me|please|performs|which|for|new|simple|simply";

pub(super) const ARTICLES: &str = "a|an|the";

/// Words that end the object of a verb.
pub(super) const PREPOSITIONS: &str = "by|for|from|of|in|to|with|at|on|using|via|that|which|\
    matching|based|into|as|per|within|given|across|about|and|or|when|if|is|are|was";

/// Words that end in `s` but are singular, or are used as if they were.
pub(super) const SINGULAR: &str = "status|address|details|info|settings|news|statistics|stats|\
    metrics|analytics|preferences|access|process|analysis|canvas|business|basis|bus|gas|series|\
    weather|progress|class|success|credentials|metadata|bonus|contents|permissions|options|terms";

/// The return types of ADL 1.0, and the points that each gives to the standard types. A type
/// without positive points in a row contradicts it.
#[rustfmt::skip]
pub(super) static OLD_TYPES: &[(&str, &[(T, i32)])] = &[
    ("object|dict|map|json|record|structured", &[
        (T::ObjectResult, 8), (T::EntityResult, 8), (T::OperationStatus, 8), (T::BatchResult, 6),
        (T::ListResult, 2), (T::FileResult, 6), (T::MediaResult, 6), (T::VoidResult, 2),
        (T::IdentifierValue, 4), (T::EventStream, 1), (T::ChunkedData, 1), (T::StringValue, -8), (T::NumberValue, -8), (T::BooleanValue, -8),
    ]),
    ("array|list", &[(T::ListResult, 30), (T::BatchResult, 18), (T::EntityResult, -12), (T::VoidResult, -12)]),
    ("string|str|text|primitive", &[
        (T::StringValue, 24), (T::IdentifierValue, 8), (T::FileResult, 4), (T::MediaResult, 4),
        (T::VoidResult, 4), (T::EntityResult, -16), (T::ListResult, -16), (T::ObjectResult, -12),
    ]),
    ("number|integer|int|float|double", &[(T::NumberValue, 36)]),
    ("boolean|bool", &[(T::BooleanValue, 30)]),
    ("file|binary|bytes|blob|document", &[(T::FileResult, 36), (T::MediaResult, 12), (T::ChunkedData, 6)]),
    ("image|audio|video|media|picture", &[(T::MediaResult, 40)]),
    ("stream|events|sse|iterator|generator", &[(T::EventStream, 30), (T::ChunkedData, 15)]),
    ("void|null|none|nothing|undefined|unit", &[(T::VoidResult, 40)]),
    ("id|uuid|identifier", &[(T::IdentifierValue, 40)]),
];
