// Joins a list of blocks with the frame that draws them: pointing at one lights up the other, and a click in the frame chooses in the list.
// A box that is ticked or not in the list is drawn so in the frame; without this script the boxes alone do.
for (const section of document.querySelectorAll("[data-drawing]")) {
  const frame = section.querySelector("iframe");
  const items = new Map([...section.querySelectorAll("[data-block]")].map((item) => [Number(item.dataset.block), item]));
  const boxOf = (item) => item.querySelector("input[type=checkbox]");
  const tell = (message) => frame.contentWindow?.postMessage(message, "*");
  const tellKept = (number, item) => boxOf(item) && tell({ kuai: "keep", number, kept: boxOf(item).checked });
  for (const [number, item] of items) {
    const light = (scroll) => tell({ kuai: "light", number, scroll });
    item.addEventListener("mouseenter", () => light(false));
    item.addEventListener("focusin", () => light(true));
    item.addEventListener("change", () => tellKept(number, item));
  }
  addEventListener("message", ({ source, origin, data }) => {
    // The frame has no origin of its own, and shows nothing but the page that we asked for.
    const isOurs = source === frame.contentWindow && origin === "null" && frame.src.endsWith(data?.from);
    if (!isOurs) return;
    if (data.kuai === "drawn") items.forEach((item, number) => tellKept(number, item));
    const item = data.kuai === "chosen" && items.get(data.number);
    if (!item) return;
    const box = boxOf(item);
    if (box) {
      box.checked = !box.checked;
      box.dispatchEvent(new Event("change", { bubbles: true }));
    }
    items.forEach((other) => other.classList.toggle("lit", other === item));
    item.scrollIntoView({ block: "nearest" });
  });
}
