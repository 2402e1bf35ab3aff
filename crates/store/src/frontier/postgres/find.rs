//! Takes in what was found: what is not known is added, and what is known is raised where it was found in a better place.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use kuai_crawl::{Decision, Find, HostId, Stage};

use super::change::Change;
use super::rows::{Waiting, plain, waiting};
use super::{HOST_NAMES_MAX, PostgresFrontier, key_of};
use crate::frontier::rows::via_number;
use crate::frontier::{NOTHING, host_name};
use crate::key::key_of as key_of_name;
use crate::postgres::Fault;

/// How often what another worker adds at the same moment is looked up again.
const ROUNDS_MAX: usize = 5;

/// Finds by the keys of their addresses, each address once: the best find of it, in the place of the first.
pub(super) struct Finds<'a> {
    by_key: BTreeMap<[u8; 16], (usize, &'a Find)>,
    hosts: HashMap<String, HostId>,
}

impl<'a> Finds<'a> {
    /// With the hosts of all of them, which are made where there are none.
    pub(super) fn of(frontier: &PostgresFrontier, finds: &'a [Find]) -> Result<Finds<'a>, Fault> {
        let mut by_key: BTreeMap<[u8; 16], (usize, &Find)> = BTreeMap::new();
        for (place, find) in finds.iter().enumerate() {
            let best = by_key.entry(key_of(&find.url).0).or_insert((place, find));
            if find.decision > best.1.decision {
                best.1 = find;
            }
        }
        let hosts = hosts(frontier, finds)?;
        Ok(Finds { by_key, hosts })
    }
}

/// The numbers of the finds' hosts.
fn hosts(frontier: &PostgresFrontier, finds: &[Find]) -> Result<HashMap<String, HostId>, Fault> {
    let mut known = HashMap::new();
    // In the order in which they were found, which is the order in which equal hosts are asked.
    let mut missing: Vec<&str> = Vec::new();
    {
        let state = frontier.state();
        for name in finds.iter().map(|find| host_name(&find.url)) {
            match state.hosts.get(name) {
                Some(host) => drop(known.insert(name.to_owned(), *host)),
                None if missing.contains(&name) => {}
                None => missing.push(name),
            }
        }
    }
    if missing.is_empty() {
        return Ok(known);
    }
    let keys: Vec<Vec<u8>> = missing.iter().map(|name| key_of_name(name).0.to_vec()).collect();
    let rows = frontier.core.database.run(|session| {
        session.execute(
            "INSERT INTO crawl_host (crawl, key, name, best)
             SELECT $1, key, name, $4 FROM unnest($2::bytea[], $3::text[]) AS new (key, name) ON CONFLICT DO NOTHING",
            &[&frontier.crawl, &keys, &missing, &NOTHING],
        )?;
        session.query("SELECT name, id FROM crawl_host WHERE crawl = $1 AND key = ANY($2)", &[&frontier.crawl, &keys])
    })?;
    let mut state = frontier.state();
    if state.hosts.len() >= HOST_NAMES_MAX {
        state.hosts.clear();
    }
    for row in rows {
        let (name, host): (String, HostId) = (row.get(0), HostId(row.get(1)));
        state.hosts.insert(name.clone(), host);
        known.insert(name, host);
    }
    Ok(known)
}

impl Change<'_> {
    /// Takes addresses in; tells how many are ready now that were not known.
    pub(super) fn find(&mut self, finds: &Finds<'_>) -> Result<u64, Fault> {
        let mut open: Vec<[u8; 16]> = finds.by_key.keys().copied().collect();
        let mut fresh = 0;
        for _ in 0..ROUNDS_MAX {
            if open.is_empty() {
                break;
            }
            let known = self.known_of(&open)?;
            let (old, new): (Vec<_>, Vec<_>) = open.into_iter().partition(|key| known.contains_key(key));
            fresh += self.raise(finds, &old, &known)?;
            let (added, overtaken) = self.add(finds, &new)?;
            fresh += added;
            open = overtaken;
        }
        Ok(fresh)
    }

    fn known_of(&mut self, keys: &[[u8; 16]]) -> Result<HashMap<[u8; 16], Waiting>, Fault> {
        let columns: Vec<&[u8]> = keys.iter().map(|key| &key[..]).collect();
        let rows = self.session.query(
            "SELECT id, host, priority, stage, key FROM crawl_url WHERE crawl = $1 AND key = ANY($2)",
            &[&self.crawl, &columns],
        )?;
        let known = rows.iter().map(|row| (row.get::<_, &[u8]>(4).try_into().unwrap_or_default(), waiting(row)));
        Ok(known.collect())
    }

