//! Who may come in, by a file with a line each: a name, a role, and what a password or a token is known by.
//!
//! ```text
//! # name   role     secret
//! anna     admin    $argon2id$v=19$m=19456,t=2,p=1$…
//! backup   read     sha256:9f86d081884c7d65…
//! ```
//! Passwords are few and short, so guessing them is made dear; tokens are long and random, so a plain hash hides them, and a program may send one
//! with each request.

use std::fmt;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::role::Role;

/// People and programs that are known.
const ENTRIES_MAX: usize = 1000;
/// Shorter passwords are guessed too soon.
const PASSWORD_CHARACTERS_MIN: usize = 8;
/// Nobody types longer ones, and hashing takes time.
const SECRET_BYTES_MAX: usize = 1024;
/// Shorter tokens are guessed too soon, since hashing them is quick.
const TOKEN_CHARACTERS_MIN: usize = 20;
/// Random bytes of a token of ours.
const TOKEN_BYTES: usize = 32;
/// What a token's hash begins with.
const TOKEN_MARK: &str = "sha256:";

/// Who may come in.
#[derive(Clone, Default)]
pub struct Access {
    entries: Vec<Entry>,
}

#[derive(Clone)]
struct Entry {
    name: String,
    role: Role,
    secret: Secret,
}

#[derive(Clone)]
enum Secret {
    Password(Box<PasswordHash>),
    Token([u8; 32]),
}

/// Somebody who was let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) name: String,
    pub(crate) role: Role,
}

/// What is wrong with a file, a name or a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AccessError {
    /// A line cannot be read.
    #[error("line {line}: {reason}; `kuai serve password` and `kuai serve token` write such lines")]
    Line {
        /// Which, from 1.
        line: usize,
        /// Why.
        reason: String,
    },
    /// Nobody could come in.
    #[error("it names nobody; `kuai serve password` writes a line for it")]
    Nobody,
    /// There are too many lines.
    #[error("more than {ENTRIES_MAX} names")]
    TooMany,
    /// A name has other letters than it may.
    #[error("{0:?} is no name: letters, digits, - _ . and @, at most 64 of them")]
    Name(String),
    /// A password is too short or too long.
    #[error("a password has at least {PASSWORD_CHARACTERS_MIN} characters and at most {SECRET_BYTES_MAX} bytes")]
    Password,
    /// A token is too short or too long.
    #[error("a token has at least {TOKEN_CHARACTERS_MIN} characters; `kuai serve token` makes one")]
    Token,
    /// The system gave no random numbers, or no memory.
    #[error("no secret can be made here: {0}")]
    System(String),
}

impl Access {
    /// Reads a file's text.
    pub fn read(text: &str) -> Result<Access, AccessError> {
        let mut access = Access::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let entry = Entry::read(line).map_err(|reason| AccessError::Line { line: index + 1, reason })?;
            access.add(entry)?;
        }
        if access.entries.is_empty() { Err(AccessError::Nobody) } else { Ok(access) }
    }

    /// Lets one more in, by a token that was chosen by somebody.
    pub fn with_token(mut self, name: &str, role: Role, token: &str) -> Result<Access, AccessError> {
        let is_long = token.chars().count() >= TOKEN_CHARACTERS_MIN && token.len() <= SECRET_BYTES_MAX;
        if !is_long {
            return Err(AccessError::Token);
        }
        self.add(Entry { name: checked(name)?.to_owned(), role, secret: Secret::Token(digest(token)) })?;
        Ok(self)
    }

    fn add(&mut self, entry: Entry) -> Result<(), AccessError> {
        if self.entries.len() >= ENTRIES_MAX {
            return Err(AccessError::TooMany);
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Whose token it is. Takes the same time whichever it is.
    pub(crate) fn by_token(&self, token: &str) -> Option<Known> {
        let given = digest(token);
        let mut found = None;
        for entry in &self.entries {
            if let Secret::Token(known) = &entry.secret
                && bool::from(known.ct_eq(&given))
            {
                found = Some(entry);
            }
        }
        found.map(Entry::known)
    }

    /// Who has this name and password. Takes long, and as long for a name that is not known.
    pub(crate) fn by_password(&self, name: &str, password: &str) -> Option<Known> {
        if password.len() > SECRET_BYTES_MAX {
            return None;
        }
        let with_password = |entry: &&Entry| matches!(entry.secret, Secret::Password(_));
        let wanted = self.entries.iter().filter(with_password).find(|entry| entry.name == name);
        let compared = wanted.or_else(|| self.entries.iter().find(with_password))?;
        let Secret::Password(hash) = &compared.secret else { return None };
        let is_right = Argon2::default().verify_password(password.as_bytes(), hash.as_ref()).is_ok();
        wanted.filter(|_| is_right).map(Entry::known)
    }
}

impl fmt::Debug for Access {
    /// Hashes are nobody's business either.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.entries.iter().map(Entry::known)).finish()
    }
}

