//! Tells a server by HTTP POST, signed as the Standard Webhooks specification says: HMAC-SHA256 over id, time and body.

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use kuai_crawl::{FetchLimits, FetchOptions, Post, post_blocking};
use kuai_page::Url;
use sha2::Sha256;
use std::time::Duration;

use super::Message;

/// How long a server may take.
const TIME_MAX: Duration = Duration::from_secs(20);

/// Posts an alert. Only an answer of success means that it was told; redirects are not followed.
pub(super) fn tell(url: &str, secret: &str, allow_private: bool, message: &Message<'_>) -> Result<(), String> {
    let address = Url::parse(url).map_err(|error| error.to_string())?;
    let (id, time) = (message.alert.id(), message.now.as_second().to_string());
    let signature = sign(secret, &id, &time, message.json)?;
    let post = Post {
        url: address,
        headers: [
            ("content-type", "application/json"),
            ("webhook-id", &id),
            ("webhook-timestamp", &time),
            ("webhook-signature", &signature),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec(),
        body: message.json.as_bytes().to_vec(),
    };
    let limits = FetchLimits { first_byte_time: TIME_MAX, whole_time: TIME_MAX, ..FetchLimits::default() };
    let options = FetchOptions { allow_private, limits, ..FetchOptions::default() };
    match post_blocking(&post, &options) {
        Ok(200..=299) => Ok(()),
        Ok(status) => Err(format!("{url} answered {status}")),
        Err(error) => Err(error.to_string()),
    }
}

/// `v1,` and the signature in base64.
fn sign(secret: &str, id: &str, time: &str, body: &str) -> Result<String, String> {
    let broken = "the secret of the webhook is not in base64: remove the watch and add it again";
    let key = BASE64.decode(secret.trim_start_matches(SECRET_PREFIX).as_bytes()).map_err(|_| broken.to_owned())?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).map_err(|error| error.to_string())?;
    mac.update(format!("{id}.{time}.{body}").as_bytes());
    Ok(format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes())))
}

/// What secrets begin with.
const SECRET_PREFIX: &str = "whsec_";

/// A new secret.
pub(in crate::watch) fn new_secret() -> Result<String, getrandom::Error> {
    let mut key = [0; 32];
    getrandom::fill(&mut key)?;
    Ok(format!("{SECRET_PREFIX}{}", BASE64.encode(&key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_what_the_specification_says() {
        // The example of standardwebhooks.com.
        let signed = sign(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "1614265330",
            "{\"test\": 2432232314}",
        );
        assert_eq!(signed, Ok("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=".to_owned()));
    }

    #[test]
    fn secrets_differ() {
        assert_ne!(new_secret().unwrap(), new_secret().unwrap());
    }
}
