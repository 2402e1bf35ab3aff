//! What sort of page it is.

/// What a page is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PageType {
    /// One text to be read.
    Article,
    /// Things of one kind, to choose from.
    Collection,
    /// How something is used.
    Documentation,
    /// People who answer each other.
    Forum,
    /// Texts that lie elsewhere, each with some words about it.
    Listing,
    /// One thing, to be bought.
    Product,
    /// What somebody does for others.
    Service,
    /// Links, and next to nothing else.
    Hub,
}

impl PageType {
    /// All of them; those before the last in the order of the model's classes.
    pub const ALL: [PageType; 8] = [
        PageType::Article,
        PageType::Collection,
        PageType::Documentation,
        PageType::Forum,
        PageType::Listing,
        PageType::Product,
        PageType::Service,
        PageType::Hub,
    ];

    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            PageType::Article => "article",
            PageType::Collection => "collection",
            PageType::Documentation => "documentation",
            PageType::Forum => "forum",
            PageType::Listing => "listing",
            PageType::Product => "product",
            PageType::Service => "service",
            PageType::Hub => "hub",
        }
    }
}

/// A type of page, and how sure one can be of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeGuess {
    /// The likeliest type.
    pub page_type: PageType,
    /// How likely it is; `None` where a rule says so, which knows no doubt.
    pub confidence: Option<f32>,
}

impl TypeGuess {
    /// The likeliest of the types, given how likely each is.
    pub(crate) fn of(likely: &[f32]) -> TypeGuess {
        let types = PageType::ALL.into_iter().zip(likely);
        let (page_type, confidence) =
            types.max_by(|one, other| one.1.total_cmp(other.1)).expect("there are types of pages");
        TypeGuess { page_type, confidence: Some(*confidence) }
    }
}