impl Entry {
    fn read(line: &str) -> Result<Entry, String> {
        let mut parts = line.split_whitespace();
        let (Some(name), Some(role), Some(secret), None) = (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err("a line is a name, a role and a secret".to_owned());
        };
        let name = checked(name).map_err(|error| error.to_string())?.to_owned();
        Ok(Entry { name, role: role.parse()?, secret: Secret::read(secret)? })
    }

    fn known(&self) -> Known {
        Known { name: self.name.clone(), role: self.role }
    }
}

impl Secret {
    fn read(text: &str) -> Result<Secret, String> {
        if let Some(hex) = text.strip_prefix(TOKEN_MARK) {
            let bytes = HEXLOWER.decode(hex.to_ascii_lowercase().as_bytes()).ok();
            let digest = bytes.and_then(|bytes| bytes.try_into().ok());
            return digest.map(Secret::Token).ok_or_else(|| "the token's hash is no SHA-256".to_owned());
        }
        let hash = PasswordHash::new(text).ok().filter(|_| text.starts_with("$argon2"));
        hash.map(|hash| Secret::Password(Box::new(hash)))
            .ok_or_else(|| "the secret is neither an argon2 hash nor that of a token".to_owned())
    }
}

/// The line for somebody with a password.
pub fn password_line(name: &str, role: Role, password: &str) -> Result<String, AccessError> {
    let name = checked(name)?;
    let is_fit = password.chars().count() >= PASSWORD_CHARACTERS_MIN && password.len() <= SECRET_BYTES_MAX;
    if !is_fit {
        return Err(AccessError::Password);
    }
    let hash = Argon2::default().hash_password(password.as_bytes());
    let hash = hash.map_err(|error| AccessError::System(error.to_string()))?;
    Ok(format!("{name} {role} {hash}"))
}

/// A new token, and the line for whoever has it.
pub fn token_line(name: &str, role: Role) -> Result<(String, String), AccessError> {
    let name = checked(name)?;
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| AccessError::System(error.to_string()))?;
    let token = BASE64URL_NOPAD.encode(&bytes);
    let line = format!("{name} {role} {TOKEN_MARK}{}", HEXLOWER.encode(&digest(&token)));
    Ok((token, line))
}

fn checked(name: &str) -> Result<&str, AccessError> {
    let is_fine = |letter: char| letter.is_alphanumeric() || "-_.@".contains(letter);
    let is_name = (1..=64).contains(&name.chars().count()) && name.chars().all(is_fine);
    if is_name { Ok(name) } else { Err(AccessError::Name(name.to_owned())) }
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str, role: Role) -> Option<Known> {
        Some(Known { name: name.to_owned(), role })
    }

    #[test]
    fn a_line_that_was_written_lets_in_whoever_has_its_secret() {
        let anna = password_line("anna", Role::Admin, "correct horse").expect("a line");
        let (token, backup) = token_line("backup", Role::Read).expect("a line");
        let access = Access::read(&format!("# people\n\n{anna}\n{backup}\n")).expect("it reads");
        assert_eq!(access.by_password("anna", "correct horse"), known("anna", Role::Admin));
        assert_eq!(access.by_token(&token), known("backup", Role::Read));
        assert_eq!(access.by_password("anna", "Correct horse"), None);
        assert_eq!(access.by_password("backup", &token), None);
        assert_eq!(access.by_password("bob", "correct horse"), None);
        assert_eq!(access.by_token("correct horse"), None);
        assert!(!format!("{access:?}").contains("argon2"), "{access:?}");
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told_by_its_line() {
        for (text, part) in [
            ("anna admin", "line 1: a line is"),
            ("\nanna chief $argon2id$", "line 2: \"chief\" is no role"),
            ("anna read secret", "neither an argon2 hash"),
            ("anna read sha256:abc", "no SHA-256"),
            ("a/b read sha256:abc", "is no name"),
            ("# nobody", "names nobody"),
        ] {
            let error = Access::read(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn secrets_that_are_soon_guessed_are_not_taken() {
        assert_eq!(password_line("anna", Role::Read, "short"), Err(AccessError::Password));
        assert_eq!(password_line("anna", Role::Read, &"x".repeat(2000)), Err(AccessError::Password));
        assert_eq!(Access::default().with_token("x", Role::Read, "short").err(), Some(AccessError::Token));
    }
}
