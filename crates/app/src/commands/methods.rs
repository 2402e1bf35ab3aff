//! `kuai methods`: the table of methods with their parameters.

use std::io::{self, Write};

use kuai_segment::{DEFAULT_METHOD, METHODS, Method};
use serde_json::{Value, json};

use crate::Outcome;

/// List the methods with their parameters and defaults.
#[derive(clap::Args)]
#[command(after_help = "Example: kuai methods --json | jq -r '.[].name'")]
pub(crate) struct Methods {
    /// One JSON document.
    #[arg(long)]
    json: bool,
}

impl Methods {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let mut out = io::stdout().lock();
        if self.json {
            let table: Vec<Value> = METHODS.iter().map(method_json).collect();
            serde_json::to_writer_pretty(&mut out, &table)?;
            writeln!(out)?;
        } else {
            for method in METHODS {
                write_method(&mut out, method)?;
            }
        }
        Ok(Outcome::Done)
    }
}

fn write_method(out: &mut impl Write, method: &Method) -> io::Result<()> {
    let default = if method.name == DEFAULT_METHOD { " (default)" } else { "" };
    writeln!(out, "{}{default}: {}\n    {}", method.name, method.summary, method.origin)?;
    for parameter in method.parameters {
        let symbol = if parameter.symbol.is_empty() { String::new() } else { format!(" ({})", parameter.symbol) };
        writeln!(
            out,
            "    {}{symbol} = {}, {} to {}: {}",
            parameter.name, parameter.default, parameter.min, parameter.max, parameter.summary
        )?;
    }
    Ok(())
}

fn method_json(method: &Method) -> Value {
    let parameters: Vec<Value> = method
        .parameters
        .iter()
        .map(|parameter| {
            json!({
                "name": parameter.name, "symbol": parameter.symbol, "summary": parameter.summary,
                "default": parameter.default, "min": parameter.min, "max": parameter.max,
            })
        })
        .collect();
    json!({
        "name": method.name, "summary": method.summary, "origin": method.origin,
        "default": method.name == DEFAULT_METHOD, "parameters": parameters,
    })
}
