/**
 * Makes a printed time line usable by keyboard as one thing: Tab comes to the chosen bar, arrows go from bar to bar, and the call in
 * focus is shown below with what its row in the table says. Without this the bars are plain links to the rows.
 */
export function startTimeline(root: ParentNode): void {
  const calls = [...root.querySelectorAll<SVGAElement>("a.timeline-call")];
  const details = root.querySelector<HTMLElement>(".timeline-details");
  if (details === null || calls.length === 0) return;
  // The bars stand by server; the arrows go by time.
  calls.sort((left, right) => numberOf(left) - numberOf(right));
  let chosen = 0;

  const choose = (index: number): void => {
    calls[chosen]?.setAttribute("tabindex", "-1");
    calls[chosen]?.removeAttribute("aria-current");
    chosen = Math.min(Math.max(index, 0), calls.length - 1);
    calls[chosen]?.setAttribute("tabindex", "0");
  };
  const show = (): void => {
    const row = document.getElementById(`call-${calls[chosen]?.dataset["call"] ?? ""}`);
    if (row === null) return;
    calls[chosen]?.setAttribute("aria-current", "true");
    details.replaceChildren(describe(row));
    details.hidden = false;
  };
  const hide = (): void => {
    details.hidden = true;
    details.replaceChildren();
    calls[chosen]?.removeAttribute("aria-current");
  };
  const goTo = (index: number): void => {
    choose(index);
    calls[chosen]?.focus();
  };

  for (const [index, call] of calls.entries()) {
    call.setAttribute("tabindex", index === 0 ? "0" : "-1");
    call.addEventListener("focus", () => {
      choose(index);
      show();
    });
    call.addEventListener("click", (event) => {
      // A click with the mouse chooses; Enter, which has no place, follows the link.
      if (event.detail === 0) return;
      event.preventDefault();
      goTo(index);
    });
    call.addEventListener("keydown", (event) => {
      const target = targetOf(event.key, chosen, calls.length);
      if (event.key === "Escape") hide();
      else if (event.key === " ") show();
      else if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      else goTo(target);
      event.preventDefault();
    });
  }
}

function numberOf(call: SVGAElement): number {
  return Number(call.dataset["call"]);
}

/** Which call a key leads to. */
function targetOf(key: string, chosen: number, count: number): number | undefined {
  if (key === "ArrowRight" || key === "ArrowDown") return chosen + 1;
  if (key === "ArrowLeft" || key === "ArrowUp") return chosen - 1;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

/** The cells of a row as a list of names and values. Nodes are copied: no text is read as HTML. */
function describe(row: HTMLElement): HTMLElement {
  const list = document.createElement("dl");
  for (const cell of row.querySelectorAll<HTMLElement>("[data-label]")) {
    const pair = document.createElement("div");
    const name = document.createElement("dt");
    const value = document.createElement("dd");
    name.textContent = cell.dataset["label"] ?? "";
    value.append(...[...cell.childNodes].map((node) => node.cloneNode(true)));
    pair.append(name, value);
    list.append(pair);
  }
  return list;
}
