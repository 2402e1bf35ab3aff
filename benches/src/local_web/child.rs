//! The local web as a child process, so that its work is not counted with the crawler's.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A running local web; it ends with this value.
pub struct LocalWeb {
    child: Child,
    port: u16,
    log: PathBuf,
}

/// A request that the server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The address that was asked for.
    pub url: String,
    /// The answer's status.
    pub status: u16,
}

impl LocalWeb {
    /// Starts the program `web` that lies beside this one, with a log at `log` and further arguments.
    pub fn start(folder: &Path, log: &Path, arguments: &[&str]) -> io::Result<LocalWeb> {
        let program = std::env::current_exe()?.with_file_name("web");
        let mut command = Command::new(program);
        command
            .arg("--folder")
            .arg(folder)
            .arg("--log")
            .arg(log)
            .args(["--port", "0", "--with-parent"])
            .args(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().expect("the output is piped");
        // Its first line names a site: `NAME http://ADDRESS:PORT/…`.
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let port = line.split([':', '/']).filter_map(|part| part.parse().ok()).next();
        let port = port.ok_or_else(|| io::Error::other("the local web did not start"))?;
        Ok(LocalWeb { child, port, log: log.to_owned() })
    }

    /// The port of all sites.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The requests that came after the log had `from` lines, in order.
    pub fn requests(&self, from: usize) -> io::Result<Vec<LogLine>> {
        let text = fs::read_to_string(&self.log)?;
        Ok(text.lines().skip(from).filter_map(LogLine::read).collect())
    }
}

impl Drop for LocalWeb {
    fn drop(&mut self) {
        // It may be gone already, and then there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl LogLine {
    fn read(line: &str) -> Option<LogLine> {
        let mut words = line.split(' ').skip(1);
        let (host, path, status) = (words.next()?, words.next()?, words.next()?);
        Some(LogLine { url: format!("http://{host}{path}"), status: status.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_log_gives_the_address_back() {
        let line = LogLine::read("1700000000000000 127.0.0.2:8080 /a?b 404").unwrap();
        assert_eq!(line, LogLine { url: "http://127.0.0.2:8080/a?b".to_owned(), status: 404 });
        assert_eq!(LogLine::read("cut of"), None);
    }
}
