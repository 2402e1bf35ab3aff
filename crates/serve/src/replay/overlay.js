// Draws over an archived page what the list that it begins with says. A block is what lies between its two comments; a tint goes over
// everything of it that has a box.
(() => {
  const blocks = JSON.parse(document.getElementById("kuai-blocks").textContent);
  const draw = () => {
    document.getElementById("kuai-drawn")?.remove();
    const marks = new Map();
    const comments = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT);
    while (comments.nextNode()) marks.set(comments.currentNode.data, comments.currentNode);
    const layer = document.createElement("div");
    layer.id = "kuai-drawn";
    layer.style.cssText = "all:initial;position:absolute;left:0;top:0;width:0;height:0;z-index:2147483647";
    blocks.forEach(({ colour, about }, number) => {
      const [from, to] = [marks.get(`kuai ${number}`), marks.get(`/kuai ${number}`)];
      if (!from || !to) return;
      const range = document.createRange();
      range.setStartAfter(from);
      range.setEndBefore(to);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
      if (!boxes.length) return;
      const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
      const right = Math.max(...boxes.map((box) => box.right)), bottom = Math.max(...boxes.map((box) => box.bottom));
      const tint = document.createElement("div");
      tint.title = about;
      tint.style.cssText = `all:initial;position:absolute;left:${left + scrollX}px;top:${top + scrollY}px;width:${right - left}px;height:${bottom - top}px;` +
        `box-sizing:border-box;border:1px solid ${colour};border-left-width:4px;background:${colour}2e;border-radius:2px`;
      layer.append(tint);
    });
    document.documentElement.append(layer);
  };
  addEventListener("load", draw);
  addEventListener("resize", draw);
})();
