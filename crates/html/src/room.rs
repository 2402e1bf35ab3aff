//! Room for what is added to lists and strings: a part of what is there, and not as much again. One that doubles takes three times its size
//! at the worst moment, when the old and the new live side by side.

/// What is full grows by one in so many, and at least by so many.
const GROWTH: usize = 8;
const LEAST: usize = 16;

/// Makes room in a list for so many more, where there is none.
#[inline]
pub fn make<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / GROWTH + LEAST));
    }
}

/// The same for a string that is to take in so many bytes.
#[inline]
pub fn make_for(string: &mut String, bytes: usize) {
    if string.capacity() - string.len() < bytes {
        string.reserve_exact(bytes.max(string.len() / GROWTH + LEAST));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_full_grows_by_a_part_of_itself() {
        let mut list = vec![0_u8; 8000];
        list.shrink_to_fit();
        make(&mut list, 1);
        assert!((8001..10_000).contains(&list.capacity()), "{}", list.capacity());
        let mut text = "x".repeat(8000);
        make_for(&mut text, 5000);
        assert!((13_000..15_000).contains(&text.capacity()), "{}", text.capacity());
    }
}
