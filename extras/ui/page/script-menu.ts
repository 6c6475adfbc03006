import type { ProjectView, ScriptView } from "../messages/ui-messages.ts";
import { type Api, ApiError, explain } from "./api.ts";
import { showYesOrNo, type YesOrNo } from "./dialogs/ask-yes-or-no.ts";
import { element, partOf } from "./elements.ts";

const DISCARD: YesOrNo = {
  title: "Discard your changes?",
  message: "The script in the editor has unsaved changes.",
  no: "Keep editing",
  yes: "Discard, and open",
};

/** The script that is open: one of the configuration, or a draft that has no file. */
export function makeScriptMenu(
  project: ProjectView,
  api: Api,
  { code, setCode: show }: { code: () => string; setCode: (code: string) => void },
  tell: (message: string) => void,
) {
  const select = partOf(HTMLSelectElement, "scripts");
  const save = partOf(HTMLButtonElement, "save");
  let opened: ScriptView | undefined;
  let saved = "";
  const isChanged = (): boolean => code() !== saved;

  const touch = (): void => {
    save.disabled = !isChanged();
  };
  const tellWhy = (error: unknown): void => {
    if (!(error instanceof ApiError)) throw error;
    tell(explain(error));
  };
  const open = async (name: string): Promise<void> => {
    const before = opened?.name ?? "";
    if (isChanged() && !(await showYesOrNo(DISCARD))) {
      select.value = before;
      return;
    }
    opened = name === "" ? undefined : await api.openScript(name);
    saved = opened?.code ?? "";
    show(saved);
    save.hidden = opened === undefined;
    touch();
  };
  const write = async (): Promise<void> => {
    if (opened === undefined) return;
    const text = code();
    const { digest } = await api.saveScript({ name: opened.name, code: text, before: opened.digest });
    opened = { ...opened, digest };
    saved = text;
    touch();
    tell(`Saved ${opened.file}`);
  };

  select.append(
    element("option", { value: "" }, "New script"),
    ...project.scripts.map(({ name, file }) => element("option", { value: name }, `${name} (${file})`)),
  );
  select.addEventListener("change", () => void open(select.value).catch(tellWhy));
  save.addEventListener("click", () => void write().catch(tellWhy));
  window.addEventListener("beforeunload", (event) => {
    if (isChanged() && code().trim() !== "") event.preventDefault();
  });
  return {
    /** Its name in the configuration. */
    opened: () => opened?.name,
    /** As in the paths of diagnostics. */
    fileName: () => opened?.file.split("/").at(-1) ?? "script.ts",
    /** To be called when the text has changed. */
    touch,
  };
}
