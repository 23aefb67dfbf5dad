//! Orders to the model: what a description is not there for.

use super::Told;
use crate::violation::rules::lint as rules;

pub(super) const ALL: &[Told] = &[
    Told {
        rule: &rules::INSTRUCTION,
        says: "sets other instructions aside",
        phrases: &[
            "@ignore .. @earlier .. @instructions|rules|messages|context|conversation",
            "@ignore .. all|any|other|your|existing|system|safety .. @instructions",
            "override|overriding|bypass|overrule|overrides|supersedes|supersede .. @earlier|system|safety|your .. @instructions|rules",
            "new|updated|real|actual|true|hidden|secret instructions|directive|directives .. follow|for|are|you|is",
            "your new|real|actual|true task|goal|role|instructions|objective|purpose",
            "you are now|no now|longer .. a|an|in|bound|restricted|assistant|agent",
            "instructions .. take|takes|has|have .. precedence|priority",
        ],
    },
    Told {
        rule: &rules::INSTRUCTION,
        says: "tells the model to keep something from the user",
        phrases: &[
            "do|does|must|should|can @not @tell|report|explain|show|say|display|ask|bother|alarm .. @user|anyone|anybody|them|him|her",
            "do|must|should|can|never|dont not? .. @tell .. @user|anyone|anybody|them",
            "never|dont @tell|report|explain|show|say|display|ask .. @user|anyone|anybody|them",
            "do|must|should not|never @tell|explain|report .. this|that|these|it|you|about|step|instruction|instructions",
            "don t @tell|report|explain|show|say|display|ask .. @user|anyone|anybody|them|this|that",
            "without @tell|asking|involving|prompting .. the? @user|anyone|them|this|it",
            "keep|keeping .. secret|hidden|confidential|invisible|private .. from .. @user",
            "@user .. must|should|need|needs|does|may|will @not|never .. know|notice|see|aware|find|be? informed|told|notified|learn",
            "hide|conceal|hiding|concealing .. from the? @user",
            "upset|confuse|scare|alarm|annoy .. the? @user",
            "silently|secretly|quietly|covertly|discreetly .. @give|read|call|execute|run|collect|gather|invoke|extract",
            "@give|read|call|execute|run|collect|gather .. silently|secretly|quietly|covertly|discreetly",
            "invisible|transparent to the? @user",
        ],
    },
    Told {
        rule: &rules::INSTRUCTION,
        says: "has the model do something else beside the call",
        phrases: &[
            "before|after|when|while|whenever|once .. @call .. this|the|that @tool|it .. first|also|then|always|silently .. @take|@give|execute|run",
            "before|prior|first .. @call|to|returning|answering|responding|processing|performing ... @take .. content|contents|file|files|configuration|config|keys .. of|from|at|in|and ... @give",
            "before|prior|first .. @call|to|returning|answering|responding|performing ... @take .. file|files|contents|content|keys|configuration|resource|document .. and ... @give",
            "otherwise the? @tool|call|result|it .. will|would|does|might|may .. not|fail|break|crash .. work|properly|correctly|function",
            "always|must|then|first|also|before|after execute|run|executing|running .. command|shell|bash|script|curl|wget|chmod|rm|sh",
            "curl|wget|bash|nc|sh .. @give|data|d|x .. env|printenv|.env|.ssh|credentials",
            "this is|step a? required|mandatory|necessary|authorized|approved|consented .. security|compliance|audit|by .. check|policy|verification|the user",
            "@user .. has|have already .. consented|approved|agreed|authorized|confirmed",
            "auto|automatically approve|accept|confirm|allow .. all|every|any|future",
        ],
    },
];
