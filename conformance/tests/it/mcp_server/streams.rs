//! Streams that are ended before the answer is there: the official clients come back for it.

use super::Fixture;
use super::clients::Client;

#[test]
fn typescript_clients_come_back() {
    come_back(Client::TypeScript);
}

#[test]
fn python_clients_come_back() {
    come_back(Client::Python);
}

/// They wait for as long as the server says before they come back, and the call has ended then.
fn come_back(client: Client) {
    let fixture = Fixture::start();
    let calls = client.calls(&fixture.url, "test", &["test_reconnection"]);
    let Some(calls) = calls else { return };
    assert_eq!(calls.len(), client.turns());
    for call in calls {
        let text = &call["result"]["content"][0]["text"];
        assert_eq!(text, "The client came back for this.", "{call}");
    }
}
