import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openProject, type Project } from "../../library/index.ts";

async function makeEmptyProject(): Promise<Project> {
  const cwd = await mkdtemp(join(tmpdir(), "codemode-test-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  return openProject({ cwd, config: { mcpServers: {} } });
}

/** As a program in JavaScript passes it. */
const untyped = (value: object): object => value;

test("an option that does not exist is refused, with the nearest one", async () => {
  await expect(openProject(untyped({ confg: "a.json" }))).rejects.toMatchObject({
    ...{ code: "INVALID_OPTION", message: "openProject: there is no option `confg`", hint: "Did you mean `config`?" },
  });
  const project = await makeEmptyProject();
  await expect(project.openEngine(untyped({ policy: {} }))).rejects.toMatchObject({
    message: "openEngine: there is no option `policy`",
    hint: expect.stringMatching(/^Known: drift, frozen, /) as string,
  });
  const engine = await project.openEngine();
  onTestFinished(() => engine.close());
  await expect(engine.run({ code: "1" }, untyped({ inputs: 1 }))).rejects.toMatchObject({
    hint: "Did you mean `input`?",
  });
});

test("a limit that is no number holds nothing back, so it is refused", async () => {
  const project = await makeEmptyProject();
  const wrong = { timeoutMs: "5" as unknown as number };
  await expect(project.openEngine({ limits: wrong })).rejects.toMatchObject({
    message: "openEngine: the limit `timeoutMs` must be a number",
  });
  await expect(project.openEngine({ limits: untyped({ timeout: 5 }) })).rejects.toMatchObject({
    hint: "Did you mean `timeoutMs`?",
  });
});

test("a script that is text, or has another key, is refused", async () => {
  const project = await makeEmptyProject();
  const hint = expect.stringContaining('{ code: "export default 1;" }') as string;
  for (const script of ["export default 1;", { source: "1" }, null])
    await expect(project.read(script as unknown as { code: string })).rejects.toMatchObject({
      code: "INVALID_OPTION",
      hint,
    });
});
