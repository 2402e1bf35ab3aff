//! Goes through the captures that a question is about, so many at a time.

use std::vec::IntoIter;

use super::line::Line;
use super::query::{Order, Query};
use crate::holdings::{Holdings, KeyRange, Moment};
use crate::refusal::Refusal;

/// Captures that are looked at in one step, and keys.
const MOMENTS_PER_STEP: usize = 512;
const KEYS_PER_STEP: usize = 256;

/// Where an answer is.
pub(super) struct Cursor {
    query: Query,
    /// What is not begun yet; `None` at the end.
    range: Option<KeyRange>,
    /// How many keys may still be begun.
    keys_left: usize,
    /// How many lines may still be given.
    lines_left: usize,
    /// The key that is begun, and what is left of it.
    key: String,
    moments: IntoIter<Moment>,
    /// What each collapse saw last.
    tokens: Vec<Option<String>>,
    /// Lines by their distance in seconds, where those near a time come first.
    nearest: Vec<(u64, String)>,
}

impl Cursor {
    /// Begins an answer; one that is sorted by nearness holds at most so many lines.
    pub(super) fn new(query: Query, holdings: &Holdings, closest_lines: usize) -> Result<Cursor, Refusal> {
        holdings.refresh()?;
        let (range, keys_left) = match query.page {
            Some(page) => (holdings.behind(&query.range, page.saturating_mul(query.page_size)), query.page_size),
            None => (Some(query.range.clone()), usize::MAX),
        };
        let is_closest = matches!(query.order, Order::Closest(_));
        let lines_left = if is_closest { query.limit.min(closest_lines) } else { query.limit };
        let tokens = query.collapses.iter().map(|_| None).collect();
        let (key, moments, nearest) = (String::new(), Vec::new().into_iter(), Vec::new());
        Ok(Cursor { query, range, keys_left, lines_left, key, moments, tokens, nearest })
    }

    /// Whether there is nothing more to give.
    pub(super) fn is_at_end(&self) -> bool {
        self.lines_left == 0 || self.range.is_none() && self.moments.len() == 0
    }

    /// The next lines. None may mean that there are more behind them.
    pub(super) fn step(&mut self, holdings: &Holdings) -> Result<String, Refusal> {
        let (mut text, mut seen, mut keys) = (String::new(), 0, 0);
        while seen < MOMENTS_PER_STEP && keys < KEYS_PER_STEP && !self.is_at_end() {
            match self.moments.next() {
                Some(moment) => {
                    seen += 1;
                    let line = self.line(&moment, holdings)?;
                    self.take(&moment, line, &mut text);
                }
                None => {
                    keys += 1;
                    self.begin_key(holdings)?;
                }
            }
        }
        if self.is_at_end() {
            text.extend(self.nearest.drain(..).map(|(_, line)| line));
        }
        Ok(text)
    }

    fn begin_key(&mut self, holdings: &Holdings) -> Result<(), Refusal> {
        let is_reverse = self.query.order == Order::Reverse;
        let range = self.range.take().filter(|_| self.keys_left > 0);
        let Some(range) = range else { return Ok(()) };
        let Some((key, moments)) = holdings.next(&range, is_reverse)? else { return Ok(()) };
        self.keys_left -= 1;
        self.range = Some(range.past(&key, is_reverse));
        (self.key, self.moments) = (key, moments.into_iter());
        if is_reverse {
            self.turn_round(holdings)?;
        }
        Ok(())
    }

    /// What is left of a key, backwards. What collapses does so in order of time, so that it leaves the same lines either way.
    fn turn_round(&mut self, holdings: &Holdings) -> Result<(), Refusal> {
        let mut kept: Vec<Moment> = std::mem::take(&mut self.moments).collect();
        if !self.query.collapses.is_empty() {
            self.tokens.fill(None);
            let mut passed = Vec::new();
            for moment in kept {
                if self.line(&moment, holdings)?.is_some() {
                    passed.push(moment);
                }
            }
            kept = passed;
            self.tokens.fill(None);
        }
        kept.reverse();
        self.moments = kept.into_iter();
        Ok(())
    }

    /// The line of a capture, unless it is left out.
    fn line(&mut self, moment: &Moment, holdings: &Holdings) -> Result<Option<String>, Refusal> {
        let query = &self.query;
        if query.from.is_some_and(|from| moment.time < from)
            || query.to.is_some_and(|to| moment.time.as_second() > to.as_second())
        {
            return Ok(None);
        }
        let detail = if query.needs_detail() { Some(holdings.detail(moment)?) } else { None };
        let resolves_revisits = query.resolves_revisits;
        let line = Line { key: &self.key, moment, detail: detail.as_deref(), resolves_revisits };
        if !query.filters.iter().all(|filter| filter.passes(&line)) {
            return Ok(None);
        }
        for (collapse, last) in query.collapses.iter().zip(&mut self.tokens) {
            let token = Some(collapse.token(&line));
            if *last == token {
                return Ok(None);
            }
            *last = token;
        }
        Ok(Some(line.written(query.output, query.fields.as_deref())))
    }

    /// Gives a line, or keeps it if it is near enough.
    fn take(&mut self, moment: &Moment, line: Option<String>, text: &mut String) {
        let Some(line) = line else { return };
        let Order::Closest(time) = self.query.order else {
            self.lines_left -= 1;
            return text.push_str(&line);
        };
        let distance = moment.time.as_second().abs_diff(time.as_second());
        let place = self.nearest.partition_point(|(known, _)| *known <= distance);
        if place < self.lines_left {
            self.nearest.insert(place, (distance, line));
            self.nearest.truncate(self.lines_left);
        }
    }
}
