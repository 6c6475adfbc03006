import { statSync } from "node:fs";
import { explainOldNode, explainOtherEngine } from "../schemas/oldest-node.ts";

type RunCli = typeof import("./run-cli.ts");

/** What the compiler writes beside its output whenever it has written anything. A published package has none of it. */
const BUILD_RECORDS = [
  "../cli",
  "../engine",
  "../engine/bundle",
  "../engine/check",
  "../engine/process",
  "../engine/project",
  "../engine/run",
  "../extras/batch",
  "../extras/completion",
  "../extras/doctor",
  "../extras/durable",
  "../extras/install",
  "../extras/learn",
  "../extras/observe",
  "../extras/publish",
  "../extras/record",
  "../extras/stores",
  "../extras/try",
  "../extras/ui",
  "../extras/ui/report",
  "../extras/ui/report/collect",
  "../extras/ui/server",
  "../library",
  "../runtime/files",
  "../runtime/host",
  "../runtime/mcp",
  "../runtime/sandbox/pool",
  "../schemas",
  "../serve",
  "../templates",
  "../../runtime/bindings/dist/runtime/bindings",
  "../../runtime/bindings/dist/runtime/bindings/node",
  "../../runtime/bindings/dist/runtime/mcp/client",
].map((folder) => new URL(`${folder}/tsconfig.tsbuildinfo`, import.meta.url));

/**
 * Runs the command line of this process. The linked program has few large files in the place of hundreds, and starts in half of the
 * time; in a clone it may be older than what the compiler wrote last, which is taken then.
 * @param startLinked starts the linked program without Node's loader of ES modules, which it imports otherwise
 */
export async function startCommand(startLinked?: () => object): Promise<void> {
  // A reader such as `| head` may close the pipe early. That is not an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    endUnwritten(error);
  });
  // What cannot be said on standard error is not worth the end of the work.
  process.stderr.on("error", () => undefined);
  const other = explainOtherEngine(process.versions);
  const { permission } = process as { permission?: NodePermission };
  const refusal =
    other === undefined
      ? (explainOldNode(process.version) ?? explainPermission(permission, import.meta.dirname))
      : `error: ${other.cause}\nhint: ${other.hint}\n`;
  if (refusal !== undefined) {
    process.stderr.write(refusal);
    process.exitCode = 2;
    return;
  }
  const { runCli } = await loadRunCli(startLinked);
  // Setting the code, instead of exiting, lets a slow reader of stdout get everything.
  process.exitCode = await runCli(process.argv.slice(2));
}

/** What Node says of its permission model, where `--permission` is on. */
export interface NodePermission {
  has(scope: string, path?: string): boolean;
}

/** What to say where Node may not do what codemode needs to start; undefined where it may. */
export function explainPermission(permission: NodePermission | undefined, programFolder: string): string | undefined {
  if (permission === undefined) return undefined;
  const lacking = [
    ...(permission.has("fs.read", programFolder) && permission.has("fs.read", process.cwd())
      ? []
      : ["--allow-fs-read=*"]),
    ...(permission.has("child") ? [] : ["--allow-child-process"]),
    ...(permission.has("worker") ? [] : ["--allow-worker"]),
  ];
  if (lacking.length === 0) return undefined;
  return `error: Node runs with --permission, and lacks ${lacking.join(", ")}.\nhint: Add these, and --allow-fs-write for the project, or start codemode without --permission.\n`;
}

/** Standard output is full or broken: a script may have done its work, and must not seem to have done nothing. */
function endUnwritten(error: NodeJS.ErrnoException): never {
  process.stderr.write(
    `error: Cannot write to standard output: ${error.code ?? error.message}\nhint: Calls that a script has made took effect. Make room, or send the output elsewhere.\n`,
  );
  process.exit(1);
}

async function loadRunCli(startLinked: (() => object) | undefined): Promise<RunCli> {
  const isLinked = isLinkedCurrent();
  if (isLinked && startLinked !== undefined) return startLinked() as RunCli;
  const program = new URL(isLinked ? "../program/run-cli.js" : "../cli/run-cli.js", import.meta.url);
  return (await import(program.href)) as RunCli;
}

/** Whether there is a linked program, and the compiler has written nothing since. */
export function isLinkedCurrent(): boolean {
  const linkedAt = writtenAt(new URL("../program/run-cli.js", import.meta.url));
  return linkedAt > 0 && BUILD_RECORDS.every((record) => writtenAt(record) <= linkedAt);
}

/** 0 where there is no such file. */
function writtenAt(file: URL): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
