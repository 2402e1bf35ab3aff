// The bar goes where the reader goes: an archived page says where it is, and if a reader clicked in it and it is another page than the bar
// speaks of, the bar's own page is opened for it. What the page says is somebody's word, so only an address and a time are taken from it.
const frame = document.getElementById("page");
addEventListener("message", (event) => {
  if (!frame || event.source !== frame.contentWindow || !navigator.userActivation?.hasBeenActive) return;
  const [, time, address] = /^\/[0-9a-f]+\/(\d{4,14})[a-z_]*\/(https?:\/\/.+)$/s.exec(String(event.data?.kuai ?? "")) ?? [];
  if (!address) return;
  const here = new URL(location.href);
  if (here.searchParams.get("url") === address) return;
  here.searchParams.set("url", address);
  here.searchParams.set("time", time);
  here.searchParams.delete("second");
  location.assign(here);
});
