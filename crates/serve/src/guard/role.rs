//! What somebody may do with an archive.

use std::fmt;
use std::str::FromStr;

/// What somebody may do; each may also do what those before it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Look at everything.
    Read,
    /// Collect pages of the public Web, politely, and teach site models.
    Collect,
    /// Also what can do harm: ask private addresses, collect without politeness, forget site models.
    Admin,
}

impl Role {
    /// All roles, those that may do less first.
    pub const ALL: [Role; 3] = [Role::Read, Role::Collect, Role::Admin];

    /// What it is called in files and flags.
    pub fn name(self) -> &'static str {
        match self {
            Role::Read => "read",
            Role::Collect => "collect",
            Role::Admin => "admin",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Role, String> {
        let found = Role::ALL.into_iter().find(|role| role.name() == text);
        found.ok_or_else(|| format!("{text:?} is no role: read, collect or admin"))
    }
}
