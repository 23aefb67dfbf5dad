
(() => {
  const filter = document.getElementById("index.filter");
  const count = document.getElementById("index.count");
  const all = count.textContent;
  const tools = [...document.querySelectorAll("#index li")].map((entry) => ({
    entry,
    page: document.getElementById(entry.firstChild.getAttribute("href").slice(1)),
    text: entry.textContent.toLowerCase(),
  }));

  const show = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { entry, page, text } of tools) {
      const fits = words.every((word) => text.includes(word));
      entry.hidden = page.hidden = !fits;
      shown += fits;
    }
    count.textContent = words.length ? `${shown} of ${all}` : all;
  };

  filter.hidden = false;
  filter.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && filter.value) {
      filter.value = "";
      show();
    } else if (event.key === "/" && document.activeElement !== filter) {
      event.preventDefault();
      filter.focus();
    }
  });

  for (const block of navigator.clipboard ? document.querySelectorAll("pre.call") : []) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("code").textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    block.append(button);
  }
})();
