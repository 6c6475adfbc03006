/** Keeps the error of a call, and goes on. */
const FAIL = `const failures: string[] = [];
const fail = (error: Error): void => void failures.push(error.name + ": " + error.message.replaceAll(/\\s+/g, " "));
`;

/** Reads, writes, pages and fails, against the three applications of `test/openapi/apis`. */
export const SCRIPTS = {
  flags: `import { addTag, archiveFeature, createFeature, createUser, getFeature, patchFeature, searchFeatures, toggleFeatureEnvironmentOn } from "@codemode/servers/flags";
${FAIL}
const projectId = "default";
for (let index = 0; index < 7; index += 1) {
  await createFeature({ projectId, name: "flag-" + index, type: index % 2 === 0 ? "release" : "kill-switch" });
}
const featureName = "flag-1";
await toggleFeatureEnvironmentOn({ projectId, featureName, environment: "development" });
await patchFeature({ projectId, featureName, body: [{ op: "replace", path: "/description", value: "für alle" }] });
await addTag({ featureName, type: "simple", value: "beta" });
const { description, type, environments = [] } = await getFeature({ projectId, featureName });

const names: string[] = [];
for (let offset = 0, total = 1; offset < total; offset += 3) {
  const page = await searchFeatures({ project: "IS:default", sortBy: "name", limit: "3", offset: String(offset) });
  total = page.total ?? 0;
  names.push(...page.features.map(({ name }) => name));
}
const { features: tagged } = await searchFeatures({ tag: "INCLUDE:simple:beta" });
await archiveFeature({ projectId, featureName: "flag-6" });

await createFeature({ projectId, name: "flag-0" }).catch(fail);
await createFeature({ projectId, name: "no name" }).catch(fail);
await getFeature({ projectId, featureName: "../../secrets" }).catch(fail);
for (const username of ["ann", "bob", "cem"]) await createUser({ username, rootRole: 3, sendEmail: false }).catch(fail);
export default {
  ...{ description, type, on: environments.filter(({ enabled }) => enabled).map(({ name }) => name) },
  ...{ names, tagged: tagged.map(({ name }) => name), failures },
};
`,
  todo: `import * as todo from "@codemode/servers/todo";
${FAIL}
const titles = ["milk", "bread", "50 % & more", "tea", "jam"];
for (const title of titles) await todo.TodoController_create({ title, isComplete: title.length > 4 });
await todo.TodoController_updateById({ id: 1, body: { desc: "2 l" } });
await todo.TodoController_replaceById({ id: 2, body: { title: "bread rolls" } });
const { count: done } = await todo.TodoController_updateAll({ isComplete: true, where: { id: { inq: [4, 5] } } });
await todo.TodoController_deleteById({ id: 5 });

const pages: string[][] = [];
for (let skip = 0; ; skip += 2) {
  const { body } = await todo.TodoController_find({ filter: { skip, limit: 2, order: ["id DESC"], fields: ["title"] } });
  if (body.length === 0) break;
  pages.push(body.map(({ title }) => title));
}
const { body: found } = await todo.TodoController_find({ filter: { where: { title: "50 % & more" } } });
const { count: complete } = await todo.TodoController_count({ where: { isComplete: true } });

await todo.TodoController_findById({ id: 99 }).catch(fail);
await todo.TodoController_find({ filter: { order: "title SIDEWAYS" } }).catch(fail);
await todo.TodoController_create({ title: "x", id: 7 } as never).catch(fail);
export default { first: await todo.TodoController_findById({ id: 1 }), done, pages, found, complete, failures };
`,
  notes: `import { addNote, changeNote, exportNotes, getNote, listNotes, removeNote } from "@codemode/servers/notes";
${FAIL}
for (let index = 1; index <= 12; index += 1) await addNote({ title: "note " + index, tags: [index % 2 === 0 ? "even" : "a,b"] });
const changed = await changeNote({ id: 1, "if-match": '"1"', title: "ünï", due: null });
await removeNote({ id: 12 });

const pages: number[][] = [];
for (let page = 1; ; page += 1) {
  const { body } = await listNotes({ page, tag: ["a,b"] });
  pages.push(body.map(({ id }) => id));
  if (body.length < 5) break;
}
await getNote({ id: 12 }).catch(fail);
await changeNote({ id: 1, "if-match": '"1"', title: "late" }).catch(fail);
await addNote({ title: "old", due: "1999-12-31T00:00:00Z" }).catch(fail);
await addNote({ title: "x".repeat(81) }).catch(fail);
const exported: unknown[] = [];
for (let count = 0; count < 3; count += 1) await exportNotes().then((text) => exported.push(text), fail);
export default { changed, pages, lines: JSON.stringify(exported[0]).split("\\\\n").length, exports: exported.length, failures };
`,
};
