// Draws frames around the blocks of a page that somebody looks into. Runs in a sandbox without an origin; the page's own scripts do not run at all.
// It tells the page around it which block was clicked, and is told which one to light up and which are kept.
"use strict";
(() => {
  const COLOURS = { main: "#2e8b57", title: "#16a34a", small: "#0e9aa7", meta: "#0f7fb5", comment: "#6366f1", related: "#2563eb", navigation: "#d97706",
    advert: "#c026d3", copyright: "#78716c", noise: "#a8a29e", block: "#475569", kept: "#16a34a", left: "#b91c1c" };
  const STYLE = `:host { all: initial; position: absolute; left: 0; top: 0; width: 0; height: 0; z-index: 2147483647 }
    div { position: absolute; box-sizing: border-box; cursor: pointer; border: 2px solid var(--kind); border-radius: 3px; background: color-mix(in srgb, var(--kind) 8%, transparent) }
    div.left { border-style: dashed; background: color-mix(in srgb, var(--kind) 10%, transparent) }
    div.kept { background: color-mix(in srgb, var(--kind) 22%, transparent) }
    div:hover, div.lit { background: color-mix(in srgb, var(--kind) 34%, transparent) }
    b { position: absolute; top: -2px; left: -2px; padding: 0 5px; font: 600 11px/16px system-ui, sans-serif; color: #fff; background: var(--kind); border-radius: 3px 0 3px 0 }`;
  const kinds = document.currentScript.dataset.kinds.split(" ");
  const blocks = new Map();
  const host = document.createElement("kuai-blocks");
  const root = host.attachShadow({ mode: "closed" });

  function findBlocks() {
    const comments = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT);
    while (comments.nextNode()) {
      const [, isEnd, number] = /^(\/?)kuai (\d+)$/.exec(comments.currentNode.data) ?? [];
      if (number === undefined) continue;
      if (!isEnd) blocks.set(Number(number), { kind: kinds[number], start: comments.currentNode });
      else if (blocks.has(Number(number))) blocks.get(Number(number)).end = comments.currentNode;
    }
  }

  // A block is what lies between its two comments; its frame goes around everything of it that has a box.
  function boundsOf({ start, end }) {
    if (!end) return null;
    const range = document.createRange();
    range.setStartAfter(start);
    range.setEndBefore(end);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
    if (!rects.length) return null;
    const left = Math.min(...rects.map((rect) => rect.left)), top = Math.min(...rects.map((rect) => rect.top));
    const right = Math.max(...rects.map((rect) => rect.right)), bottom = Math.max(...rects.map((rect) => rect.bottom));
    return { left: left + scrollX, top: top + scrollY, width: right - left, height: bottom - top };
  }

  function show(block) {
    block.box.className = block.kind === "kept" || block.kind === "left" ? block.kind : "";
    block.box.style.setProperty("--kind", COLOURS[block.kind] ?? COLOURS.block);
  }

  function place() {
    for (const block of blocks.values()) {
      const bounds = boundsOf(block);
      block.box.hidden = !bounds;
      block.box.style.display = bounds ? "" : "none";
      if (!bounds) continue;
      for (const [name, value] of Object.entries(bounds)) block.box.style[name] = `${value}px`;
      // What lies inside another is clicked before it.
      block.box.style.zIndex = Math.max(1, 1000000 - Math.round(bounds.width * bounds.height / 1000));
    }
  }

  function draw() {
    findBlocks();
    const style = document.createElement("style");
    style.textContent = STYLE;
    root.append(style);
    for (const [number, block] of blocks) {
      block.box = document.createElement("div");
      const label = document.createElement("b");
      label.textContent = number;
      block.box.append(label);
      block.box.addEventListener("click", () => parent.postMessage({ kuai: "chosen", number, from: location.pathname }, "*"));
      root.append(block.box);
      show(block);
    }
    document.documentElement.append(host);
    place();
    new ResizeObserver(place).observe(document.documentElement);
    addEventListener("load", place);
    parent.postMessage({ kuai: "drawn", from: location.pathname }, "*");
  }

  addEventListener("message", ({ source, data }) => {
    const block = source === parent && data?.kuai && blocks.get(data.number);
    if (!block?.box) return;
    if (data.kuai === "light") {
      for (const { box } of blocks.values()) box.classList.remove("lit");
      block.box.classList.add("lit");
      if (data.scroll) block.box.scrollIntoView({ block: "center" });
    } else if (data.kuai === "keep") {
      block.kind = data.kept ? "kept" : "left";
      show(block);
    }
  });
  // Nothing of the page itself is followed or sent.
  for (const kind of ["click", "submit", "auxclick"]) addEventListener(kind, (event) => event.preventDefault(), true);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", draw);
  else draw();
})();
