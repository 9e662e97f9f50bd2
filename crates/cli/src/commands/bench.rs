//! `fogtree bench`: the program's own speed.

use std::time::Duration;

use fogtree_core::spec::nearest;
use fogtree_lab::bench::{Figure, benches, signature, smoke};
use fogtree_table::Registry;

use crate::arguments::Bench;
use crate::failure::Failure;
use crate::output::{emit, emit_line, quantity};

/// Measures what is asked for, one figure at a time.
pub(crate) fn run(registry: &Registry, arguments: &Bench, json: bool) -> Result<(), Failure> {
    if !(0.001..=3600.0).contains(&arguments.seconds) {
        return Err(Failure::Input(format!(
            "--seconds {}: expected at least 0.001, at most 3600",
            arguments.seconds
        )));
    }
    let what = arguments.what.as_deref();
    if what == Some("smoke") && !arguments.list {
        let found = smoke(registry).map_err(Failure::Run)?;
        let figure = |what: &str, count: usize| Figure {
            what: what.to_string(),
            value: count as f64,
            unit: "pairs of agent and game",
        };
        show(&figure("smoke/decided", found.decided), json)?;
        return show(&figure("smoke/refused", found.refused), json);
    }
    let found = benches(registry, what.filter(|&w| w != "signature"));
    let signed = what.is_none_or(|w| w == "signature");
    let found = if what == Some("signature") { Vec::new() } else { found };
    if found.is_empty() && !signed {
        let all = benches(registry, None);
        let hint = nearest(what.unwrap_or_default(), all.iter().map(|b| b.name.as_str()));
        let hint = hint.map_or_else(String::new, |n| format!(", did you mean '{n}'?"));
        return Err(Failure::Input(format!(
            "there is nothing to measure called '{}'{hint}; fogtree bench --list lists all",
            what.unwrap_or_default()
        )));
    }
    if arguments.list {
        let names = found.iter().map(|b| b.name.as_str()).chain(signed.then_some("signature"));
        let line = |name: &str| match json {
            true => serde_json::json!({"what": name}).to_string() + "\n",
            false => format!("{name}\n"),
        };
        return emit(&names.map(line).collect::<String>());
    }
    for bench in found {
        show(&bench.run(registry, Duration::from_secs_f64(arguments.seconds)), json)?;
    }
    if signed {
        let value = signature(registry) as f64;
        show(&Figure { what: "signature".to_string(), value, unit: "checksum" }, json)?;
    }
    Ok(())
}

fn show(figure: &Figure, json: bool) -> Result<(), Failure> {
    if json {
        return emit_line(&serde_json::to_string(figure).expect("figures serialise"));
    }
    let value = if figure.unit == "checksum" { figure.value.to_string() } else { quantity(figure.value) };
    emit(&format!("{:32} {value:>16} {}\n", figure.what, figure.unit))
}
