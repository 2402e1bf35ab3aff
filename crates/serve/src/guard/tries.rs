//! How often somebody may guess: a few times at once, then ever more rarely.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::client::Client;

/// Guesses that nobody has to wait between.
const FREE_TRIES: u32 = 5;
/// The first wait; it doubles with each further guess.
const WAIT_MIN: Duration = Duration::from_secs(1);
const WAIT_MAX: Duration = Duration::from_secs(900);
/// How long guesses are remembered.
const REMEMBERED: Duration = Duration::from_secs(3600);
/// Clients that are remembered.
const CLIENTS_MAX: usize = 4096;

/// Who guessed how often.
#[derive(Default)]
pub(crate) struct Tries {
    clients: Mutex<HashMap<Client, Guesses>>,
}

struct Guesses {
    count: u32,
    last: Instant,
    /// Not before this time again.
    free_at: Instant,
}

impl Tries {
    /// Counts a guess before it is looked at, so that many at once are counted, too; how long to wait where it is one too many.
    pub(crate) fn begin(&self, client: Client, now: Instant) -> Result<(), Duration> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        make_room(&mut clients, now);
        let guesses = clients.entry(client).or_insert(Guesses { count: 0, last: now, free_at: now });
        if guesses.free_at > now {
            return Err(guesses.free_at - now);
        }
        guesses.count += 1;
        guesses.last = now;
        if guesses.count >= FREE_TRIES {
            let doubled = WAIT_MIN.saturating_mul(1 << (guesses.count - FREE_TRIES).min(20));
            guesses.free_at = now + doubled.min(WAIT_MAX);
        }
        Ok(())
    }

    /// It was right, so what went before does not count.
    pub(crate) fn was_right(&self, client: Client) {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner).remove(&client);
    }
}

/// Forgets what is long ago, and of a full table whoever guessed longest ago.
fn make_room(clients: &mut HashMap<Client, Guesses>, now: Instant) {
    if clients.len() < CLIENTS_MAX {
        return;
    }
    clients.retain(|_, guesses| now.saturating_duration_since(guesses.last) < REMEMBERED);
    if clients.len() >= CLIENTS_MAX
        && let Some(oldest) = clients.iter().min_by_key(|(_, guesses)| guesses.last).map(|(client, _)| *client)
    {
        clients.remove(&oldest);
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
    fn guesses_get_rarer_until_one_is_right() {
        let (tries, start) = (Tries::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        (0..5).for_each(|_| assert_eq!(tries.begin(client(1), at(0)), Ok(())));
        assert_eq!(tries.begin(client(1), at(0)), Err(Duration::from_secs(1)));
        assert_eq!(tries.begin(client(2), at(0)), Ok(()), "others do not wait for it");
        assert_eq!(tries.begin(client(1), at(1)), Ok(()));
        assert_eq!(tries.begin(client(1), at(1)), Err(Duration::from_secs(2)));
        tries.was_right(client(1));
        assert_eq!(tries.begin(client(1), at(1)), Ok(()));
    }

    #[test]
    fn no_more_clients_than_allowed_are_remembered() {
        let (tries, start) = (Tries::default(), Instant::now());
        (0..2 * CLIENTS_MAX as u32).for_each(|number| assert_eq!(tries.begin(client(number), start), Ok(())));
        assert!(tries.clients.lock().expect("nobody panicked").len() <= CLIENTS_MAX);
    }
}
