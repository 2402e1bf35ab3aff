// Everything that a page might try, told on the console. LIVE stands for the live Web, MAIN for kuai's own API.
const hit = name => `${LIVE}/hit/${name}`;
const tell = (name, text) => console.log(`${name}: ${text}`);
const attempt = (name, act) => {
  try {
    const result = act();
    if (result?.then) result.then(value => tell(name, `gave ${value}`), error => tell(name, `failed ${error.name}`));
    else tell(name, `gave ${result}`);
  } catch (error) {
    tell(name, `threw ${error.name}`);
  }
};
const add = (tag, properties, parent = document.body) => {
  const element = Object.assign(document.createElement(tag), properties);
  parent.append(element);
  return element;
};
// A request that is ready-made is not led into the archive.
const bare = (url, options) => fetch(new Request(url, options));
const script = name => `<script>new Image().src='${hit(name)}-img';location='${hit(name)}-nav'</scr` + "ipt>";

attempt("own", () => fetch("proof.txt").then(answer => answer.text()));
attempt("cookie", () => document.cookie);
attempt("storage", () => localStorage.length);
attempt("database", () => indexedDB.open("x"));
attempt("cache", () => caches.open("x"));
attempt("parent", () => parent.document.title);
attempt("api", () => bare(`${MAIN}/cdx?url=hostile.example`, { credentials: "include" }).then(answer => answer.text()));
attempt("api blind", () => bare(`${MAIN}/cdx?url=hostile.example`, { mode: "no-cors" }));
attempt("archive", () => bare(`http://${location.host}/web/2026id_/http://hostile.example/proof.txt`).then(answer => answer.text()));
attempt("service worker", () => navigator.serviceWorker.register("proof.txt"));
attempt("popup", () => window.open(hit("popup")));
attempt("top", () => { top.location = hit("top"); });
attempt("fetch", () => bare(hit("fetch"), { mode: "no-cors" }));
attempt("beacon", () => navigator.sendBeacon(hit("beacon"), "x"));
attempt("socket", () => { new WebSocket(hit("socket").replace("http", "ws")); });
attempt("events", () => { new EventSource(hit("events")); });
attempt("module", () => import(hit("module")));
for (const source of [hit("worker"), `data:text/javascript,fetch('${hit("data-worker")}')`, URL.createObjectURL(new Blob([`fetch('${hit("blob-worker")}')`]))]) {
  attempt("worker", () => { new Worker(source); });
  attempt("shared worker", () => { new SharedWorker(source); });
}
// Through markup, which is not led into the archive.
document.body.insertAdjacentHTML("beforeend", `<img src="${hit("img")}"><video src="${hit("video")}"></video><object data="${hit("object")}"></object>
  <embed src="${hit("embed")}"><iframe src="${hit("frame")}"></iframe><iframe src="${MAIN}/"></iframe><link rel=stylesheet href="${hit("sheet")}">
  <style>@import "${hit("import")}"; @font-face { font-family: x; src: url(${hit("font")}) } body { font-family: x; background: url(${hit("background")}) }</style>
  <iframe srcdoc="${script("srcdoc").replaceAll('"', "&quot;")}"></iframe><iframe src="data:text/html,${script("data")}"></iframe>
  <iframe src="javascript:location='${hit("javascript")}'"></iframe><form id=post method=post target=_blank action="${hit("form")}"></form>
  <a id=blank target=_blank ping="${hit("ping")}" href="${hit("blank")}"></a><a id=over target=_top href="${hit("over")}"></a>`);
post.submit();
blank.click();
over.click();
add("iframe", { src: URL.createObjectURL(new Blob([script("blob")], { type: "text/html" })) });
add("iframe", {}).contentDocument?.write(script("blank"));
for (const rel of ["prefetch", "preload", "modulepreload", "dns-prefetch", "preconnect", "prerender", "icon", "manifest"]) {
  const link = document.createElement("link");
  link.setAttributeNS(null, "href", hit(rel));
  document.head.append(Object.assign(link, { rel, as: "script" }));
}
const urls = [hit("speculation")];
const rules = JSON.stringify({ prefetch: [{ source: "list", urls, eagerness: "immediate" }], prerender: [{ source: "list", urls, eagerness: "immediate" }] });
add("script", { type: "speculationrules", textContent: rules }, document.head);
add("base", { href: `${LIVE}/hit/base/` }, document.head);
document.body.insertAdjacentHTML("beforeend", "<img src=based>");
// Long enough for all of that to have left, if it does.
setTimeout(() => tell("over", "yes"), 2500);
