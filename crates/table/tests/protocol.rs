//! The lines of the engine protocol.

use fogtree_table::protocol::{Answer, Request};
use fogtree_table::wire::Findings;

#[test]
fn requests_are_written_as_documented() {
    let lines = [
        r#"{"type":"hello","protocol":1}"#,
        r#"{"type":"newgame","game":"kuhn-poker","seat":1,"seed":18446744073709551615}"#,
        r#"{"type":"observe","events":[{"seen":"1f.0"},{"own":3}]}"#,
        r#"{"type":"go","infoset":{"seat":1},"iterations":100}"#,
        r#"{"type":"go","infoset":{"seat":1},"milliseconds":5,"explain":true}"#,
        r#"{"type":"stop"}"#,
        r#"{"type":"end","rewards":[-1.0,1.0]}"#,
        r#"{"type":"quit"}"#,
    ];
    for line in lines {
        assert_eq!(serde_json::from_str::<Request>(line).unwrap().to_line(), line);
    }
}

#[test]
fn answers_are_written_as_documented() {
    let lines = [
        r#"{"type":"ready","name":"x","protocol":1}"#,
        r#"{"type":"ready"}"#,
        r#"{"type":"bestmove","move":"bet","moves":[{"move":"bet","visits":3,"values":[0.5,-0.5]}],"iterations":3,"nodes":1,"depth":1}"#,
        r#"{"type":"info","moves":[{"move":"bet","visits":3}],"iterations":3,"nodes":1,"depth":1,"milliseconds":100}"#,
        r#"{"type":"bestmove","move":"bet","moves":[{"move":"bet","visits":3,"availability":4,"values":[0.5,-0.5],"margins":[0.1,0.1]}],"iterations":3,"nodes":3,"depth":1,"bytes":96,"mean_depth":1.5,"profile":[1,2],"line":[{"by":0,"name":"bet"},{"name":"seen"}]}"#,
        r#"{"type":"error","message":"no","line":7}"#,
    ];
    for line in lines {
        assert_eq!(serde_json::from_str::<Answer>(line).unwrap().to_line(), line);
    }
    let short: Answer = serde_json::from_str(r#"{"type":"bestmove","move":"bet","pv":[]}"#).unwrap();
    assert_eq!(short, Answer::BestMove { name: "bet".to_string(), findings: Findings::default() });
}

#[test]
fn other_lines_are_refused() {
    for line in [
        "",
        "{",
        "[]",
        "1",
        r#"{"protocol":1}"#,
        r#"{"type":"pass"}"#,
        r#"{"type":"go","infoset":{},"iterations":0}"#,
        r#"{"type":"newgame","game":"nim","seat":-1,"seed":1}"#,
        r#"{"type":"observe","events":[{"seen":"x"}]}"#,
    ] {
        assert!(serde_json::from_str::<Request>(line).is_err(), "{line}");
    }
}
