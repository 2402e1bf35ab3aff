//! What the papers themselves report, to stand beside our figures. The pages are not the same, so it is the order that compares.

/// A figure that a paper reports for a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The method.
    pub method: &'static str,
    /// Who reports it, and on what.
    pub source: &'static str,
    /// The metric and its value, as [`METRICS`](crate::METRICS) names and scales them.
    pub figures: &'static [(&'static str, f64)],
}

/// The figures published for a method, in the order in which they are shown.
pub fn published(method: &str) -> impl Iterator<Item = &'static Published> {
    PUBLISHED.iter().filter(move |figures| figures.method == method)
}

/// Every published figure.
#[rustfmt::skip]
pub const PUBLISHED: &[Published] = &[
    spcola("nom", &[
        ("noise_removed", 0.0), ("noise_links_removed", 0.0), ("content_kept", 1.0), ("related_kept", 1.0),
        ("content_lost", 0.0), ("links_lost", 0.0), ("rates_mean", 0.5),
    ]),
    spcola("ypm", &[
        ("noise_removed", 0.802), ("noise_links_removed", 0.783), ("content_kept", 0.923), ("related_kept", 0.917),
        ("content_lost", 0.077), ("links_lost", 0.083), ("rates_mean", 0.856),
    ]),
    spcola("gdom", &[
        ("noise_removed", 0.883), ("noise_links_removed", 0.777), ("content_kept", 0.937), ("related_kept", 0.941),
        ("content_lost", 0.063), ("links_lost", 0.059), ("rates_mean", 0.885),
    ]),
    spcola("spcola", &[
        ("noise_removed", 0.915), ("noise_links_removed", 0.931), ("content_kept", 0.963), ("related_kept", 0.971),
        ("content_lost", 0.037), ("links_lost", 0.029), ("rates_mean", 0.945),
    ]),
    stu_div("Ouyang et al., Sina", &[("trf", 0.95), ("lrf", 0.94), ("ulq", 0.94)]),
    stu_div("Ouyang et al., NetEase", &[("trf", 0.99), ("lrf", 0.93), ("ulq", 0.92)]),
    stu_div("Ouyang et al., China News", &[("trf", 0.99), ("lrf", 0.98), ("ulq", 0.92)]),
    stu_div("Ouyang et al., China.com", &[("trf", 0.98), ("lrf", 0.95), ("ulq", 0.97)]),
    stu_div("Ouyang et al., Tencent", &[("trf", 0.97), ("lrf", 0.93), ("ulq", 0.91)]),
    btls("vips", "BTLS paper, universities", &[("fuzzy_p", 0.62), ("fuzzy_r", 0.53), ("fuzzy_f", 0.57)]),
    btls("vips", "BTLS paper, blogs", &[("fuzzy_p", 0.77), ("fuzzy_r", 0.65), ("fuzzy_f", 0.70)]),
    btls("vips", "BTLS paper, news portals", &[("fuzzy_p", 0.41), ("fuzzy_r", 0.22), ("fuzzy_f", 0.29)]),
    btls("vips", "BTLS paper, resource sites", &[("fuzzy_p", 0.63), ("fuzzy_r", 0.75), ("fuzzy_f", 0.68)]),
    btls("vips", "BTLS paper, government", &[("fuzzy_p", 0.66), ("fuzzy_r", 0.52), ("fuzzy_f", 0.58)]),
    btls("btls", "BTLS paper, universities", &[("fuzzy_p", 0.83), ("fuzzy_r", 0.86), ("fuzzy_f", 0.84)]),
    btls("btls", "BTLS paper, blogs", &[("fuzzy_p", 0.76), ("fuzzy_r", 0.65), ("fuzzy_f", 0.70)]),
    btls("btls", "BTLS paper, news portals", &[("fuzzy_p", 0.53), ("fuzzy_r", 0.41), ("fuzzy_f", 0.46)]),
    btls("btls", "BTLS paper, resource sites", &[("fuzzy_p", 0.78), ("fuzzy_r", 0.67), ("fuzzy_f", 0.72)]),
    btls("btls", "BTLS paper, government", &[("fuzzy_p", 0.62), ("fuzzy_r", 0.77), ("fuzzy_f", 0.69)]),
    Published {
        method: "wles",
        source: "Ma, four works of three sites",
        figures: &[("noise_95", 0.9233), ("noise_85", 0.0482), ("noise_below", 0.0285)],
    },
];

/// Wang & Zhu: 1,000 random pages of Chinese portals and CWT200G, checked by hand.
const fn spcola(method: &'static str, figures: &'static [(&'static str, f64)]) -> Published {
    Published { method, source: "Wang & Zhu, 1,000 pages", figures }
}

/// Ouyang, Yang & Yi: 100 pages a site.
const fn stu_div(source: &'static str, figures: &'static [(&'static str, f64)]) -> Published {
    Published { method: "stu-div", source, figures }
}

/// The BTLS paper's P, R and F, judged by people; nearest to our fuzzy ones.
const fn btls(method: &'static str, source: &'static str, figures: &'static [(&'static str, f64)]) -> Published {
    Published { method, source, figures }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric;

    #[test]
    fn every_published_figure_is_a_share_of_a_metric_of_ours() {
        for (name, value) in PUBLISHED.iter().flat_map(|published| published.figures) {
            assert!(metric(name).is_some() && (0.0..=1.0).contains(value), "{name} = {value}");
        }
    }
}
