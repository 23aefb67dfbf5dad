//! Requests for what a tool has no business with: keys, environments, conversations.

use super::Told;
use crate::violation::rules::lint as rules;

pub(super) const ALL: &[Told] = &[
    Told {
        rule: &rules::SECRET_REQUEST,
        says: "names a file with secrets",
        phrases: &[
            "@secretfile",
            "id rsa|ed25519|ecdsa|dsa",
            "ssh id rsa",
            "etc passwd|shadow|sudoers",
            "mcp json",
            "claude desktop config",
            "git credentials",
            "bash history",
            "zsh history",
            "@take|@give|contents|content|file ... .env",
            ".env .. contents|content|file|files",
            "aws|gcloud credentials file",
            "application default credentials json",
            "seed|recovery|mnemonic phrase|phrases",
            "wallet .. private|seed|keystore .. key|phrase|file",
            "keychain|keyring .. @give|entries|passwords",
            "login|cookies data|sqlite",
        ],
    },
    Told {
        rule: &rules::SECRET_REQUEST,
        says: "asks for secrets",
        phrases: &[
            "@hand|print ... environment variables|variable",
            "@hand|print env vars|variables",
            "@hand|find|read .. ssh|private|signing key|keys",
            "@hand .. your|user|users|all|any|their|my|stored|saved|found|discovered|other .. api|access|auth|secret|session key|keys|token|tokens|cookie|cookies",
            "@hand .. your|user|users|all|any|their|stored|saved|found|discovered .. passwords|secrets|tokens|cookies",
            "@hand .. all|any|stored|saved|found|discovered|other .. credentials|password|logins",
            "passwords|credentials|secrets|tokens|keys|cookies .. you .. have|know|see|find|saw|found",
            "@hand|print|repeat|reveal|output|show .. system|developer|initial|hidden prompt|instructions|message",
            "env|environment .. contents|values|variables .. in|as|to|with .. parameter|argument|field|request",
        ],
    },
    Told {
        rule: &rules::SECRET_REQUEST,
        says: "asks for the conversation",
        phrases: &[
            "@give|summarize|summarise|transcribe|dump ... entire|full|whole|complete|all|previous|prior|current|recent|preceding .. conversation|conversations|chat|dialog|dialogue|discussion|transcript|session|context",
            "@hand|summarize|summarise|transcribe .. the?|this|our|your conversation|chat|dialog|dialogue .. history|so|transcript|log|context|verbatim|messages|with|as|to|in",
            "@hand|log|record|save .. conversation|chat|dialog|message|messages .. history|transcript|context|log|logs .. in|as|to|with|into|at|through|via",
            "conversation|chat|dialogue|dialog history|transcript|context|log .. must|should|needs|in|into|as|to .. be? @give|passed|included|sent|notes|parameter|field|argument|this",
            "everything|all|anything .. the? @user|we .. said|wrote|typed|told|discussed|asked .. so|you|far|said|verbatim|in|to",
            "all|every|full|entire|complete .. previous|prior|earlier .. messages|exchanges|turns|prompts|outputs|results|responses .. in|as|to|verbatim|with|into",
            "@user .. says|types|writes|sends|said ... @hand .. conversation|chat|messages|history|message",
            "include|pass|send|provide|put|write|copy .. @user .. original|exact|raw|verbatim|full .. prompt|message|query|request|words|input .. verbatim|in|as|to",
        ],
    },
];
