import { countOf } from "../../../../schemas/text/count-of.ts";
import type { DurableList, DurableRow } from "../../messages/ui-messages.ts";
import { type Api, ApiError, explain } from "../api.ts";
import { button, element, fill, markCurrent, part, shownText } from "../elements.ts";
import { makeRunView } from "./show-run.ts";

const LOOK_EVERY_MS = 2000;

/** A look at many runs takes its time: the pause after it is so many times as long. */
const PAUSES = 10;

/**
 * Lists the durable runs of the project, as long as there are any, and shows the one that is chosen.
 * @param section stands hidden in the page
 * @param onShown brings the details into sight
 */
export function watchRuns(section: HTMLElement, api: Api, onShown: () => void, tell: (message: string) => void): void {
  const details = part("details");
  const list = makeRunList(section, (id) => void open(id).catch((error: unknown) => tell(explainAny(error))));
  let chosen: { id: string; view: ReturnType<typeof makeRunView> } | undefined;
  let newest = 0;

  const refresh = async (): Promise<void> => {
    const number = (newest += 1);
    const found = await api.runs();
    if (number !== newest) return;
    list.show(found);
    if (chosen === undefined) return;
    const { id, view } = chosen;
    // What else was chosen has taken its place.
    if (!view.root.isConnected) chosen = undefined;
    else if (list.hasChanged(id)) view.show(await api.showRun(id));
  };
  const look = async (): Promise<void> => {
    const begun = performance.now();
    // A page that is not seen asks nothing; a program that has ended says so elsewhere.
    if (!document.hidden) await refresh().catch(() => undefined);
    setTimeout(() => void look(), Math.max(LOOK_EVERY_MS, PAUSES * (performance.now() - begun)));
  };
  const open = async (id: string): Promise<void> => {
    const view = makeRunView({
      cancel: () => act(() => api.cancelRun(id)),
      remove: () =>
        act(async () => {
          await api.removeRun(id);
          chosen = undefined;
          view.showRemoved();
          details.focus();
        }),
    });
    view.show(await api.showRun(id));
    chosen = { id, view };
    fill(details, view.root);
    onShown();
  };
  const act = async (action: () => Promise<unknown>): Promise<void> => {
    await action().catch((error: unknown) => {
      throw new Error(explainAny(error));
    });
    await refresh().catch(() => undefined);
  };
  void look();
}

function explainAny(error: unknown): string {
  return error instanceof ApiError ? explain(error) : String(error);
}

/** The rows are kept by their ids, so that the focus stays where it is while they change. */
function makeRunList(section: HTMLElement, onOpen: (id: string) => void) {
  const find = (selector: string): HTMLElement => section.querySelector(selector) as HTMLElement;
  const [opener, count, note, list] = [find("details"), find(".count"), find("p"), find("ul")];
  let shown = new Map<string, { item: HTMLElement; choose: HTMLButtonElement; text: string }>();
  let moving = new Set<string>();

  const toEntry = (row: DurableRow) => {
    const text = JSON.stringify(row);
    const known = shown.get(row.id);
    if (known?.text === text) return known;
    const choose =
      known?.choose ??
      button(
        undefined,
        () => {
          markCurrent(choose);
          onOpen(row.id);
        },
        { class: "tool" },
      );
    fill(choose, ...rowParts(row));
    return { item: known?.item ?? element("li", {}, choose), choose, text };
  };
  return {
    show({ rows, total, problem }: DurableList): void {
      const before = shown;
      const hasProblem = problem !== undefined;
      // What has not ended may wait for the person at the page.
      if (section.hidden && (hasProblem || rows.some(({ hasEnded }) => !hasEnded))) opener.setAttribute("open", "");
      section.hidden = rows.length === 0 && !hasProblem;
      shown = new Map(rows.map((row) => [row.id, toEntry(row)]));
      moving = new Set(rows.flatMap(({ id, hasEnded }) => (hasEnded && shown.get(id) === before.get(id) ? [] : [id])));
      count.textContent = countOf(total, "run");
      note.hidden = !hasProblem && total === rows.length;
      fill(note, shownText(problem ?? `The newest ${rows.length} are listed.`));
      if ([...shown.keys()].join(" ") === [...before.keys()].join(" ")) return;
      const focused = document.activeElement;
      list.replaceChildren(...[...shown.values()].map(({ item }) => item));
      if (focused instanceof HTMLElement && list.contains(focused)) focused.focus();
    },
    /** Whether more may be known of a run than before. */
    hasChanged: (id: string) => moving.has(id),
  };
}

function rowParts({ id, script, client, state, begun }: DurableRow): HTMLElement[] {
  return [
    element("span", { class: "tool-name" }, shownText(script)),
    ...(client === undefined ? [] : [element("span", { class: "tool-server" }, shownText(client))]),
    ...[state, begun, id].map((line) => element("span", { class: "tool-summary" }, shownText(line))),
  ];
}
