import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { readDocuments } from "../deploy/deployed-files.ts";
import { runProgram, type Verdict } from "../publishing/programs.ts";
import { openRenderer, type Renderer } from "./render.ts";
import { makeTestFolder } from "../make-test-folder.ts";

/** npm has no types of 1.31; Kubernetes takes no field away from a version of an API, so it takes what 1.30 takes. */
const KUBERNETES = ["1.30", "1.32", "1.33", "1.34"];
const FILES = [
  ...["--set-file", "config=deploy/project/codemode.config.json"],
  ...["--set-file", "lockfile=deploy/project/codemode.lock.json"],
];

let renderer: Renderer;
beforeAll(async () => {
  renderer = await openRenderer();
});
afterAll(() => renderer.close());

const nameOf = ({ kind, metadata }: JsonObject): string =>
  `${String(kind)}/${String((metadata as JsonObject)["name"])}`;
const findKind = (objects: readonly JsonObject[], kind: string): JsonObject | undefined =>
  objects.find((object) => object["kind"] === kind);
const isOfKubernetes = ({ apiVersion }: JsonObject): boolean => apiVersion !== "keda.sh/v1alpha1";

/** Everything that the manifests can become. */
async function renderAll(): Promise<JsonObject[]> {
  const rendered = await Promise.all([
    ...[renderer.kustomize("hpa", "runtime-class"), renderer.kustomize("keda"), readDocuments("deploy/batch-job.yaml")],
    ...[renderer.helm(...FILES), renderer.helm("--set", "autoscaling=hpa,runtimeClassName=kata")],
    renderer.helm("--set", "autoscaling=keda"),
  ]);
  return rendered.flat();
}

/** Asks the compiler whether objects are those of the API: types refuse unknown keys and miss required ones. */
async function checkTypes(version: string, objects: readonly JsonObject[]): Promise<Verdict> {
  const folder = await makeTestFolder();
  const types = JSON.stringify(resolve(`test/containers/node_modules/kubernetes-${version}/dist/index.d.ts`));
  const lines = objects.map((object) => {
    const [, group = ""] = /([^/]+)$/.exec(String(object["apiVersion"])) ?? [];
    const type = `${group.replace("v", "V")}${String(object["kind"])}`;
    return `(${JSON.stringify(version === "1.30" ? object : withoutReserved(object))}) satisfies import(${types}).${type};`;
  });
  await writeFile(join(folder, "objects.ts"), `${lines.join("\n")}\nexport {};\n`);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler"];
  return runProgram(resolve("node_modules/typescript/bin/tsc"), [...options, "objects.ts"], { cwd: folder });
}

/** Newer clients put a line before the one key of ours that is a word of some languages. */
function withoutReserved(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutReserved);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).map(([key, part]) => [key === "from" ? "_from" : key, withoutReserved(part)]);
  return Object.fromEntries(kept) as JsonObject;
}

test.each(KUBERNETES)("every object is one of Kubernetes %s, and a misspelt key is none", async (version) => {
  const objects = (await renderAll()).filter(isOfKubernetes);
  expect(objects.length).toBeGreaterThan(30);
  const wrong = JSON.parse(JSON.stringify(objects).replace("readOnlyRootFilesystem", "readonlyRootFilesystem"));
  expect(await checkTypes(version, objects)).toEqual({ ok: true, output: "" });
  expect(await checkTypes(version, wrong as JsonObject[])).toMatchObject({
    ok: false,
    output: expect.stringContaining("readonlyRootFilesystem"),
  });
});

test("the object for KEDA follows its schema", async () => {
  const module = resolve("test/containers/node_modules/@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject.js");
  const { ScaledObject } = (await import(module)) as {
    ScaledObject: new (object: JsonObject) => { validate: () => void };
  };
  const scaled = (await renderAll()).filter((object) => !isOfKubernetes(object));
  expect(scaled).toHaveLength(2);
  for (const object of scaled) expect(() => new ScaledObject(object).validate()).not.toThrow();
  const [first] = scaled as [JsonObject];
  expect(() => new ScaledObject({ ...first, spec: { scaleTargetRef: {} } }).validate()).toThrow();
});

test("an autoscaler has the number of replicas to itself, and a RuntimeClass holds the whole pod", async () => {
  const plain = await renderer.kustomize();
  const scaled = await renderer.kustomize("hpa", "runtime-class");
  expect(findKind(plain, "Deployment")).toMatchObject({ spec: { replicas: 3 } });
  expect(findKind(scaled, "Deployment")?.["spec"]).not.toHaveProperty("replicas");
  expect(findKind(scaled, "Deployment")).toMatchObject({
    spec: { template: { spec: { runtimeClassName: "gvisor" } } },
  });
  expect(scaled.map(nameOf)).toEqual(
    expect.arrayContaining([...plain.map(nameOf), "HorizontalPodAutoscaler/codemode"]),
  );
});

test("the chart makes the objects of the manifest", async () => {
  expect(await renderer.lint()).toContain("0 chart(s) failed");
  const [plain, chart] = [await renderer.kustomize(), await renderer.helm(...FILES)];
  const text = JSON.stringify(plain).replaceAll(/codemode-project-[0-9a-z]{10}/g, "codemode-project");
  for (const object of JSON.parse(text) as JsonObject[]) {
    if (object["kind"] === "Namespace") continue;
    const made = structuredClone(chart.find((one) => nameOf(one) === nameOf(object)));
    const bare = JSON.parse(JSON.stringify(made).replace(/,"codemode\/project":"[0-9a-f]{64}"/, "")) as JsonObject;
    expect({ ...bare, metadata: { ...(bare["metadata"] as JsonObject), namespace: "codemode" } }).toEqual(object);
  }
  await expect(renderer.helm("--set", "autoscaling=more")).rejects.toThrow("autoscaling is none, hpa or keda");
});
