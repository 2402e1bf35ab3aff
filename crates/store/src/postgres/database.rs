//! Connections to Postgres: made when they are needed, kept for the next, at most so many; and work that is tried again when one breaks.
//!
//! A connection whose work failed is thrown away, which takes back whatever it had begun. So work is all done or not at all,
//! and can be done again.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use futures_executor::block_on;
use futures_util::future::try_join;
use tokio::runtime::{Handle, Runtime};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Error, Row, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::fault::Fault;

/// Connections of one process.
const SESSIONS_MAX: usize = 8;
/// How long a broken connection is tried anew …
const GIVE_UP_AFTER: Duration = Duration::from_secs(60);
/// … after how long first …
const BACK_OFF_FIRST: Duration = Duration::from_millis(50);
/// … and at most.
const BACK_OFF_MAX: Duration = Duration::from_secs(5);
/// A connection that is silent for so long is asked whether it lives, and given up if it does not say so.
const SILENCE_MAX: Duration = Duration::from_secs(30);
/// How long a connection may take to be made.
const CONNECT_MAX: Duration = Duration::from_secs(10);

/// What is handed to a statement.
pub(crate) type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A database, with the connections to it.
pub(crate) struct Database {
    config: Config,
    tls: MakeRustlsConnect,
    network: Network,
    sessions: Mutex<Sessions>,
    returned: Condvar,
}

/// The network's thread. A runtime must not be waited for where it may be dropped, which can be on another's thread.
struct Network(Option<Runtime>);

impl Drop for Network {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

#[derive(Default)]
struct Sessions {
    idle: Vec<Session>,
    /// Those that are at work.
    out_count: usize,
}

/// A connection, with the statements that it knows already.
pub(crate) struct Session {
    client: Client,
    statements: HashMap<&'static str, Statement>,
}

impl Database {
    /// Takes up a first connection, so that what is wrong with the address is told at once.
    pub(crate) fn connect(mut config: Config, schema: &str) -> Result<Database, Fault> {
        let options = config.get_options().map(|options| format!("{options} ")).unwrap_or_default();
        config.options(format!("{options}-c search_path={schema}"));
        // So that whoever runs the database sees who is who.
        config.application_name(format!("kuai {schema}"));
        config.keepalives_idle(SILENCE_MAX).tcp_user_timeout(SILENCE_MAX);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_MAX);
        }
        // One thread is enough: it only carries bytes to and fro.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(Fault::Runtime)?;
        let database = Database {
            config,
            tls: tls()?,
            network: Network(Some(runtime)),
            sessions: Mutex::default(),
            returned: Condvar::new(),
        };
        let first = database.new_session()?;
        database.lock().idle.push(first);
        Ok(database)
    }

    /// Where whatever needs the network's thread is started.
    pub(crate) fn runtime(&self) -> &Handle {
        self.network.0.as_ref().expect("the runtime is taken out only when the database is dropped").handle()
    }

    /// Does something that can be done again when the connection breaks under it.
    pub(crate) fn run<T>(&self, mut work: impl FnMut(&mut Session) -> Result<T, Fault>) -> Result<T, Fault> {
        retry(|_| {
            let mut session = self.take()?;
            let done = work(&mut session);
            self.give_back(done.is_ok().then_some(session));
            done
        })
    }

    /// Does something in one transaction, all of it or nothing.
    pub(crate) fn transact<T>(&self, mut work: impl FnMut(&mut Session) -> Result<T, Fault>) -> Result<T, Fault> {
        self.run(|session| {
            session.batch("BEGIN")?;
            let done = work(session)?;
            session.batch("COMMIT")?;
            Ok(done)
        })
    }

    /// A connection to be given back. Waits where there are too many already.
    pub(crate) fn take(&self) -> Result<Session, Fault> {
        let mut sessions = self.lock();
        while sessions.out_count >= SESSIONS_MAX {
            sessions = self.returned.wait(sessions).unwrap_or_else(PoisonError::into_inner);
        }
        sessions.out_count += 1;
        sessions.idle.retain(|session| !session.client.is_closed());
        if let Some(session) = sessions.idle.pop() {
            return Ok(session);
        }
        drop(sessions);
        self.new_session().inspect_err(|_| self.give_back(None))
    }

    /// Gives a connection back that has nothing begun; `None` for one that is not to be used again.
    pub(crate) fn give_back(&self, session: Option<Session>) {
        let mut sessions = self.lock();
        sessions.out_count -= 1;
        sessions.idle.extend(session);
        drop(sessions);
        self.returned.notify_one();
    }

    fn new_session(&self) -> Result<Session, Fault> {
        let (config, tls) = (self.config.clone(), self.tls.clone());
        let connecting = self.runtime().spawn(async move {
            let (client, connection) = config.connect(tls).await?;
            // It ends with the client; whoever uses that learns of its errors.
            tokio::spawn(async move { drop(connection.await) });
            Ok(client)
        });
        let client = block_on(connecting).map_err(Fault::Task)?.map_err(Fault::Database)?;
        Ok(Session { client, statements: HashMap::new() })
    }

    fn lock(&self) -> MutexGuard<'_, Sessions> {
        // Nothing panics between taking and giving back a session, and a lost one only makes the pool smaller.
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    pub(crate) fn query(&mut self, statement: &'static str, values: Values<'_>) -> Result<Vec<Row>, Fault> {
        let statement = self.prepared(statement)?;
        Ok(block_on(self.client.query(&statement, values))?)
    }

    /// The one row of a question that always has one.
    pub(crate) fn query_one(&mut self, statement: &'static str, values: Values<'_>) -> Result<Row, Fault> {
        let statement = self.prepared(statement)?;
        Ok(block_on(self.client.query_one(&statement, values))?)
    }

    pub(crate) fn query_opt(&mut self, statement: &'static str, values: Values<'_>) -> Result<Option<Row>, Fault> {
        let statement = self.prepared(statement)?;
        Ok(block_on(self.client.query_opt(&statement, values))?)
    }

    /// Asks two questions in one journey; the second sees what the first did.
    pub(crate) fn query_both(
        &mut self,
        first: (&'static str, Values<'_>),
        second: (&'static str, Values<'_>),
    ) -> Result<(Vec<Row>, Vec<Row>), Fault> {
        let statements = (self.prepared(first.0)?, self.prepared(second.0)?);
        let both = try_join(self.client.query(&statements.0, first.1), self.client.query(&statements.1, second.1));
        Ok(block_on(both)?)
    }

    /// Changes rows; tells how many.
    pub(crate) fn execute(&mut self, statement: &'static str, values: Values<'_>) -> Result<u64, Fault> {
        let statement = self.prepared(statement)?;
        Ok(block_on(self.client.execute(&statement, values))?)
    }

    /// Statements without values, one after another.
    pub(crate) fn batch(&mut self, statements: &str) -> Result<(), Fault> {
        Ok(block_on(self.client.batch_execute(statements))?)
    }

    fn prepared(&mut self, statement: &'static str) -> Result<Statement, Fault> {
        if let Some(prepared) = self.statements.get(statement) {
            return Ok(prepared.clone());
        }
        let prepared = block_on(self.client.prepare(statement))?;
        self.statements.insert(statement, prepared.clone());
        Ok(prepared)
    }
}

