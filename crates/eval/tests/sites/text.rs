//! Text of our own for made-up sites: sentences put together from lists of words, the same for the same seed.

/// Draws numbers, the same for the same seed.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Draw {
        Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    pub(crate) fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const WHO: [&str; 8] =
    ["老渔夫", "那个孩子", "邻村的木匠", "他的母亲", "守塔人", "远来的客人", "卖茶的妇人", "一位先生"];
const WHEN: [&str; 8] =
    ["清晨", "黄昏时分", "雨停以后", "第二天", "冬天将尽的时候", "月亮升起来了", "不知过了多久", "这一年的秋天"];
const DID: [&str; 8] = [
    "沿着河岸慢慢走回家去",
    "把船系在柳树下面",
    "坐在门前看远处的山",
    "讲起从前的一件旧事",
    "点亮了屋里唯一的灯",
    "听见风吹过整片竹林",
    "从井里打上一桶清水",
    "在桌上摊开一张地图",
];
const AND: [&str; 6] =
    ["谁也没有说话", "雾气还没有散", "狗在院子里叫了两声", "心里忽然觉得安静", "远处传来钟声", "好像什么都没有发生"];

/// A paragraph of Chinese.
pub(crate) fn chinese(draw: &mut Draw) -> String {
    let sentence =
        |draw: &mut Draw| format!("{}，{}{}，{}。", draw.one(&WHEN), draw.one(&WHO), draw.one(&DID), draw.one(&AND));
    (0..2 + draw.below(4)).map(|_| sentence(draw)).collect()
}

/// A title of a chapter.
pub(crate) fn chinese_title(draw: &mut Draw, number: usize) -> String {
    format!("第{number}回 {}与{}", draw.one(&WHO), draw.one(&WHO))
}

const SUBJECT: [&str; 8] = [
    "The harbour pilot",
    "Our neighbour",
    "A student of maps",
    "The night clerk",
    "Somebody upstairs",
    "The old surveyor",
    "Her younger brother",
    "Nobody in town",
];
const VERB: [&str; 8] = [
    "kept a careful record of the tides",
    "walked the whole length of the pier",
    "forgot the letter on the kitchen table",
    "measured the field with a knotted rope",
    "waited for the last train to leave",
    "repaired the clock above the station",
    "read the weather from the colour of the hills",
    "copied the inscription into a small book",
];
const TAIL: [&str; 6] = [
    "although it was already late",
    "because the road was under water",
    "and the lamps were lit one by one",
    "as people did in those years",
    "while the rain went on",
    "which surprised everyone but the baker",
];

/// A paragraph of English.
pub(crate) fn english(draw: &mut Draw) -> String {
    let sentence = |draw: &mut Draw| format!("{} {}, {}.", draw.one(&SUBJECT), draw.one(&VERB), draw.one(&TAIL));
    (0..2 + draw.below(4)).map(|_| sentence(draw)).collect::<Vec<_>>().join(" ")
}

/// A title of an article.
pub(crate) fn english_title(draw: &mut Draw) -> String {
    format!("{} and the {}", draw.one(&SUBJECT), draw.one(&["flood", "survey", "harvest", "long winter", "new bridge"]))
}