    /// Adds addresses; tells how many are ready, and which another worker has added before us.
    fn add(&mut self, finds: &Finds<'_>, keys: &[[u8; 16]]) -> Result<(u64, Vec<[u8; 16]>), Fault> {
        if keys.is_empty() {
            return Ok((0, Vec::new()));
        }
        let mut columns = NewUrls::of(finds, keys);
        // Numbers are in the order in which addresses were found; rows are in the order of their keys, so that no two workers wait for
        // each other in a circle.
        let ids = self.session.query(
            // The name of the sequence is looked up once and not for every number.
            "WITH sequence AS MATERIALIZED (SELECT pg_get_serial_sequence('crawl_url', 'id')::regclass AS name)
             SELECT nextval(name) FROM sequence, generate_series(1, $1)",
            &[&(keys.len() as i32)],
        )?;
        columns.number(ids.iter().map(|row| row.get(0)));
        let rows = self.session.query(
            "INSERT INTO crawl_url (crawl, id, key, host, url, via, parent, depth, hops, priority, stage, why, reason)
             SELECT $1, new.* FROM unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::text[], $6::smallint[], $7::bigint[], $8::integer[],
                                          $9::integer[], $10::integer[], $11::smallint[], $12::text[], $13::text[]) AS new
             ON CONFLICT (crawl, key) DO NOTHING RETURNING key",
            &[
                &self.crawl,
                &columns.ids,
                &columns.keys,
                &columns.hosts,
                &columns.urls,
                &columns.vias,
                &columns.parents,
                &columns.depths,
                &columns.hops,
                &columns.priorities,
                &columns.stages,
                &columns.whys,
                &columns.reasons,
            ],
        )?;
        let added: std::collections::HashSet<&[u8]> = rows.iter().map(|row| row.get(0)).collect();
        let mut ready = 0;
        for (index, key) in keys.iter().enumerate().filter(|(_, key)| added.contains(&key[..])) {
            match finds.by_key[key].1.decision {
                Decision::Follow(priority) => {
                    self.enter(HostId(columns.hosts[index]), priority);
                    ready += 1;
                }
                Decision::Skip => self.count(Stage::Skipped, 1),
            }
        }
        Ok((ready, keys.iter().filter(|key| !added.contains(&key[..])).copied().collect()))
    }

    /// Addresses that are known were found in other places, which may be better ones. Tells how many are ready that were not.
    fn raise(
        &mut self,
        finds: &Finds<'_>,
        keys: &[[u8; 16]],
        known: &HashMap<[u8; 16], Waiting>,
    ) -> Result<u64, Fault> {
        let mut better: BTreeMap<i64, &Find> = BTreeMap::new();
        for key in keys {
            let find = finds.by_key[key].1;
            if raised_to(&known[key], find).is_some() {
                better.insert(known[key].id, find);
            }
        }
        if better.is_empty() {
            return Ok(0);
        }
        let ids: Vec<i64> = better.keys().copied().collect();
        // Looked at again under a lock: they may have been claimed meanwhile.
        let locked = self.session.query(
            "SELECT id, host, priority, stage FROM crawl_url WHERE id = ANY($1) ORDER BY id FOR UPDATE",
            &[&ids],
        )?;
        let mut fresh = 0;
        for known in locked.iter().map(waiting) {
            let find = better[&known.id];
            let Some(priority) = raised_to(&known, find) else { continue };
            self.leave(&known);
            self.enter(known.host, priority);
            let parent = find.parent.map(|parent| parent.0);
            self.session.execute(
                "UPDATE crawl_url SET via = $2, parent = $3, depth = $4, hops = $5, priority = $6, stage = 0, why = $7, reason = ''
                 WHERE id = $1",
                &[
                    &known.id,
                    &i16::from(via_number(find.via)),
                    &parent,
                    &(find.depth as i32),
                    &(find.hops as i32),
                    &priority,
                    &plain(&find.why),
                ],
            )?;
            fresh += u64::from(known.stage == Stage::Skipped);
        }
        Ok(fresh)
    }
}

/// The priority that an address gets by being found in another place; `None` where it stays as it is.
fn raised_to(known: &Waiting, find: &Find) -> Option<i32> {
    let Decision::Follow(priority) = find.decision else { return None };
    let is_raised = match known.stage {
        // Skipped when it was found; not when it was tried, as what robots.txt forbids stays forbidden.
        Stage::Skipped => known.priority == NOTHING,
        Stage::Ready => priority > known.priority,
        _ => false,
    };
    is_raised.then_some(priority)
}

/// New addresses, column by column.
#[derive(Default)]
struct NewUrls<'a> {
    ids: Vec<i64>,
    /// Places among the finds.
    places: Vec<usize>,
    keys: Vec<&'a [u8]>,
    hosts: Vec<i64>,
    urls: Vec<&'a str>,
    vias: Vec<i16>,
    parents: Vec<Option<i64>>,
    depths: Vec<i32>,
    hops: Vec<i32>,
    priorities: Vec<i32>,
    stages: Vec<i16>,
    whys: Vec<Cow<'a, str>>,
    reasons: Vec<Cow<'a, str>>,
}

impl<'a> NewUrls<'a> {
    fn of(finds: &Finds<'a>, keys: &'a [[u8; 16]]) -> NewUrls<'a> {
        let mut columns = NewUrls::default();
        for key in keys {
            let (place, find) = finds.by_key[key];
            let (stage, priority, reason) = match find.decision {
                Decision::Follow(priority) => (Stage::Ready, priority, ""),
                Decision::Skip => (Stage::Skipped, NOTHING, find.why.as_str()),
            };
            columns.places.push(place);
            columns.keys.push(key);
            columns.hosts.push(finds.hosts.get(host_name(&find.url)).map_or(0, |host| host.0));
            columns.urls.push(find.url.as_str());
            columns.vias.push(i16::from(via_number(find.via)));
            columns.parents.push(find.parent.map(|parent| parent.0));
            columns.depths.push(find.depth as i32);
            columns.hops.push(find.hops as i32);
            columns.priorities.push(priority);
            columns.stages.push(stage as u8 as i16);
            columns.whys.push(plain(&find.why));
            columns.reasons.push(plain(reason));
        }
        columns
    }

    /// Gives numbers in the order in which the addresses were found.
    fn number(&mut self, numbers: impl Iterator<Item = i64>) {
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        order.sort_by_key(|index| self.places[*index]);
        self.ids = vec![0; order.len()];
        for (index, number) in order.into_iter().zip(numbers) {
            self.ids[index] = number;
        }
    }
}