/// Does something again, later and later, as long as what stops it may pass. It is told which attempt it is, from 0.
pub(crate) fn retry<T>(mut work: impl FnMut(u32) -> Result<T, Fault>) -> Result<T, Fault> {
    let began = Instant::now();
    let (mut attempt, mut back_off) = (0, BACK_OFF_FIRST);
    loop {
        match work(attempt) {
            Err(fault) if fault.may_pass() && began.elapsed() + back_off < GIVE_UP_AFTER => thread::sleep(back_off),
            done => return done,
        }
        attempt += 1;
        back_off = (back_off * 2).min(BACK_OFF_MAX);
    }
}

/// Whether an error of the database may be gone in a while.
pub(crate) fn may_pass(error: &Error) -> bool {
    let Some(state) = error.code() else {
        // What the server did not say itself is about the way to it; a wrong address or password is never that once a connection was made.
        return error.is_closed() || has_io_cause(error);
    };
    let passing = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
        SqlState::LOCK_NOT_AVAILABLE,
    ];
    passing.contains(state) || state.code().starts_with("08")
}

fn has_io_cause(error: &Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.is::<std::io::Error>())
}

/// TLS for servers that ask for it, by the certificates that the system trusts.
fn tls() -> Result<MakeRustlsConnect, Fault> {
    use rustls_platform_verifier::BuilderVerifierExt;

    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_platform_verifier())
        .map_err(|error| Fault::Runtime(std::io::Error::other(error)))?;
    Ok(MakeRustlsConnect::new(config.with_no_client_auth()))
}

impl std::fmt::Debug for Database {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Database({:?})", self.config.get_hosts())
    }
}
