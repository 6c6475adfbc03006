import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const TOOLS = pathToFileURL(resolve("test/publishing/node_modules"));

interface Publint {
  publint(options: { pack: { tarball: ArrayBuffer }; strict: boolean }): Promise<{ messages: { code: string }[] }>;
}

interface Attw {
  createPackageFromTarballData(tarball: Uint8Array): object;
  checkPackage(
    packed: object,
  ): Promise<{ problems?: { kind: string; resolutionKind?: string; entrypoint?: string }[] }>;
}

/** What the profile `esm-only` of `attw` leaves out: users who know no `exports`, and those who `require`. */
const OTHER_USERS = new Set(["node10", "node16-cjs"]);

/** What `publint --strict` says against a tarball, its hints included. Called here, as a program of its own takes seconds. */
export async function lintExports(tarball: string): Promise<string[]> {
  const { publint } = (await import(`${TOOLS.href}/publint/src/index-node.js`)) as Publint;
  const { messages } = await publint({ pack: { tarball: toArrayBuffer(await readFile(tarball)) }, strict: true });
  return messages.map(({ code }) => code);
}

/** What `attw --profile esm-only` ("Are the types wrong?") says against a tarball. */
export async function lintTypes(tarball: string): Promise<string[]> {
  const attw = (await import(`${TOOLS.href}/@arethetypeswrong/core/dist/index.js`)) as Attw;
  const packed = attw.createPackageFromTarballData(new Uint8Array(await readFile(tarball)));
  const { problems = [] } = await attw.checkPackage(packed);
  const own = problems.filter(({ resolutionKind }) => !OTHER_USERS.has(resolutionKind ?? ""));
  return own.map(({ kind, entrypoint = "" }) => `${kind} ${entrypoint}`.trim());
}

function toArrayBuffer({ buffer, byteOffset, length }: Buffer): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer;
}
