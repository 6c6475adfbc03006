import type { FirstStartView, ProjectView } from "../messages/ui-messages.ts";
import type { Api } from "./api.ts";
import { button, element, fill, part, shownText } from "./elements.ts";

const LOOK_EVERY_MS = 2000;

/** A project that is being locked and generated takes longer to answer. */
const OPENING_MS = 700;

interface Way {
  title: string;
  command: string;
  /** Only where nothing is configured. */
  isFirst?: true;
}

const WAYS: readonly Way[] = [
  { title: "Use the servers of your MCP clients", command: "npx codemode init", isFirst: true },
  {
    title: "Add a server that is a program",
    command: "npx codemode add memory -- npx -y @modelcontextprotocol/server-memory",
  },
  { title: "Add a server at a URL", command: "npx codemode add NAME --url URL" },
  { title: "Add an API with an OpenAPI document", command: "npx codemode add NAME --openapi DOCUMENT" },
];

/** Shows how to add a server, and waits until the project has one. The page itself changes nothing: a server is a program that starts. */
export async function waitForServer(view: FirstStartView, api: Pick<Api, "project">): Promise<ProjectView> {
  const section = part("first-start");
  const state = part("first-start-state");
  const commands = section.querySelector("ul") as HTMLUListElement;
  part("project-name").replaceChildren(shownText(view.name));
  part("state").textContent = "";
  section.hidden = false;
  section.focus();
  let shown = "";
  for (let now = view; ;) {
    const text = JSON.stringify(now);
    if (text !== shown) showView(now, commands);
    shown = text;
    state.textContent = "This page continues as soon as there is a server.";
    await nextLook();
    const opening = setTimeout(() => (state.textContent = "A server was added. Opening the project…"), OPENING_MS);
    const answer = await api.project().finally(() => clearTimeout(opening));
    if (!("firstStart" in answer)) {
      section.hidden = true;
      return answer;
    }
    now = answer.firstStart;
  }
}

/** A page that is not seen asks nothing. */
async function nextLook(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  while (document.hidden);
}

function showView({ folder, hasConfiguration, problem }: FirstStartView, commands: HTMLUListElement): void {
  fill(
    part("first-start-place"),
    hasConfiguration ? "The configuration in " : "There is no configuration in ",
    element("code", {}, shownText(folder)),
    hasConfiguration ? " has no server that can be used yet." : ".",
  );
  fill(part("first-start-problem"), problem === undefined ? undefined : shownText(problem));
  const ways = WAYS.filter(({ isFirst }) => isFirst === undefined || !hasConfiguration);
  // The focus may be on one of the buttons.
  if (commands.childElementCount !== ways.length) commands.replaceChildren(...ways.map(toItem));
}

function toItem({ title, command }: Way): HTMLElement {
  const said = element("span", { role: "status", class: "quiet" });
  const copy = async (): Promise<void> => {
    const isCopied = await navigator.clipboard.writeText(command).then(
      () => true,
      () => false,
    );
    said.textContent = isCopied ? "Copied" : "Select the command, and copy it yourself";
  };
  const label = { "aria-label": `Copy: ${command}` };
  return element(
    "li",
    {},
    element("h3", {}, title),
    element(
      "div",
      { class: "command" },
      element("code", {}, command),
      button("Copy", () => void copy(), label),
      said,
    ),
  );
}
