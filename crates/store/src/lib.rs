//! Where an archive lies: a folder of logs, packs and a SQLite catalogue, or memory.
