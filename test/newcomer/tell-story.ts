import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { type Divergence, followSteps } from "../docs/follow-steps.ts";
import type { PageStep } from "../docs/page-steps.ts";
import type { NodeMajor } from "../node-versions/find-node.ts";
import { findLibraryProgram } from "../publishing/library-programs.ts";
import { writeFigure } from "./figures.ts";
import { makeMachine } from "./machine.ts";
import { REPOSITORY } from "./publish-release.ts";
import { type Manager, programsFor } from "./managers.ts";
import { countLines, readSteps, type, write } from "./typed-steps.ts";

const RESULT = /codemode run first\.ts$/;

/**
 * The shortest story of a newcomer, on a machine of its own: installs codemode from the registry in an empty folder with a package manager, follows
 * docs/start.md, and runs the program of README.md. Returns what went otherwise, and keeps the figures.
 */
export async function tellStory(major: NodeMajor, manager: Manager): Promise<Divergence[]> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-newcomer-"));
  try {
    const { registry, figures } = inject("release");
    const machine = await makeMachine(folder, registry, programsFor(major, manager));
    const project = join(machine.work, "mine");
    await mkdir(project);
    const steps = await planStory(manager);
    const { divergences, seconds } = await followSteps(steps, await machine.at(project));
    const result = steps.findIndex((step) => step.kind === "command" && RESULT.test(step.command)) + 1;
    if (divergences.length === 0) {
      const sum = seconds.slice(0, result).reduce((total, one) => total + one, 0);
      const story = `${manager.name} on Node ${major}, docs/start.md`;
      await writeFigure(figures, { story, seconds: sum, lines: countLines(steps.slice(0, result)) });
    }
    return divergences;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function planStory({ init, install, printed, exec, execAdd = exec }: Manager): Promise<PageStep[]> {
  const start = await readSteps("docs/start.md", (text) =>
    text.replaceAll("npx codemode add", `${execAdd} codemode add`).replaceAll(/npx (?=codemode (?!add))/g, `${exec} `),
  );
  const shown = start.map((step) =>
    step.kind === "command" && RESULT.test(step.command) ? { ...step, shown: "...\n1\n...\n" } : step,
  );
  const program = findLibraryProgram(await readFile("README.md", "utf8"));
  return [
    ...(init === undefined ? [] : [type(init)]),
    type(install, printed),
    ...shown,
    write("program.mjs", program),
    type("node program.mjs", "- [ ] Water the plants\n"),
    type("node -p 'require(\"codemode/package.json\").repository.url'", `${REPOSITORY}\n`),
    type(`${exec} codemode --help`),
  ];
}
