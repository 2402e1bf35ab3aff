//! Questions about pages of our own whose answers change over time: the right sentence first, and at the right time.

use kuai_archive::Archive;
use kuai_page::{Capture, Timestamp, Url};
use kuai_search::Index;

use crate::paragraphs::archive;

/// A version of a page: when it was captured, and what its paragraphs say.
type Version = (&'static str, &'static [&'static str]);

/// Pages with their titles and versions.
const PAGES: [(&str, &str, &[Version]); 4] = [
    (
        "museum",
        "Anstey Museum",
        &[
            (
                "2017-05-01",
                &[
                    "The museum keeps four hundred ship models and the log books of the harbour.",
                    "Odette Vance has been director of the museum since the spring.",
                    "A ticket for adults costs 6 pounds; children come in for nothing.",
                    "The museum is open from Tuesday to Sunday. On Mondays it stays closed.",
                ],
            ),
            (
                "2019-03-01",
                &[
                    "The museum keeps four hundred ship models and the log books of the harbour.",
                    "Marcus Thorold is director of the museum. He came from the county archive.",
                    "A ticket for adults costs 8 pounds; children come in for nothing.",
                    "The museum is open from Tuesday to Sunday. On Mondays it stays closed.",
                ],
            ),
            (
                "2022-09-01",
                &[
                    "The museum keeps four hundred and thirty ship models and the log books of the harbour.",
                    "Since Marcus Thorold retired, Ines Okafor is director of the museum.",
                    "A ticket for adults costs 11 pounds; children pay 2 pounds.",
                    "The museum is open every day in summer.",
                ],
            ),
        ],
    ),
    (
        "ferry",
        "Marrow Bay ferry",
        &[
            (
                "2018-01-01",
                &[
                    "The ferry crosses the bay six times a day.",
                    "The crossing takes forty minutes in good weather.",
                    "The captain of the ferry is Agnes Hollis.",
                    "Dogs travel free, but bicycles need a ticket.",
                ],
            ),
            (
                "2020-06-01",
                &[
                    "The ferry crosses the bay four times a day.",
                    "The crossing takes forty minutes in good weather.",
                    "The captain of the ferry is Agnes Hollis.",
                    "Dogs travel free, but bicycles need a ticket.",
                ],
            ),
            (
                "2021-06-01",
                &[
                    "The ferry crosses the bay nine times a day.",
                    "The new electric ship makes the crossing in twenty-five minutes.",
                    "The captain of the ferry is Jonah Pell.",
                    "Dogs and bicycles travel free.",
                ],
            ),
        ],
    ),
    (
        "library",
        "Ellerby library",
        &[
            (
                "2016-02-01",
                &[
                    "The library was founded in 1891 by the teacher Clara Wynn.",
                    "The reading room has sixty seats.",
                    "Books may be kept for three weeks.",
                    "The librarian is Tobias Reed.",
                ],
            ),
            (
                "2023-02-01",
                &[
                    "The library was founded in 1891 by the teacher Clara Wynn.",
                    "The reading room has ninety seats since the extension was built.",
                    "Books may be kept for four weeks.",
                    "The librarian is Hanna Brandt.",
                ],
            ),
        ],
    ),
    (
        "guan",
        "沧宁图书馆",
        &[
            (
                "2018-04-01",
                &[
                    "沧宁图书馆现任馆长容若谷，文献学博士。",
                    "图书馆每天开放八小时，周一闭馆。",
                    "借书期限为三十天。",
                    "馆内收藏古籍两万册。",
                ],
            ),
            (
                "2021-04-01",
                &[
                    "沧宁图书馆现任馆长欧阳砚，长期从事地方志研究。",
                    "图书馆每天开放十二小时，全年无休。",
                    "借书期限为四十五天。",
                    "馆内收藏古籍三万册。",
                ],
            ),
        ],
    ),
];

/// A question, the words that its answer has, and the day on which that was first seen.
const QUESTIONS: [(&str, &str, &str); 40] = [
    ("Who is director of the museum?", "Ines Okafor", "2022-09-01"),
    ("Who was director of the museum in 2018?", "Odette Vance", "2017-05-01"),
    ("Who was the director of the museum in 2020?", "Marcus Thorold is director", "2019-03-01"),
    ("Who was director of the museum in June 2021?", "Marcus Thorold is director", "2019-03-01"),
    ("Who was director of the museum on 2017-06-01?", "Odette Vance", "2017-05-01"),
    ("What does a ticket for adults cost?", "11 pounds", "2022-09-01"),
    ("What did a ticket for adults cost in 2018?", "6 pounds", "2017-05-01"),
    ("How much did an adult ticket cost in 2021?", "8 pounds", "2019-03-01"),
    ("How many ship models does the museum keep?", "four hundred and thirty", "2022-09-01"),
    ("How many ship models did the museum keep in 2018?", "four hundred ship", "2017-05-01"),
    ("When is the museum open?", "every day in summer", "2022-09-01"),
    ("When was the museum open in 2019?", "Tuesday to Sunday", "2017-05-01"),
    ("When was the museum closed in 2018?", "On Mondays", "2017-05-01"),
    ("What do children pay in the museum?", "children pay 2 pounds", "2022-09-01"),
    ("Where did Marcus Thorold come from in 2020?", "county archive", "2019-03-01"),
    ("Who is the captain of the ferry?", "Jonah Pell", "2021-06-01"),
    ("Who was captain of the ferry in 2019?", "Agnes Hollis", "2018-01-01"),
    ("Who was the ferry's captain in July 2020?", "Agnes Hollis", "2018-01-01"),
    ("How often does the ferry cross the bay?", "nine times", "2021-06-01"),
    ("How often did the ferry cross the bay in 2019?", "six times", "2018-01-01"),
    ("How many times a day did the ferry cross in December 2020?", "four times", "2020-06-01"),
    ("How long does the crossing take?", "twenty-five minutes", "2021-06-01"),
    ("How long did the crossing take in 2018?", "forty minutes", "2018-01-01"),
    ("Do bicycles travel free on the ferry?", "Dogs and bicycles", "2021-06-01"),
    ("Did bicycles need a ticket in 2019?", "bicycles need a ticket", "2018-01-01"),
    ("Who founded the library?", "Clara Wynn", "2016-02-01"),
    ("When was the library founded?", "1891", "2016-02-01"),
    ("How many seats does the reading room have?", "ninety seats", "2023-02-01"),
    ("How many seats did the reading room have in 2019?", "sixty seats", "2016-02-01"),
    ("How long may books be kept?", "four weeks", "2023-02-01"),
    ("How long could books be kept in 2017?", "three weeks", "2016-02-01"),
    ("Who is the librarian?", "Hanna Brandt", "2023-02-01"),
    ("Who was the librarian in 2020?", "Tobias Reed", "2016-02-01"),
    ("图书馆馆长是谁？", "欧阳砚", "2021-04-01"),
    ("2019年图书馆馆长是谁？", "容若谷", "2018-04-01"),
    ("图书馆每天开放多少小时？", "十二小时", "2021-04-01"),
    ("2018年12月图书馆每天开放几小时？", "八小时", "2018-04-01"),
    ("借书期限是多少天？", "四十五天", "2021-04-01"),
    ("2020年借书期限是多少天？", "三十天", "2018-04-01"),
    ("馆内收藏多少古籍？", "三万册", "2021-04-01"),
];

fn filled() -> (Archive, Index) {
    let archive = archive();
    for (name, title, versions) in PAGES {
        for (day, paragraphs) in versions {
            let text: String = paragraphs.iter().map(|text| format!("<p>{text}</p>")).collect();
            let url = Url::parse(&format!("https://light.example/{name}")).unwrap();
            let body = format!("<title>{title}</title><body>{text}");
            archive.commit(&Capture::new(url, noon(day), body.into_bytes())).unwrap();
        }
    }
    let mut index = Index::in_memory().unwrap();
    index.follow(&archive, &mut |_, _| true).unwrap();
    (archive, index)
}

fn noon(day: &str) -> Timestamp {
    format!("{day}T12:00:00Z").parse().unwrap()
}

/// Every question is counted; 38 of the 40 were right when this was written.
#[test]
fn nearly_all_questions_are_answered_by_the_right_sentence_of_the_right_time() {
    let (archive, index) = filled();
    let mut right = 0;
    for (question, expected, day) in QUESTIONS {
        let replies = index.ask(&archive, question, None, 3).unwrap();
        let first = replies.first();
        let is_right = first.is_some_and(|reply| reply.sentence.contains(expected));
        match is_right {
            true => assert_eq!(first.map(|reply| reply.first_seen), Some(noon(day)), "{question}"),
            false => println!(
                "{question}\n  {:?}",
                replies.iter().map(|reply| (&reply.sentence, reply.score)).collect::<Vec<_>>()
            ),
        }
        right += usize::from(is_right);
    }
    println!("{right} of {}", QUESTIONS.len());
    assert!(right >= 38, "{right} of {} questions", QUESTIONS.len());
}

#[test]
fn a_time_that_is_given_goes_before_all_else() {
    let (archive, index) = filled();
    let replies = index.ask(&archive, "Who is director of the museum?", Some(noon("2018-01-01")), 1).unwrap();
    assert!(replies[0].sentence.contains("Odette Vance"), "{replies:?}");
    assert_eq!(replies[0].gone, Some(noon("2019-03-01")));
}

#[test]
fn what_nobody_wrote_is_not_answered() {
    let (archive, index) = filled();
    for question in ["Who won the football championship?", "Who was director in 1995?", "why", "", "火星上有没有水？"]
    {
        assert_eq!(index.ask(&archive, question, None, 3).unwrap(), [], "{question}");
    }
}
