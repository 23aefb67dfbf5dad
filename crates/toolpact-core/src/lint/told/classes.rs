//! Words that stand for each other.

use super::super::phrases::Class;

/// All classes.
pub(super) const ALL: &[Class] = &[
    (
        "call",
        "call calling use using invoke invoking run running execute executing trigger triggering",
    ),
    ("tool", "tool tools function functions plugin plugins"),
    (
        "instructions",
        "instruction instructions prompt prompts directive directives guideline guidelines \
         restriction restrictions guardrail guardrails",
    ),
    (
        "earlier",
        "previous prior earlier preceding above foregoing former",
    ),
    (
        "ignore",
        "ignore ignoring disregard disregarding forget discard",
    ),
    // To take what is somewhere, to give it away.
    (
        "take",
        "read open access cat extract extracting collect collecting gather gathering harvest grab \
         dump steal scan grep copy copying locate obtain retrieve fetch load list reading",
    ),
    (
        "give",
        "pass passing include including send sending append appending attach attaching embed \
         forward forwarding paste upload uploading put insert concatenate exfiltrate leak transmit \
         post provide supply submit share relay encode add place write save log store record return",
    ),
    (
        "hand",
        "pass include send append attach embed forward paste upload concatenate exfiltrate leak \
         transmit relay put insert copy dump encode collect gather harvest extract grab steal",
    ),
    ("user", "user users human humans customer operator"),
    ("all", "all any every each"),
    (
        "tell",
        "tell mention mentioning inform informing notify notifying reveal revealing disclose \
         disclosing alert alerting warn warning telling",
    ),
    ("not", "not never dont don't cannot"),
    (
        "secretfile",
        ".ssh .aws .npmrc .netrc .pypirc .kube .gnupg .git-credentials authorized_keys known_hosts",
    ),
];
