// Leads the addresses that an archived page's scripts put together into the archive, as rewriting leads those that stand in the page.
// It guards nothing: what it misses is refused by the page's policy. It only lets more of a page be seen.
(() => {
  const here = new URL(document.baseURI);
  // The way to this page, and the page: /token/20260131235959mp_/https://example.org/
  const form = /^(\/[^/]+\/\d*)[a-z_]*\/(https?:\/\/.*)$/s;
  const [, way, page] = form.exec(here.pathname + here.search) ?? [];
  if (!page) return;
  // The bar of our own page around this one follows it. Anybody may say such a thing; it believes no more than that a reader wants to go there.
  if (parent !== window && parent === top) parent.postMessage({ kuai: here.pathname + here.search }, "*");

  const lead = (address, letters) => {
    const text = String(address).trim();
    if (text === "" || text.startsWith("#") || /^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(text)) return address;
    try {
      const url = new URL(text, here);
      const path = url.pathname + url.search;
      if (url.origin !== here.origin) return `${way}${letters}/${url}`;
      if (form.test(path)) return address;
      return `${way}${letters}/${new URL(path + url.hash, page)}`;
    } catch {
      return address;
    }
  };

  const letters = {
    A: { href: "mp_" }, AUDIO: { src: "oe_" }, EMBED: { src: "oe_" }, FORM: { action: "mp_" }, IFRAME: { src: "if_" },
    IMG: { src: "im_" }, INPUT: { src: "im_" }, LINK: { href: "cs_" }, SCRIPT: { src: "js_" }, SOURCE: { src: "oe_" }, VIDEO: { src: "oe_" },
  };
  for (const [tag, attributes] of Object.entries(letters)) {
    for (const name of Object.keys(attributes)) {
      let owner = Object.getPrototypeOf(document.createElement(tag));
      while (owner && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner);
      const known = owner && Object.getOwnPropertyDescriptor(owner, name);
      if (!known?.set || known.set.isLeading) continue;
      const set = function (value) {
        known.set.call(this, lead(value, letters[this.tagName]?.[name] ?? "oe_"));
      };
      set.isLeading = true;
      Object.defineProperty(owner, name, { ...known, set });
    }
  }

  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) {
    const wanted = letters[this.tagName]?.[String(name).toLowerCase()];
    setAttribute.call(this, name, wanted ? lead(value, wanted) : value);
  };
  const { fetch } = window;
  window.fetch = (what, options) => fetch(what instanceof Request ? what : lead(what, "oe_"), options);
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (method, address, ...rest) {
    open.call(this, method, lead(address, "oe_"), ...rest);
  };
})();
