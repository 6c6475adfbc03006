import type { DriftView, ServerView } from "../../../../schemas/ui-messages.ts";
import { button, element } from "../elements.ts";
import { shownText } from "../shown-text.ts";
import { showDrift } from "./show-drift.ts";
import { section } from "./show-tool.ts";

/** The self-description of a server, and on request its differences from the lockfile. */
export function showServer(
  parent: HTMLElement,
  server: ServerView,
  findDrift: () => Promise<DriftView | { problem: string }>,
): void {
  const { id, title, source, protocolVersion, instructions } = server;
  const result = element("div", { role: "status" });
  const show = async (): Promise<void> => {
    const view = await findDrift();
    compare.disabled = false;
    showDrift(result, view);
  };
  const compare = button(
    "Compare with the live server",
    () => {
      compare.disabled = true;
      result.replaceChildren(element("p", { class: "quiet" }, "Starting the server and reading its tools…"));
      void show();
    },
    { class: "use" },
  );
  parent.replaceChildren(
    element("p", { class: "place" }, "Server"),
    element("h2", {}, shownText(id)),
    element("p", {}, shownText(title), element("span", { class: "quiet" }, ` · MCP ${protocolVersion}`)),
    section("Reached by", element("p", { class: "digest" }, shownText(source))),
    section("Drift", element("p", {}, compare), result),
    ...(instructions === undefined
      ? []
      : [section("Instructions", element("p", { class: "said" }, shownText(instructions)))]),
  );
}
