//! The addresses of every page, with something to see on each.

/// A page to look at: what its pictures are called, and its address.
pub(super) struct Scene {
    pub(super) name: &'static str,
    pub(super) path: &'static str,
}

const fn scene(name: &'static str, path: &'static str) -> Scene {
    Scene { name, path }
}

/// Every page, and some of them in another state.
pub(super) const SCENES: &[Scene] = &[
    scene("home", "/?lang=en"),
    scene("search", "/search?q=flood&ever=true"),
    scene("search-nothing", "/search?q=zeppelin"),
    scene("site", "/site?name=saltmarsh-library.example"),
    scene("url", "/url?url=http://tidal-studies.example/articles/carbon"),
    scene("view", "/view?url=http://saltmarsh-library.example/&time=20251110090000"),
    scene("compare", "/compare?url=http://tidal-studies.example/articles/carbon&from=20250113090000&to=20260608090000"),
    scene("view-ages", "/view?url=http://tidal-studies.example/articles/carbon&time=20260608090000&show=ages"),
    scene("view-kinds", "/view?url=http://saltmarsh-library.example/news/flood&show=kinds"),
    scene("view-changes", "/view?url=http://saltmarsh-library.example/about&time=20250512090000&show=changes"),
    scene("view-text", "/view?url=http://chaosheng.example/tide/4&show=text"),
    scene("inspect", "/inspect"),
    scene("teach", "/teach"),
    scene("teach-page", "/teach?url=http://tidal-studies.example/articles/breakwater"),
    scene("collect", "/jobs"),
    scene("scores", "/scores"),
    scene("api", "/api"),
    scene("unknown", "/url?url=http://nobody.example/"),
    // From here on in Chinese, since a choice is remembered.
    scene("home-zh", "/?lang=zh"),
    scene("search-zh", "/search?q=%E7%81%AF%E5%A1%94&ever=true"),
    scene("compare-zh", "/compare?url=http://chaosheng.example/tide/2&from=20241007090000&to=20250707090000"),
];
