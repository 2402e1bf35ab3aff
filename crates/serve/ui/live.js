// Keeps what changes on a page up to date: asks for the page again every second, and takes over the parts that are marked for it.
const PAUSE_MS = 1000, PAUSE_AFTER_FAULT_MS = 5000;
async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return PAUSE_AFTER_FAULT_MS;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const news = fresh.getElementById(part.id);
    if (!news) continue;
    if (news.innerHTML !== part.innerHTML && !part.contains(document.activeElement)) part.replaceChildren(...news.childNodes);
  }
  return fresh.querySelector("[data-live-on]") ? PAUSE_MS : null;
}
async function goOn() {
  const pause = document.hidden ? PAUSE_MS : await refresh().catch(() => PAUSE_AFTER_FAULT_MS);
  if (pause !== null) setTimeout(goOn, pause);
}
if (document.querySelector("[data-live-on]")) setTimeout(goOn, PAUSE_MS);
