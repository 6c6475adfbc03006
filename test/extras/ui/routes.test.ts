import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../../engine/load-config.ts";
import { toDraftSource, saveScript, openScript } from "../../../extras/ui/server/draft-source.ts";
import { readDraftPlace } from "../../../extras/ui/server/routes.ts";
import { type UiProject, makePageQuestions } from "../../../extras/ui/server/ui-project.ts";

let folder: string;
let outside: string;
let project: UiProject;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codemode-ui-routes-"));
  outside = await mkdtemp(join(tmpdir(), "codemode-ui-outside-"));
  const scripts = { inside: "inside.ts", linked: "linked.ts", pinned: "pinned.json" };
  await writeFile(join(folder, "codemode.config.json"), JSON.stringify({ mcpServers: {}, scripts }));
  await writeFile(join(folder, "inside.ts"), "export default 1;");
  await writeFile(join(outside, "secret.ts"), "export default 2;");
  await symlink(join(outside, "secret.ts"), join(folder, "linked.ts"));
  // These routes look at the configuration alone.
  project = { config: await loadConfig({ cwd: folder }) } as UiProject;
});
afterAll(async () => {
  await Promise.all([folder, outside].map((path) => rm(path, { recursive: true })));
});

describe("scripts of the page", () => {
  it("are saved over what was opened", async () => {
    const { code, digest } = await openScript(project, "inside");
    expect(code).toBe("export default 1;");
    await saveScript(project, { name: "inside", code: "export default 3;", before: digest });
    await expect(saveScript(project, { name: "inside", code: "", before: digest })).rejects.toThrow("has changed");
    expect(await readFile(join(folder, "inside.ts"), "utf8")).toBe("export default 3;");
  });

  it("are never saved outside of the project, also not through a link", async () => {
    const { digest } = await openScript(project, "linked");
    const saving = saveScript(project, { name: "linked", code: "", before: digest });
    await expect(saving).rejects.toThrow("outside of the project");
    expect(await readFile(join(outside, "secret.ts"), "utf8")).toBe("export default 2;");
  });

  it("are those of the configuration alone, by their names", async () => {
    for (const name of ["../inside", "inside.ts", "constructor", "__proto__"]) {
      await expect(openScript(project, name)).rejects.toThrow("no script of that name");
      expect(() => toDraftSource({ code: "", script: name }, project)).toThrow("no script of that name");
    }
    await expect(openScript(project, "pinned")).rejects.toThrow("pinned bundle");
  });
});

describe("requests of the page", () => {
  it.each([{}, { code: 1, offset: 0 }, { code: "", offset: -1 }, { code: "", offset: 0.5 }, { code: "", offset: "0" }])(
    "are refused where they are not of their form: %j",
    (request) => expect(() => readDraftPlace(request)).toThrow("of the request"),
  );
});

describe("approvals", () => {
  it("are answered once, by a request with the id", async () => {
    const approvals = makePageQuestions(false);
    const { id, answer } = approvals.ask(new AbortController().signal);
    expect(approvals.answer("guess", true)).toBe(false);
    expect(approvals.answer(id, true)).toBe(true);
    expect(approvals.answer(id, false)).toBe(false);
    expect(await answer).toBe(true);
  });

  it("are refused by a disconnect", async () => {
    const approvals = makePageQuestions(false);
    const gone = new AbortController();
    const asked = approvals.ask(gone.signal);
    const closed = approvals.ask(new AbortController().signal);
    gone.abort();
    approvals.refuseAll();
    expect(await Promise.all([asked.answer, closed.answer])).toEqual([false, false]);
  });
});
