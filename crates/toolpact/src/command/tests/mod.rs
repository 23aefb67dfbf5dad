mod ends;
mod errors;
mod logs;
mod processes;
mod talks;

use toolpact_core::contract::{Command, Contract, Run};

use super::{CommandFault, CommandLimits};

/// A program with arguments.
fn command(words: &[&str]) -> Command {
    with_env(words, &[])
}

/// A program that may see these variables.
fn with_env(words: &[&str], env: &[&str]) -> Command {
    let contract = serde_json::json!({
        "name": "f", "description": "d", "parameters": {"type": "object"},
        "run": {"command": words, "env": env},
    });
    let contract = Contract::from_json(contract.to_string()).unwrap();
    let Some(Run::Command(command)) = contract.run() else {
        panic!("a command was given")
    };
    command.clone()
}

/// A script with its own arguments.
fn sh(script: &str, args: &[&str]) -> Command {
    command(&[&["sh", "-c", script, "sh"], args].concat())
}

async fn run(command: &Command, args: &[u8]) -> Result<Vec<u8>, CommandFault> {
    let ran = super::run(command, args, &CommandLimits::default(), &mut None).await;
    ran.map_err(|failed| failed.fault)
}
