import { cp, mkdir, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { type Followed, followSteps } from "../docs/follow-steps.ts";
import type { PageStep } from "../docs/page-steps.ts";
import { type Machine, makeMachine } from "./machine.ts";
import { OLDEST, programsFor } from "./managers.ts";

/** A machine with the packed files of a clone in a folder `codemode` beside the projects, as README and tutorial want it. The caller removes the folder. */
export async function makeMachineWithClone(): Promise<{ folder: string; machine: Machine }> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-newcomer-"));
  const { registry, packed } = inject("release");
  const machine = await makeMachine(folder, registry, programsFor(...OLDEST));
  await mkdir(join(machine.work, "codemode"));
  for (const file of await readdir(packed)) {
    if (file.endsWith(".tgz")) await cp(join(packed, file), join(machine.work, "codemode", file));
  }
  return { folder, machine };
}

/** Does the steps in a folder of the machine, which is made where it is absent. */
export async function followIn(machine: Machine, name: string, steps: readonly PageStep[]): Promise<Followed> {
  const cwd = join(machine.work, name);
  await mkdir(cwd, { recursive: true });
  return followSteps(steps, await machine.at(cwd));
}
