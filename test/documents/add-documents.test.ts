import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { typeBeforeTests } from "../e2e/open-commands.ts";
import { linkOpenApi, runWithoutNpm } from "../e2e/openapi-package.ts";
import { writeFiles } from "../e2e/run-codemode.ts";
import { REAL_DOCUMENTS, unpackDocument, WITHOUT_DOCUMENTS } from "../openapi/real-documents.ts";
import { runProgram } from "../publishing/programs.ts";
import { CALLS, type ExpectedCall } from "./calls.ts";

interface Sent {
  sent: string;
  type: string;
  body: Buffer;
}

/** An API that answers everything with an empty object, and lists what it was asked. */
async function startAnything(): Promise<{ origin: string; seen: Sent[]; stop: () => void }> {
  const seen: Sent[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const type = request.headers["content-type"] ?? "";
      seen.push({ sent: `${request.method} ${request.url}`, type, body: Buffer.concat(parts) });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, seen, stop: () => server.close() };
}

async function readBody({ type, body }: Sent): Promise<unknown> {
  if (body.length === 0) return undefined;
  if (type.includes("json")) return JSON.parse(body.toString()) as unknown;
  if (!type.startsWith("multipart/")) return body.toString();
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  return Promise.all(
    [...form.entries()].map(async ([name, value]) => [name, typeof value === "string" ? value : await value.text()]),
  );
}

const STRICT = {
  compilerOptions: {
    ...{ target: "es2022", lib: ["es2022"], module: "nodenext", moduleDetection: "force", types: [], noEmit: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
  },
  include: ["generated/**/*.d.ts"],
};

const writeCalls = (name: string, calls: readonly ExpectedCall[]): string =>
  `import { ${[...new Set(calls.map(({ tool }) => tool))].join(", ")} } from "@codemode/servers/${name}";
${calls.map(({ tool, input }) => `await ${tool}(${JSON.stringify(input)});`).join("\n")}
export default "done";
`;

let api: Awaited<ReturnType<typeof startAnything>>;
beforeAll(async () => {
  api = await startAnything();
});
afterAll(() => api.stop());

describe.skipIf(REAL_DOCUMENTS.length === 0)(`the document of an API${WITHOUT_DOCUMENTS}`, () => {
  describe.each(REAL_DOCUMENTS.map((file) => [file.split(".", 1)[0] ?? "", file] as const))("of %s", (name, file) => {
    let cwd: string;
    beforeAll(async () => {
      cwd = await mkdtemp(join(tmpdir(), "codemode-document-"));
      await linkOpenApi(cwd);
      const document = await unpackDocument(file, join(cwd, "api"));
      const words = ["add", name, "--openapi", document, "--", "--base-url", api.origin];
      const added = await runWithoutNpm(words, { cwd }, typeBeforeTests);
      expect(added.code, added.stderr).toBe(0);
      expect(added.stderr).toMatch(new RegExp(`^${name}: \\d+ tools, added$`, "m"));
      expect(added.stderr).not.toContain("warning: an operation is left out");
    }, 120_000);
    afterAll(() => rm(cwd, { recursive: true, force: true, maxRetries: 5 }));

    test("has two calls that come as they are meant", async () => {
      const calls = CALLS[name];
      if (calls === undefined) throw new Error(`there are no calls for ${name}`);
      await writeFiles(cwd, { "use.ts": writeCalls(name, calls) });
      api.seen.length = 0;
      const run = await runWithoutNpm(["run", "use.ts", "--approve"], { cwd });
      expect(run.code, run.stderr).toBe(0);
      expect(api.seen.map(({ sent }) => sent)).toEqual(calls.map(({ sent }) => sent));
      expect(await Promise.all(api.seen.map(readBody))).toEqual(calls.map(({ body }) => body));
    }, 120_000);

    test("has types that compile as strictly as TypeScript can", async () => {
      const generated = await runWithoutNpm(["generate"], { cwd });
      expect(generated.code, generated.stderr).toBe(0);
      await writeFiles(cwd, { "tsconfig.strict.json": STRICT });
      const compiled = await runProgram(
        resolve("node_modules/typescript/bin/tsc"),
        ["-p", "tsconfig.strict.json", "--listFiles"],
        { cwd },
      );
      expect(compiled.output.match(/error TS.*/g) ?? []).toEqual([]);
      expect(compiled.output.match(/generated.*\.d\.ts$/gm)?.length).toBeGreaterThan(10);
    }, 240_000);
  });
});
