import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FREEZE_REALM } from "./freeze-realm.mjs";

/** Parts of the suite about features that scripts lack on purpose. */
const OTHER_FEATURES = [
  ...["Temporal", "Atomics", "SharedArrayBuffer", "ShadowRealm", "WeakRef", "FinalizationRegistry", "cross-realm"],
  ...[
    "dynamic-import",
    "import-attributes",
    "import-defer",
    "source-phase-imports",
    "IsHTMLDDA",
    "caller",
    "host-gc-required",
  ],
];
const OTHER_FLAGS = ["noStrict", "raw", "CanBlockIsFalse", "non-deterministic"];

/**
 * Lists the suite's tests as modules, in an order that depends on their paths and the seed alone: the same sample for the same seed and count, spread over the
 * whole list.
 *
 * @param {string} folder a checkout of tc39/test262
 * @param {string} seed
 */
export function* listTests(folder, seed) {
  const pathsOf = (part) => readdirSync(join(folder, "test", part), { recursive: true, encoding: "utf8" });
  const paths = ["language", "built-ins"]
    .flatMap((part) => pathsOf(part).map((path) => `${part}/${path}`))
    .filter((path) => path.endsWith(".js") && !path.includes("_FIXTURE"))
    .map((path) => path.replaceAll("\\", "/"));
  const hash = (path) => createHash("sha256").update(`${seed}\n${path}`).digest("hex");
  const sorted = paths.map((path) => [hash(path), path]).toSorted(([left], [right]) => (left < right ? -1 : 1));
  for (const [, path] of sorted) {
    const test = readTest(folder, path);
    if (test !== undefined) yield test;
  }
}

function readTest(folder, path) {
  const source = readFileSync(join(folder, "test", path), "utf8");
  const head = /\/\*---(.*?)---\*\//s.exec(source)?.[1] ?? "";
  const list = (name) =>
    (new RegExp(`^${name}:\\s*\\[(.*?)\\]`, "ms").exec(head)?.[1] ?? "").split(/[\s,]+/).filter(Boolean);
  const [features, flags, includes] = [list("features"), list("flags"), list("includes")];
  const phase = /^negative:.*?phase:\s*(\w+)/ms.exec(head)?.[1];
  const isOther =
    features.some((name) => OTHER_FEATURES.includes(name)) || flags.some((name) => OTHER_FLAGS.includes(name));
  if (
    isOther ||
    /\$262|_FIXTURE|^\s*(import|export)\b[^;]*["']\.\.?\//m.test(source) ||
    (phase !== undefined && phase !== "parse")
  )
    return undefined;
  const isAsync = flags.includes("async");
  const files = ["assert.js", "sta.js", ...(isAsync ? ["doneprintHandle.js"] : []), ...includes];
  const harness = files.map((file) => readFileSync(join(folder, "harness", file), "utf8")).join("\n");
  if (harness.includes("$262")) return undefined;
  const end = isAsync ? ASYNC_END : "";
  const code = phase === "parse" ? source : `${START}${harness}\n${source}\n${end}`;
  // The harness gives its own objects members of names that prototypes have, which the sandbox alone allows then.
  const frozen = `${START}${harness}\n;${FREEZE_REALM}\n${source}\n${end}`;
  return { path, source, code, frozen, isNegative: phase === "parse" };
}

const START =
  "let test262Done; const test262Finished = new Promise((resolve) => { test262Done = resolve; });\nfunction print(text) { test262Done(text); }\n";
const ASYNC_END =
  '\nif ((await test262Finished) !== "Test262:AsyncTestComplete") throw new Test262Error(String(await test262Finished));\n';
