-- How many blocks a page has in each version, and what became of those of the version before. What they say lies with the bytes.
CREATE VIEW blocks AS
SELECT url, number, sequence, "time", blocks, changed, added, removed, moved FROM versions WHERE is_page AND NOT is_seen_again;
