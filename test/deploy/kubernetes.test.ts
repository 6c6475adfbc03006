import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Container, PodSpec } from "kubernetes-types/core/v1.d.ts";
import { expect, test } from "vitest";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import { type JsonObject, parseJsonObject } from "../../schemas/json/json.ts";
import { runProgram, type Verdict } from "../publishing/programs.ts";
import { listPlaceholders, readDeployed, readDocuments } from "./deployed-files.ts";
import { makeTestFolder } from "../make-test-folder.ts";

const MANIFEST = "deploy/kubernetes.yaml";

/** Asks the compiler whether documents are what the API of Kubernetes takes: unlike its schemas, types refuse unknown keys. */
async function checkTypes(documents: readonly JsonObject[]): Promise<Verdict> {
  const folder = await makeTestFolder();
  const lines = documents.map((document) => {
    const [group = "", version = ""] = String(document["apiVersion"]).replace(/^v1$/, "core/v1").split("/");
    const types = resolve("node_modules/kubernetes-types", group.replace(/\.k8s\.io$/, ""), `${version}.d.ts`);
    return `(${JSON.stringify(document)}) satisfies import(${JSON.stringify(types)}).${String(document["kind"])};`;
  });
  await writeFile(join(folder, "manifest.ts"), `${lines.join("\n")}\nexport {};\n`);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler"];
  return runProgram(resolve("node_modules/typescript/bin/tsc"), [...options, "manifest.ts"], { cwd: folder });
}

async function readKind<T = JsonObject>(kind: string): Promise<T> {
  return (await readDocuments(MANIFEST)).find((document) => document["kind"] === kind) as T;
}

async function readPod(): Promise<{ pod: PodSpec; labels: object; containers: Container[] }> {
  const { spec } = await readKind<{ spec: { template: { metadata: { labels: object }; spec: PodSpec } } }>(
    "Deployment",
  );
  const pod = spec.template.spec;
  return { pod, labels: spec.template.metadata.labels, containers: [...(pod.initContainers ?? []), ...pod.containers] };
}

test("every object is one of the API, and a misspelt key is none", async () => {
  const files = [MANIFEST, "deploy/store.yaml", "deploy/batch-job.yaml"];
  const documents = (await Promise.all(files.map(readDocuments))).flat();
  const text = JSON.stringify(documents).replace('"readOnlyRootFilesystem"', '"readonlyRootFilesystem"');
  const wrong = JSON.parse(text) as JsonObject[];
  const [verdict, caught] = await Promise.all([checkTypes(documents), checkTypes(wrong)]);
  expect(verdict).toEqual({ ok: true, output: "" });
  expect(caught).toEqual({ ok: false, output: expect.stringContaining("readonlyRootFilesystem") });
});

test("the pods keep to the restricted profile, which their namespace enforces", async () => {
  const namespace = await readKind<{ metadata: { labels: object } }>("Namespace");
  expect(namespace.metadata.labels).toEqual({ "pod-security.kubernetes.io/enforce": "restricted" });
  const { pod, containers } = await readPod();
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
  expect(pod.automountServiceAccountToken).toBe(false);
  expect(containers).toHaveLength(2);
  for (const { securityContext, resources } of containers) {
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(resources?.limits).toHaveProperty("memory");
  }
});

