// Makes two durable runs, prints their ids, and ends while both are taken back: `put` one after the other, `set` as often as it comes.
import { writeSync } from "node:fs";
import { codeMode } from "codemode";

let begun = 0;
const undo = () => {
  begun += 1;
  if (begun === 2) process.exit(0);
  return new Promise(() => undefined);
};
const execute = () => null;
const code = await codeMode({
  store: { put: { execute, undo }, set: { annotations: { idempotentHint: true }, execute, undo } },
});
const ids = [];
for (const name of ["put", "set"]) {
  const script = `import { ${name} } from "@codemode/servers/store"; await ${name}();`;
  ids.push((await code.run({ code: script }, { durable: true })).runId);
}
writeSync(1, JSON.stringify(ids));
await Promise.all(ids.map((id) => code.undo(id)));
