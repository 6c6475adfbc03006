import { spawn } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PROGRAM } from "./make-project.ts";

/** Starts `codemode serve --http` in a project, and waits until it is ready. */
export async function startHttp(
  project: string,
  environment: Record<string, string>,
): Promise<{ url: string; close(): void }> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [join(project, PROGRAM), "serve", "--http", String(port)], {
    cwd: project,
    env: environment,
    stdio: "ignore",
  });
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isReady = await fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return { url: `http://127.0.0.1:${port}/mcp`, close: () => child.kill() };
    // sleeps: between two looks at a program that starts
    await sleep(200);
  }
  child.kill();
  throw new Error(`codemode serve --http did not become ready in ${project}`);
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
