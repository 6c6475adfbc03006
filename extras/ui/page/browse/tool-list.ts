import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { countOf } from "../../../../schemas/text/count-of.ts";
import type { ProjectView, ServerView, ListedPlace, ToolRow } from "../../messages/ui-messages.ts";
import { button, element, markCurrent, shownText } from "../elements.ts";
import { verdictBadge } from "./show-tool.ts";

/** With more tools than fit on a screen, servers are closed at first. */
const OPEN_TOOLS = 20;

/** All servers with their tools, or those tools that were found. */
export function makeToolList(
  parent: HTMLElement,
  project: ProjectView,
  onTool: (place: ListedPlace) => void,
  onServer: (server: ServerView) => void,
) {
  const choose = (chosen: HTMLButtonElement, open: () => void): void => {
    markCurrent(chosen);
    open();
  };
  const toolButton = (server: ServerView, tool: ToolRow, hasServer: boolean): HTMLElement => {
    const name = element("span", { class: "tool-name" }, shownText(tool.name));
    const place = hasServer ? element("span", { class: "tool-server" }, shownText(server.id)) : undefined;
    const summary = element("span", { class: "tool-summary" }, shownText(tool.summary));
    const made = button(name, () => choose(made, () => onTool({ serverId: server.id, toolName: tool.name })), {
      class: "tool",
    });
    const verdict = tool.verdict === "allow" ? undefined : verdictBadge(tool.verdict);
    made.append(...[place, verdict, summary].filter((child) => child !== undefined));
    return element("li", {}, made);
  };
  const toolCount = project.servers.reduce((sum, { tools }) => sum + tools.length, 0);
  const isOpen = project.servers.length === 1 || toolCount <= OPEN_TOOLS;
  const serverGroup = (server: ServerView): HTMLElement => {
    const about = button("About this server", () => choose(about, () => onServer(server)), { class: "about" });
    const count = element(
      "span",
      { class: "count" },
      countOf(server.tools.length, server.id.includes("/") ? "function" : "tool"),
    );
    return element(
      "details",
      { class: "server", ...withoutUndefined({ open: isOpen ? "" : undefined }) },
      element("summary", {}, element("h2", {}, shownText(server.id)), count),
      about,
      element("ul", {}, ...server.tools.map((tool) => toolButton(server, tool, false))),
    );
  };
  const groups = project.servers.map(serverGroup);
  const none = element(
    "p",
    { class: "quiet" },
    "No server is locked. Run `codemode lock`, then start `codemode ui` again.",
  );

  return {
    showAll: () => parent.replaceChildren(...(groups.length === 0 ? [none] : groups)),
    /** The best match first. */
    showFound(found: readonly ListedPlace[]): void {
      const rows = found.flatMap(({ serverId, toolName }) => {
        const server = project.servers.find(({ id }) => id === serverId);
        const tool = server?.tools.find(({ name }) => name === toolName);
        return server === undefined || tool === undefined ? [] : [toolButton(server, tool, true)];
      });
      parent.replaceChildren(
        rows.length === 0 ? element("p", { class: "quiet" }, "No tool matches.") : element("ul", {}, ...rows),
      );
    },
  };
}

const DELAY_MS = 120;

/**
 * Searches while the user types; discards an answer to an outdated query.
 * @param status says how many were found, for screen readers
 */
export function startSearchBox(
  input: HTMLInputElement,
  list: ReturnType<typeof makeToolList>,
  status: HTMLElement,
  search: (query: string) => Promise<ListedPlace[]>,
): void {
  let timer: number | undefined;
  let newest = 0;
  const look = async (): Promise<void> => {
    const query = input.value.trim();
    const number = (newest += 1);
    if (query === "") {
      status.textContent = "";
      return list.showAll();
    }
    const found = await search(query);
    if (number !== newest) return;
    list.showFound(found);
    status.textContent = `${countOf(found.length, "tool")} found`;
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), DELAY_MS);
  });
  list.showAll();
}
