//! Dates as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT`.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const LENGTH: usize = 29;

/// Writes a time, in seconds since 1970; `None` where four digits do not hold the year.
pub(crate) fn write(second: i64) -> Option<String> {
    let date = Offset::UTC.to_datetime(Timestamp::from_second(second).ok()?);
    if date.year() < 0 {
        return None;
    }
    let weekday = WEEKDAYS[date.weekday().to_monday_zero_offset() as usize];
    let month = MONTHS[date.month() as usize - 1];
    let (day, year, hour, minute, second) = (date.day(), date.year(), date.hour(), date.minute(), date.second());
    Some(format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT"))
}

/// The time in seconds since 1970, if writing it gives the same text.
pub(crate) fn read(text: &[u8]) -> Option<i64> {
    if text.len() != LENGTH || !text.ends_with(b" GMT") {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i16>().ok();
    let small = |from: usize| number(from, from + 2).and_then(|number| i8::try_from(number).ok());
    let month = MONTHS.iter().position(|month| Some(*month) == text.get(8..11))? as i8 + 1;
    let date = DateTime::new(number(12, 16)?, month, small(5)?, small(17)?, small(20)?, small(23)?, 0).ok()?;
    let second = Offset::UTC.to_timestamp(date).ok()?.as_second();
    (write(second)? == text).then_some(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_come_back() {
        for second in [0, 784_111_777, -1, 951_782_399, 253_402_207_200] {
            let text = write(second).expect("the year has four digits");
            assert_eq!(read(text.as_bytes()), Some(second), "{text}");
        }
        assert_eq!(write(784_111_777).as_deref(), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    }

    #[test]
    fn what_would_be_written_otherwise_is_no_date() {
        for text in ["Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun,  6 Nov 1994 08:49:37 GMT"]
        {
            assert_eq!(read(text.as_bytes()), None, "{text}");
        }
    }
}
