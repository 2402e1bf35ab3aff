//! How many requests a client may make: a bucket each, from which every request takes one and which fills again over time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::client::Client;

/// Clients that are counted at a time.
const CLIENTS_MAX: usize = 8192;

/// Counts requests by client.
pub(crate) struct Rate {
    per_second: f64,
    burst: f64,
    buckets: Mutex<HashMap<Client, Bucket>>,
}

struct Bucket {
    level: f64,
    at: Instant,
}

impl Rate {
    /// So many a second in the long run, and so many at once.
    pub(crate) fn new(per_second: u32, burst: u32) -> Rate {
        Rate { per_second: f64::from(per_second.max(1)), burst: f64::from(burst.max(1)), buckets: Mutex::default() }
    }

    /// Takes one; how long to wait where there is none.
    pub(crate) fn take(&self, client: Client, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= CLIENTS_MAX {
            self.make_room(&mut buckets, now);
        }
        let bucket = buckets.entry(client).or_insert(Bucket { level: self.burst, at: now });
        bucket.level = self.level(bucket, now);
        bucket.at = now;
        if bucket.level < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.level) / self.per_second));
        }
        bucket.level -= 1.0;
        Ok(())
    }

    fn level(&self, bucket: &Bucket, now: Instant) -> f64 {
        let filled = now.saturating_duration_since(bucket.at).as_secs_f64() * self.per_second;
        (bucket.level + filled).min(self.burst)
    }

    /// A full bucket is as good as none. Where all are in use, all are forgotten, so that nobody keeps others out by being many.
    fn make_room(&self, buckets: &mut HashMap<Client, Bucket>, now: Instant) {
        buckets.retain(|_, bucket| self.level(bucket, now) < self.burst);
        if buckets.len() >= CLIENTS_MAX {
            buckets.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderMap;

    use super::*;

    fn client(number: u32) -> Client {
        Client::of(std::net::Ipv4Addr::from_bits(number).into(), &HeaderMap::new(), false)
    }

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let (rate, start) = (Rate::new(10, 3), Instant::now());
        (0..3).for_each(|_| assert_eq!(rate.take(client(1), start), Ok(())));
        assert_eq!(rate.take(client(1), start), Err(Duration::from_millis(100)));
        assert_eq!(rate.take(client(2), start), Ok(()), "others have their own");
        assert_eq!(rate.take(client(1), start + Duration::from_millis(100)), Ok(()));
        assert!(rate.take(client(1), start + Duration::from_millis(100)).is_err());
        let later = start + Duration::from_secs(60);
        (0..3).for_each(|_| assert_eq!(rate.take(client(1), later), Ok(())));
        assert!(rate.take(client(1), later).is_err(), "it does not overflow");
    }

    #[test]
    fn the_table_is_bounded() {
        let (rate, start) = (Rate::new(1, 10), Instant::now());
        (0..3 * CLIENTS_MAX as u32).for_each(|number| assert_eq!(rate.take(client(number), start), Ok(())));
        assert!(rate.buckets.lock().expect("nobody panicked").len() <= CLIENTS_MAX);
    }
}
