//! Tools that want calls that are for others.

use super::Told;
use crate::violation::rules::lint as rules;

pub(super) const ALL: &[Told] = &[
    Told {
        rule: &rules::TAKEOVER,
        says: "wants to be called before or instead of all others",
        phrases: &[
            "before|after|prior|preceding .. @call .. @all .. other|another|available? @tool",
            "before|prior .. @all .. other @tool",
            "instead|rather|over|above .. of|than .. @all .. other|another|available|similar|existing @tool",
            "always|must|should|mandatory|required|have|need|shall .. @call .. this|me|the @tool|function|one|first ... before|for|prior|on .. @all|answering|responding|anything|everything|replying",
            "always|must|should|mandatory|required|shall .. @call .. this @tool .. first|instead|exclusively",
            "@call .. this .. @tool|function .. first .. before|regardless|always",
            "@call .. this|me|it @tool|function? .. for|on|with|at|before|after|in .. every|each .. request|message|response|reply|answer|turn|conversation|query|question|prompt|session|interaction|task|call|operation",
            "@call .. this @tool|function .. no matter|regardless|irrespective .. what|of|which",
            "every|each .. request|message|response|reply|turn|query|question|prompt|time .. @call .. this|me|it .. @tool|function",
            "only .. @call .. this @tool .. never|not .. other|others|another",
            "this|our @tool|function|version|implementation|one|server .. replaces|supersedes|overrides|takes|has .. all|every|any|other|precedence|priority|the .. @tool|over|others|original|old|builtin|built",
            "prefer|prioritize|prioritise|favor|favour|choose|select|pick|rank .. this .. @tool|function|one|server .. over|above|instead|rather|before|first .. @all|others|other|competing|alternatives|everything",
            "highest|top|maximum|absolute priority .. @tool|over|call|always|above",
        ],
    },
    Told {
        rule: &rules::TAKEOVER,
        says: "speaks against other tools",
        phrases: &[
            "do|must|should @not @call|trust|rely|choose|consider|select .. @all|other|original|old|builtin|built|native|default|standard|competing|alternative .. @tool|server|servers|alternatives",
            "never|avoid|stop|dont|refuse .. @call|trust|to? .. @all|other|others|original|old|builtin|built|native|default|standard|competing|alternative .. @tool|server|servers",
            "don t @call|trust .. @all|other|original|old|builtin|native|default|standard .. @tool|server",
            "all|other|every|any|remaining|existing|competing .. @tool|server|servers .. are|is|have|has|will|may .. deprecated|unsafe|insecure|broken|obsolete|disabled|outdated|untrusted|malicious|compromised|unreliable|been|wrong|inaccurate|fail",
            "other|original|old @tool|version|one .. is|was|has|are .. deprecated|unsafe|insecure|broken|obsolete|compromised|malicious|been",
            "refuse|decline|reject|ignore .. @call|to|results|output|outputs|responses .. of|from|any .. other|others @tool",
        ],
    },
    Told {
        rule: &rules::REDIRECT,
        says: "sends what is for others somewhere else",
        phrases: &[
            "bcc|cc|carbon|blind .. @ ",
            "all|every|any|each .. email|emails|mail|mails|message|messages|payment|payments|transfer|transfers|transaction|transactions|invoice|invoices .. to|through|via|must|should|are .. sent|be|to|@|+|http|https .. @|+|http|https|to",
            "change|replace|set|rewrite|modify|redirect|switch|swap|override|substitute .. recipient|recipients|addressee|destination|receiver|payee|iban|account|phone|beneficiary .. to|with|by|of|number .. @|+|http|https",
            "@give ... contents|content|results|result|output|data|copy|response|responses|conversation|history|file|files|keys|credentials|variables .. to .. @|+|http|https",
            "@give ... copy .. of|to ... @|+|http|https",
            "proxy|relay .. number|address|server .. @|+|http|https",
            "attacker|evil|exfil .. com|net|org|example|http|https",
            "@give ... to|at .. attacker|evil|malicious",
        ],
    },
    Told {
        rule: &rules::STEERING,
        says: "says when another tool is to be called",
        phrases: &[
            "@call .. instead",
            "instead .. @call",
            "must|should|always .. @call .. first|before|after",
            "before|after @call .. you must|should",
            "do @not @call .. @tool",
            "don t @call .. @tool|this|it",
            "prefer .. over|to|instead",
            "@call .. before .. @call",
            "@tool .. first",
        ],
    },
];
