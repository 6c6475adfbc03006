// The page of `codemode ui`: servers and tools on the left, the script in the middle, what was chosen on the right.
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { Draft, DriftView, ProjectView, ServerView, ListedPlace } from "../messages/ui-messages.ts";
import { type Api, ApiError, explain, makeApi, takeToken } from "./api.ts";
import { showServer } from "./browse/show-server.ts";
import { showTool } from "./browse/show-tool.ts";
import { makeToolList, startSearchBox } from "./browse/tool-list.ts";
import { makeEditor } from "./editor/make-editor.ts";
import { element, part, partOf, shownText } from "./elements.ts";
import { waitForServer } from "./first-start.ts";
import { makeFindings, showManifest, showProblems } from "./run/findings.ts";
import { watchRuns } from "./run/list-runs.ts";
import { makeRunPanel } from "./run/run-panel.ts";
import { watchApprovals } from "./run/show-approvals.ts";
import { makeScriptMenu } from "./script-menu.ts";

function tell(message: string): void {
  part("state").className = "";
  part("state").textContent = message;
}

async function start(api: Api): Promise<void> {
  // Servers may have to be locked first.
  tell("Opening the project…");
  const answer = await api.project();
  const project = "firstStart" in answer ? await waitForServer(answer.firstStart, api) : answer;
  tell("");
  part("project-name").replaceChildren(shownText(project.name));
  part("columns").hidden = false;
  showProject(project, api);
}

function showProject(project: ProjectView, api: Api): void {
  const details = part("details");

  const draft = (): Draft => {
    const script = menu.opened();
    return { code: editor.code(), ...withoutUndefined({ script }) };
  };
  const findings = makeFindings();
  /** Those of the text as it is now. */
  const showFindings = (): Diagnostic[] => {
    const found = findings.of(editor.code());
    showProblems(part("problems"), found, { fileName: menu.fileName(), onPlace: (place) => editor.reveal(place) });
    return found;
  };

  const editor = makeEditor({
    parent: part("editor"),
    nonce: document.querySelector<HTMLLinkElement>("link[nonce]")?.nonce ?? "",
    fileName: () => menu.fileName(),
    async review(code) {
      const review = code.trim() === "" ? { diagnostics: [], tools: [] } : await api.review({ ...draft(), code });
      if (code !== editor.code()) return [];
      findings.fromReview(code, review.diagnostics);
      showManifest(part("manifest"), review.tools);
      return showFindings();
    },
    complete: (code, offset) => api.complete({ ...draft(), code, offset }),
    describe: (code, offset) => api.describe({ ...draft(), code, offset }),
    onRun: () => void run(),
    onChange: () => menu.touch(),
  });
  const menu = makeScriptMenu(project, api, editor, tell);
  const run = makeRunPanel(api, draft, (code, diagnostics) => {
    findings.fromRun(code, diagnostics);
    editor.showFindings(showFindings());
  });

  /** On a narrow screen they stand below everything else. */
  const showDetails = (): void => {
    details.scrollTop = 0;
    details.scrollIntoView({ block: "nearest" });
  };
  const openTool = async (place: ListedPlace): Promise<void> => {
    details.setAttribute("aria-busy", "true");
    const tool = await api.tool(place);
    showTool(details, tool, () => editor.insertCall(`@codemode/servers/${tool.serverId}`, tool.exportName));
    details.removeAttribute("aria-busy");
    showDetails();
  };
  const findDrift = (server: ServerView): Promise<DriftView | { problem: string }> =>
    api.drift(server.id).catch((error: unknown) => ({ problem: describe(error) }));
  const list = makeToolList(
    part("tools"),
    project,
    (place) => void openTool(place).catch((error: unknown) => tell(describe(error))),
    (server) => {
      showServer(details, server, () => findDrift(server));
      showDetails();
    },
  );
  startSearchBox(partOf(HTMLInputElement, "search"), list, part("found"), api.search);
  watchApprovals(part("approvals"), api);
  watchRuns(part("runs"), api, showDetails, tell);
  editor.focus();
}

function describe(error: unknown): string {
  return error instanceof ApiError ? explain(error) : String(error);
}

function refuse(message: string): void {
  document.body.replaceChildren(
    element("main", { class: "refusal" }, element("h1", {}, "codemode"), element("p", {}, message)),
  );
}

const token = takeToken();
if (token === undefined) refuse("Open the address that `codemode ui` printed: it contains the token of this page.");
else void start(makeApi(token)).catch((error: unknown) => refuse(describe(error)));
