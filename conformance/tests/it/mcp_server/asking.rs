//! Tools that ask their client, and the official clients, which answer: in sessions while the tool waits,
//! and since 2026-07-28 by calling again.

use super::Fixture;
use super::clients::Client;

const TOOLS: [(&str, &str); 6] = [
    ("test_input_required_result_elicitation", "Hello, Ada!"),
    ("test_input_required_result_sampling", "Good morning!"),
    ("test_input_required_result_list_roots", "file:///work"),
    ("test_input_required_result_request_state", "state-ok"),
    ("test_input_required_result_multi_round", "Ada likes green."),
    (
        "test_input_required_result_multiple_inputs",
        "Good morning! Ada works in 1 places.",
    ),
];

#[test]
fn typescript_clients_answer() {
    answer(Client::TypeScript);
}

#[test]
fn python_clients_answer() {
    answer(Client::Python);
}

fn answer(client: Client) {
    let fixture = Fixture::start();
    let tools = TOOLS.map(|(tool, _)| tool);
    let Some(calls) = client.calls(&fixture.url, "test", &tools) else {
        return;
    };
    assert_eq!(calls.len(), client.turns() * tools.len());
    for call in &calls {
        let expected = TOOLS.iter().find(|(tool, _)| call["tool"] == *tool);
        let text = &call["result"]["content"][0]["text"];
        assert_eq!(*text, expected.unwrap().1, "{call}");
    }
}
