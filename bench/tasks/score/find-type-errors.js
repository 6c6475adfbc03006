import { mkdir, writeFile } from "node:fs/promises";

/** Type errors of reference scripts, by the id of the task. All scripts are modules of one program, which is checked once. */
export async function findTypeErrors({ project, world }, tasks) {
  const folder = `${project.folder}/scripts`;
  await mkdir(folder, { recursive: true });
  for (const { id, script } of tasks) await writeFile(`${folder}/${id}.ts`, world.fillIn(script));
  await writeFile(`${folder}/all.ts`, tasks.map(({ id }) => `import "./${id}.ts";\n`).join(""));
  const { diagnostics } = await project.check({ file: `${folder}/all.ts` });
  const errors = new Map();
  for (const { severity, message, path = "" } of diagnostics) {
    if (severity === "info") continue;
    const id = /([\w-]+)\.ts:/.exec(path)?.[1] ?? "all";
    errors.set(id, [...(errors.get(id) ?? []), message]);
  }
  return errors;
}
