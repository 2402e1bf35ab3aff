//! What commands say about site models.

use kuai::SiteModels;

/// What JSON calls the method where a site model told text from noise.
pub(crate) const SITE_MODEL_METHOD: &str = "wles";

/// Says which sites no longer look as they did when they were learnt.
pub(crate) fn tell_drifts(models: &SiteModels) {
    for (host, drift) in models.drifts() {
        anstream::eprintln!("kuai: {host}: {drift}");
    }
}
