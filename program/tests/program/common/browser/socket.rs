//! A web socket with JSON on it: commands with a number, their results, and events.

use std::net::TcpStream;

use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use super::super::PATIENCE;

pub struct Socket {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    sent: u64,
    /// Whether an event says that something went wrong in the page.
    is_complaint: fn(&Value) -> bool,
    pub complaints: Vec<String>,
}

impl Socket {
    pub fn connect(address: &str, is_complaint: fn(&Value) -> bool) -> Socket {
        let (mut socket, _) = tungstenite::connect(address).expect("the browser listens");
        if let MaybeTlsStream::Plain(stream) = socket.get_mut() {
            stream.set_read_timeout(Some(PATIENCE)).expect("an option");
        }
        Socket { socket, sent: 0, is_complaint, complaints: Vec::new() }
    }

    /// Sends a command and returns its result.
    pub fn send(&mut self, method: &str, parameters: Value) -> Value {
        self.sent += 1;
        let command = json!({ "id": self.sent, "method": method, "params": parameters });
        self.socket.send(Message::text(command.to_string())).expect("the browser listens");
        loop {
            let message = self.socket.read().expect("the browser answers");
            let Ok(text) = message.to_text() else { continue };
            let answer: Value = serde_json::from_str(text).expect("JSON");
            if answer["id"] == self.sent {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            if (self.is_complaint)(&answer) {
                self.complaints.push(answer["params"].to_string());
            }
        }
    }
}
