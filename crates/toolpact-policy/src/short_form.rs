//! The short form of a config, translated to Cedar.

use crate::action::{of_effects, of_pattern};
use crate::config::Allow;
use crate::quote::{entity, quoted};

impl Allow {
    /// The policy in Cedar. Its id is its place in the config.
    #[must_use]
    pub fn to_cedar(&self, place: usize) -> String {
        let mut conditions = Vec::new();
        let mut callers: Vec<String> = Vec::new();
        let groups = self.groups.iter().map(|group| entity("Group", group));
        callers.extend(groups.map(|group| format!("principal in {group}")));
        let named = self.principals.iter().map(|name| entity("Principal", name));
        callers.extend(named.map(|name| format!("principal == {name}")));
        let sources = { self.sources.iter() }
            .map(|source| format!("resource == {}", entity("Source", source)));
        let principal = scope("principal", callers, &mut conditions);
        let resource = scope("resource", sources.collect(), &mut conditions);
        if !self.tenants.is_empty() {
            let tenants: Vec<String> = self.tenants.iter().map(|name| quoted(name)).collect();
            conditions.push(format!(
                "principal has tenant && [{}].contains(principal.tenant)",
                tenants.join(", ")
            ));
        }
        if let Some(effects) = self.effects {
            let group = entity("Action", &of_effects(effects));
            conditions.push(format!("action in {group}"));
        }
        let ask = self.ask.as_deref().map(quoted);
        let ask = ask.map_or_else(String::new, |question| format!("@ask({question})\n"));
        let conditions: Vec<String> = { conditions.iter() }
            .map(|condition| format!("\nwhen {{ {condition} }}"))
            .collect();
        let conditions = conditions.concat();
        format!(
            "@id({})\n{ask}permit (\n  {principal},\n  {},\n  {resource}\n){conditions};\n",
            quoted(&format!("allow[{place}]")),
            self.actions(),
        )
    }

    fn actions(&self) -> String {
        let action = |tool: &String| match tool.contains('*') {
            true => entity("Action", &of_pattern(tool)),
            false => entity("Action", tool),
        };
        let actions: Vec<String> = self.tools.iter().map(action).collect();
        match &actions[..] {
            [] => "action".to_owned(),
            [one] if self.tools.iter().any(|tool| tool.contains('*')) => format!("action in {one}"),
            [one] => format!("action == {one}"),
            all => format!("action in [{}]", all.join(", ")),
        }
    }
}

/// One constraint is in the scope of a policy, several are a condition.
fn scope(variable: &str, constraints: Vec<String>, conditions: &mut Vec<String>) -> String {
    match <[String; 1]>::try_from(constraints) {
        Ok([one]) => one,
        Err(several) => {
            if !several.is_empty() {
                conditions.push(several.join(" || "));
            }
            variable.to_owned()
        }
    }
}
