//! Numbers in the lines of an outline: printable letters of six bits, so that a line stays a line and costs little.

/// The letter that stands for 0; the others follow it in ASCII.
const ZERO: u8 = b'0';

/// Says that more letters of a number follow.
const MORE: u32 = 32;

/// Puts a number: five bits a letter, the lowest first.
pub(super) fn put_number(mut number: u32, text: &mut String) {
    while number >= MORE {
        put_letter(number % MORE + MORE, text);
        number /= MORE;
    }
    put_letter(number, text);
}

/// Puts a number below 16 and two flags as one letter.
pub(super) fn put_flags(number: u32, flags: [bool; 2], text: &mut String) {
    debug_assert!(number < 16, "there is room for four bits");
    put_letter(number * 4 + u32::from(flags[0]) * 2 + u32::from(flags[1]), text);
}

fn put_letter(bits: u32, text: &mut String) {
    text.push(char::from(ZERO + bits as u8));
}

/// Takes what [`put_number`] put from the front of a line; `None` on anything else.
pub(super) fn take_number(line: &mut &str) -> Option<u32> {
    let (mut number, mut shift) = (0u32, 0);
    loop {
        let bits = take_letter(line)?;
        number |= (bits % MORE).checked_shl(shift).filter(|part| part >> shift == bits % MORE)?;
        if bits < MORE {
            return Some(number);
        }
        shift += 5;
    }
}

/// Takes what [`put_flags`] put.
pub(super) fn take_flags(line: &mut &str) -> Option<(u32, [bool; 2])> {
    let bits = take_letter(line)?;
    Some((bits / 4, [bits & 2 != 0, bits & 1 != 0]))
}

fn take_letter(line: &mut &str) -> Option<u32> {
    let letter = *line.as_bytes().first()?;
    let bits = letter.checked_sub(ZERO).filter(|bits| *bits < 64)?;
    *line = &line[1..];
    Some(u32::from(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 31, 32, 1023, 1024, 70_000, u32::MAX] {
            let mut text = String::new();
            put_number(number, &mut text);
            let mut line = text.as_str();
            assert_eq!((take_number(&mut line), line), (Some(number), ""));
        }
    }

    #[test]
    fn what_is_no_number_is_not_read() {
        for mut line in ["", "p", "\t", "ooooooo", "oooooo?"] {
            assert_eq!(take_number(&mut line), None);
        }
    }
}