test("all selectors match the pods, and all mounted volumes exist", async () => {
  const { pod, labels, containers } = await readPod();
  const documents = JSON.stringify(await readDocuments(MANIFEST));
  const selections = [...documents.matchAll(/"(?:matchLabels|selector)":(\{"app[^}]*\})/g)].map(
    ([, text = ""]) => text,
  );
  const ofStore = { "app.kubernetes.io/name": "codemode-store" };
  expect(selections.map((selection) => JSON.parse(selection) as object)).toEqual([...Array(5).fill(labels), ofStore]);
  const volumes = pod.volumes?.map(({ name }) => name);
  for (const { volumeMounts = [] } of containers) {
    expect(volumes).toEqual(expect.arrayContaining(volumeMounts.map(({ name }) => name)));
  }
});

test("an audit log has a place that outlives its container, in the manifest, the chart and the compose file", async () => {
  const { pod } = await readPod();
  const [container] = pod.containers as [Container];
  expect(container.volumeMounts).toContainEqual({ name: "audit", mountPath: "/audit" });
  expect(pod.volumes).toContainEqual({ name: "audit", emptyDir: {} });
  const chart = await readDeployed("deploy/helm/templates/deployment.yaml");
  expect(chart).toContain("- { name: audit, mountPath: /audit }");
  expect(chart).toMatch(/- name: audit\n\s+emptyDir: \{\}/);
  for (const file of ["compose.yaml", "docs/containers.md"]) {
    expect(await readDeployed(file)).toContain("/audit/audit.jsonl");
  }
});

test("the probes ask what is served, and a pod has time to be forgotten and to drain", async () => {
  const { pod } = await readPod();
  const [container] = pod.containers as [Container];
  const { startupProbe, readinessProbe, livenessProbe } = container;
  expect([startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet)).toEqual([
    { path: "/ready", port: "http" },
    { path: "/ready", port: "http" },
    { path: "/health", port: "http" },
  ]);
  expect(container.ports).toEqual([
    { name: "http", containerPort: 8080 },
    { name: "metrics", containerPort: 9464 },
  ]);
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(DEFAULTS.serve.drainMs / 1000 + 14);
});

test("the pods get the secrets that the project asks for, and its files", async () => {
  const wanted = [
    ...(await listPlaceholders("deploy/project/codemode.config.json")),
    "CODEMODE_STORE",
    "CODEMODE_STORE_KEY",
  ];
  const { pod, containers } = await readPod();
  for (const { env = [] } of containers) {
    expect(env.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted());
    expect(env.every(({ value, valueFrom }) => value === undefined && valueFrom?.secretKeyRef !== undefined)).toBe(
      true,
    );
  }
  const [kustomization] = (await readDocuments("deploy/kustomization.yaml")) as [
    { resources: string[]; configMapGenerator: [{ name: string; files: string[] }]; images: [{ newTag: string }] },
  ];
  const { resources, configMapGenerator, images } = kustomization;
  const [{ name, files }] = configMapGenerator;
  expect([...resources, ...files].filter((path) => !existsSync(join("deploy", path)))).toEqual([]);
  expect(pod.volumes).toContainEqual({ name: "project", configMap: { name } });
  const mounted = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.flatMap(({ subPath }) => subPath ?? []));
  expect([...new Set(mounted)]).toEqual(files.map((path) => path.replace("project/", "")));
  expect(images[0].newTag).toBe(parseJsonObject(await readDeployed("package.json"))?.["version"]);
});

test("all files name one tag of the image, which the page builds", async () => {
  const files = [MANIFEST, "deploy/batch-job.yaml", "compose.yaml", "docs/containers.md"];
  const tags = (await Promise.all(files.map(readDeployed))).flatMap((text) =>
    [...text.matchAll(/(?:image:|docker build -t) (codemode-project\S*)/g)].map(([, image]) => image),
  );
  const version = String(parseJsonObject(await readDeployed("package.json"))?.["version"]);
  expect([tags.length, new Set(tags)]).toEqual([5, new Set([`codemode-project:${version}`])]);
});

test("the replicas reach their store and nothing else of the cluster, and the store keeps what was used", async () => {
  const store = await readDocuments("deploy/store.yaml");
  const find = (kind: string): JsonObject => store.find((each) => each["kind"] === kind) ?? {};
  const { spec } = find("StatefulSet") as unknown as {
    spec: { template: { metadata: { labels: object }; spec: PodSpec } };
  };
  const [database] = spec.template.spec.containers as [Container];
  const mounts = database.volumeMounts?.map(({ name, mountPath }) => [name, mountPath]);
  expect(mounts).toContainEqual(["data", "/data"]);
  expect(database.env).toContainEqual({ name: "PGDATA", value: "/data/database" });
  const { containers } = await readPod();
  expect(database.securityContext).toEqual(containers[0]?.securityContext);
  const egress = JSON.stringify((await readKind<{ spec: { egress: object } }>("NetworkPolicy")).spec.egress);
  expect(egress).toContain(JSON.stringify({ matchLabels: spec.template.metadata.labels }));
  expect(JSON.stringify(find("NetworkPolicy"))).toContain(JSON.stringify({ protocol: "TCP", port: "postgres" }));
});

test("each pod of the batch knows how many parts there are, and is as confined as the pods that serve", async () => {
  const [claim, job] = (await readDocuments("deploy/batch-job.yaml")) as unknown as [
    { kind: string; metadata: { name: string } },
    { spec: { completions: number; template: { spec: PodSpec } } },
  ];
  const { pod } = await readPod();
  const batch = job.spec.template.spec;
  const [container] = batch.containers;
  const [serving] = pod.containers;
  expect(container?.env).toContainEqual({ name: "JOB_COMPLETIONS", value: String(job.spec.completions) });
  expect(batch.volumes).toContainEqual({ name: "batch", persistentVolumeClaim: { claimName: claim.metadata.name } });
  expect(claim.kind).toBe("PersistentVolumeClaim");
  expect(batch.securityContext).toEqual(pod.securityContext);
  expect(container?.securityContext).toEqual(serving?.securityContext);
});
