//! The table of commands: one file each.

mod ask;
mod blame;
mod clean;
mod collect;
mod compact;
mod completions;
mod copy;
mod demo;
mod diff;
mod discover;
mod due;
mod eval;
mod export;
mod extract;
mod features;
mod history;
mod import;
mod index;
mod learn;
mod links;
mod man;
mod mcp;
mod methods;
mod put;
mod search;
mod segment;
mod serve;
mod show;
mod stats;
mod topics;
mod tune;
mod urls;
mod verify;
mod watch;
mod when;

use clap::Subcommand;

use crate::Outcome;

/// What kuai can do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Demo(demo::Demo),
    Segment(segment::Segment),
    Extract(extract::Extract),
    Learn(learn::Learn),
    Clean(clean::Clean),
    Features(features::Features),
    Collect(Box<collect::Collect>),
    Due(due::Due),
    Put(put::Put),
    Import(import::Import),
    Export(export::Export),
    Urls(urls::Urls),
    History(history::History),
    Show(show::Show),
    Diff(diff::Diff),
    Blame(blame::Blame),
    Search(Box<search::Search>),
    When(when::When),
    Ask(ask::Ask),
    Topics(topics::Topics),
    Links(links::Links),
    Discover(discover::Discover),
    Index(index::Index),
    Watch(watch::Watch),
    Mcp(mcp::Mcp),
    Serve(serve::Serve),
    Stats(stats::Stats),
    Verify(verify::Verify),
    Compact(compact::Compact),
    Copy(copy::Copy),
    Methods(methods::Methods),
    Eval(eval::Eval),
    Tune(tune::Tune),
    Completions(completions::Completions),
    Man(man::Man),
}

/// Runs one command.
pub(crate) fn run(command: Command, quiet: bool) -> anyhow::Result<Outcome> {
    match command {
        Command::Demo(demo) => demo.run(quiet),
        Command::Segment(segment) => segment.run(quiet),
        Command::Extract(extract) => extract.run(quiet),
        Command::Learn(learn) => learn.run(quiet),
        Command::Clean(clean) => clean.run(quiet),
        Command::Features(features) => features.run(quiet),
        Command::Collect(collect) => collect.run(quiet),
        Command::Due(due) => due.run(),
        Command::Put(put) => put.run(quiet),
        Command::Import(import) => import.run(quiet),
        Command::Export(export) => export.run(quiet),
        Command::Urls(urls) => urls.run(),
        Command::History(history) => history.run(),
        Command::Show(show) => show.run(),
        Command::Diff(diff) => diff.run(),
        Command::Blame(blame) => blame.run(),
        Command::Search(search) => search.run(quiet),
        Command::When(when) => when.run(quiet),
        Command::Ask(ask) => ask.run(quiet),
        Command::Topics(topics) => topics.run(quiet),
        Command::Links(links) => links.run(quiet),
        Command::Discover(discover) => discover.run(quiet),
        Command::Index(index) => index.run(quiet),
        Command::Watch(watch) => watch.run(quiet),
        Command::Mcp(mcp) => mcp.run(quiet),
        Command::Serve(serve) => serve.run(quiet),
        Command::Stats(stats) => stats.run(),
        Command::Verify(verify) => verify.run(quiet),
        Command::Compact(compact) => compact.run(quiet),
        Command::Copy(copy) => copy.run(quiet),
        Command::Methods(methods) => methods.run(),
        Command::Eval(eval) => eval.run(quiet),
        Command::Tune(tune) => tune.run(quiet),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    }
}
