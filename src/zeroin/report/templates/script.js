
"use strict";
(() => {
  const root = document.documentElement;
  const theme = document.getElementById("theme");
  const names = ["auto", "light", "dark"];
  const recall = () => { try { return localStorage.getItem("zeroin-theme"); } catch { return null; } };
  const keep = (name) => { try { localStorage.setItem("zeroin-theme", name); } catch { /* not kept */ } };
  const wear = (name) => {
    if (name === "auto") delete root.dataset.theme; else root.dataset.theme = name;
    theme.textContent = "Theme: " + name;
    theme.dataset.name = name;
  };
  wear(names.includes(recall()) ? recall() : "auto");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const next = names[(names.indexOf(theme.dataset.name) + 1) % names.length];
    wear(next);
    keep(next);
  });

  const filter = document.querySelector(".filter");
  if (filter) {
    const status = document.getElementById("status");
    const parts = [...document.querySelectorAll("[data-cycle]")];
    filter.hidden = false;
    filter.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const shown = button.dataset.show;
      for (const other of filter.children) other.setAttribute("aria-pressed", String(other === button));
      for (const part of parts) {
        part.toggleAttribute("data-off", shown !== "all" && part.dataset.cycle !== shown);
        part.toggleAttribute("data-on", shown !== "all" && part.dataset.cycle === shown);
      }
      status.textContent = "Showing " + button.textContent.toLowerCase();
    });
  }

  // A link to code that is folded away opens it.
  const unfold = () => {
    const target = location.hash.startsWith("#file-") && document.getElementById(location.hash.slice(1));
    const details = target && target.querySelector("details");
    if (details) details.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();
})();
