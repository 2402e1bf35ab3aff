-- Format 1 of the shared archive. docs/shared-archive.md tells what the views are for; tables are for kuai alone.

-- One row: what the archive is, and sums over all of it. Whoever commits holds it for a moment, which is what puts the change feed in order.
CREATE TABLE state (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    archive text NOT NULL,
    objects text NOT NULL,
    entry_count bigint NOT NULL DEFAULT 0,
    url_count bigint NOT NULL DEFAULT 0,
    bytes_given bigint NOT NULL DEFAULT 0,
    figures bigint[] NOT NULL DEFAULT '{0,0,0,0,0,0,0,0,0,0,0,0}'
);

-- Numbers are handed out in blocks, so that a new address costs no question.
CREATE SEQUENCE reel_number AS bigint MINVALUE 0 START 0 INCREMENT 64;
CREATE SEQUENCE object_number AS bigint;

-- Objects that something points to; what lies in the object store and is not here was left by a crash.
CREATE TABLE object (number bigint PRIMARY KEY, length bigint NOT NULL);

CREATE TABLE address (
    id bigint PRIMARY KEY,
    key bytea NOT NULL UNIQUE,
    host text COLLATE "C" NOT NULL,
    url text COLLATE "C" NOT NULL,
    entry_count integer NOT NULL,
    reel bigint NOT NULL,
    first_second bigint NOT NULL,
    first_nanosecond integer NOT NULL,
    last_second bigint NOT NULL,
    last_nanosecond integer NOT NULL
);
CREATE INDEX address_listing ON address (left(host, 256), left(url, 1024));

CREATE TABLE reel (
    number bigint PRIMARY KEY,
    address bigint NOT NULL,
    host_key bigint NOT NULL,
    first_number integer NOT NULL,
    entry_count integer NOT NULL,
    root bigint,
    root_length integer NOT NULL,
    packed_count integer NOT NULL DEFAULT 0,
    object bigint,
    place bigint,
    length bigint
);
CREATE INDEX reel_of_address ON reel (address, first_number);
CREATE INDEX reel_root ON reel (host_key, number DESC) WHERE root IS NULL;
CREATE INDEX reel_object ON reel (object) WHERE object IS NOT NULL;

CREATE TABLE entry (
    sequence bigint PRIMARY KEY,
    address bigint NOT NULL,
    number integer NOT NULL,
    reel bigint NOT NULL,
    second bigint NOT NULL,
    nanosecond integer NOT NULL,
    hash bytea NOT NULL,
    body_length bigint NOT NULL,
    stored_length bigint NOT NULL,
    figures bigint[] NOT NULL,
    object bigint,
    place bigint,
    length bigint,
    UNIQUE (address, number)
);
CREATE INDEX entry_object ON entry (object) WHERE object IS NOT NULL;
CREATE INDEX entry_unpacked ON entry (reel) WHERE object IS NOT NULL;

CREATE TABLE blob (hash bytea PRIMARY KEY, object bigint NOT NULL, place bigint NOT NULL, length bigint NOT NULL);
CREATE INDEX blob_object ON blob (object);

CREATE VIEW versions AS
SELECT address.url,
       entry.number,
       entry.sequence,
       to_timestamp(entry.second) + entry.nanosecond / 1000 * interval '1 microsecond' AS "time",
       (coalesce(entry.figures[10], 0) # 200)::integer AS status,
       coalesce(entry.figures[1], 0) & 1 = 1 AS is_page,
       coalesce(entry.figures[9], 0) = 1 AS is_seen_again,
       coalesce(entry.figures[1], 0) & 2 = 2 AS is_content_changed,
       coalesce(entry.figures[2], 0) AS blocks,
       coalesce(entry.figures[4], 0) AS changed,
       coalesce(entry.figures[5], 0) AS added,
       coalesce(entry.figures[6], 0) AS removed,
       coalesce(entry.figures[8], 0) AS moved,
       entry.body_length AS bytes,
       entry.stored_length AS stored,
       encode(entry.hash, 'hex') AS hash
FROM entry JOIN address ON address.id = entry.address;

CREATE VIEW changes AS
SELECT sequence, url, number, "time", status, is_seen_again, is_content_changed FROM versions;

-- What crawls have still to visit. Stages: 0 ready, 1 claimed, 2 later, 3 done, 4 failed, 5 skipped. Times are milliseconds since 1970.
CREATE TABLE crawl (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key bytea NOT NULL UNIQUE,
    name text NOT NULL,
    mark bigint NOT NULL DEFAULT 0,
    memory text,
    ready bigint NOT NULL DEFAULT 0,
    claimed bigint NOT NULL DEFAULT 0,
    later bigint NOT NULL DEFAULT 0,
    done bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    skipped bigint NOT NULL DEFAULT 0
);

-- A worker without a row here has lost its claims, and nothing that it writes is taken any more.
CREATE TABLE worker (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    crawl bigint NOT NULL,
    label text NOT NULL,
    until timestamptz NOT NULL,
    batch bigint NOT NULL DEFAULT 0
);

CREATE TABLE crawl_host (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    crawl bigint NOT NULL,
    key bytea NOT NULL,
    name text NOT NULL,
    ready bigint NOT NULL DEFAULT 0,
    claimed bigint NOT NULL DEFAULT 0,
    best integer NOT NULL,
    not_before bigint NOT NULL DEFAULT 0,
    worker bigint,
    UNIQUE (crawl, key)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX crawl_host_ready ON crawl_host (crawl, best DESC, not_before) WHERE ready > 0;

CREATE TABLE crawl_url (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    crawl bigint NOT NULL,
    key bytea NOT NULL,
    host bigint NOT NULL,
    url text NOT NULL,
    via smallint NOT NULL,
    parent bigint,
    depth integer NOT NULL,
    hops integer NOT NULL,
    priority integer NOT NULL,
    stage smallint NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    at bigint NOT NULL DEFAULT 0,
    status smallint,
    why text NOT NULL,
    reason text NOT NULL,
    worker bigint,
    archived_after bigint,
    UNIQUE (crawl, key)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX crawl_url_ready ON crawl_url (host, priority DESC, id) WHERE stage = 0;
CREATE INDEX crawl_url_waiting ON crawl_url (crawl, at) WHERE stage IN (1, 2);
CREATE INDEX crawl_url_claimed ON crawl_url (worker) WHERE stage = 1;
CREATE INDEX crawl_url_failed ON crawl_url (crawl, id) WHERE stage = 4;

CREATE TABLE due_visit (key bytea PRIMARY KEY, url text NOT NULL, due bigint NOT NULL, why text NOT NULL);
CREATE INDEX due_visit_due ON due_visit (due);
