//! Lines in order, however many there are: sorted runs lie in files without a name, and are merged when they are read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::PathBuf;

/// Bytes of lines in memory at once.
const RUN_BYTES: usize = 32 << 20;

/// Lines to be sorted. None may hold a line break.
pub(super) struct SortedLines {
    folder: PathBuf,
    run: Vec<String>,
    run_bytes: usize,
    run_bytes_max: usize,
    runs: Vec<File>,
}

impl SortedLines {
    /// Runs lie in `folder`.
    pub(super) fn new(folder: PathBuf) -> SortedLines {
        SortedLines { folder, run: Vec::new(), run_bytes: 0, run_bytes_max: RUN_BYTES, runs: Vec::new() }
    }

    pub(super) fn add(&mut self, line: String) -> io::Result<()> {
        self.run_bytes += line.len() + size_of::<String>();
        self.run.push(line);
        if self.run_bytes > self.run_bytes_max {
            self.put_run_away()?;
        }
        Ok(())
    }

    fn put_run_away(&mut self) -> io::Result<()> {
        self.run.sort_unstable();
        let mut file = BufWriter::new(tempfile::tempfile_in(&self.folder)?);
        for line in self.run.drain(..) {
            writeln!(file, "{line}")?;
        }
        let mut file = file.into_inner()?;
        file.rewind()?;
        self.runs.push(file);
        self.run_bytes = 0;
        Ok(())
    }

    /// Hands all lines out in order.
    pub(super) fn merge(mut self, mut out: impl FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        self.run.sort_unstable();
        let mut runs: Vec<_> = self.runs.into_iter().map(|file| BufReader::new(file).lines()).collect();
        let mut heads = BinaryHeap::new();
        let mut newest = self.run.into_iter();
        let newest_index = runs.len();
        let mut next = |index: usize| match runs.get_mut(index) {
            Some(lines) => lines.next().transpose(),
            None => Ok(newest.next()),
        };
        for index in 0..=newest_index {
            heads.extend(next(index)?.map(|line| Reverse((line, index))));
        }
        while let Some(Reverse((line, index))) = heads.pop() {
            out(&line)?;
            heads.extend(next(index)?.map(|line| Reverse((line, index))));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_runs_come_out_as_one_in_order() {
        let mut lines = SortedLines { run_bytes_max: 200, ..SortedLines::new(std::env::temp_dir()) };
        let mut expected: Vec<String> =
            (0..500u32).map(|number| format!("{:x}", number.wrapping_mul(0x9E37_79B9))).collect();
        expected.iter().try_for_each(|line| lines.add(line.clone())).expect("the temporary folder can be written");
        assert!(lines.runs.len() > 10);
        expected.sort();
        let mut found = Vec::new();
        let read = lines.merge(|line| {
            found.push(line.to_owned());
            Ok(())
        });
        read.expect("it can be read again");
        assert_eq!(found, expected);
    }
}
