import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { listPlaceholders, readDocuments } from "../deploy/deployed-files.ts";
import { findFreePort } from "../scale/ports.ts";
import { podman, podmanOk } from "./podman.ts";

/** This machine's root may not raise limits, which podman does unless it is given some. */
export const LIMITS = ["--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096", "--no-healthcheck"];

/** A container of the project that serves. */
export interface Service {
  name: string;
  url: URL;
  token: string;
  /** Runs a command in it. */
  exec(...words: string[]): Promise<string>;
}

interface ComposeService {
  user: string;
  read_only: boolean;
  tmpfs: string[];
  cap_drop: string[];
  security_opt: string[];
  pids_limit: number;
  mem_limit: string;
}

/** Starts the project's image with every restriction of compose.yaml, until the test ends. */
export async function startService(): Promise<Service> {
  const [file] = (await readDocuments("compose.yaml")) as unknown as [{ services: { codemode: ComposeService } }];
  const { user, read_only, tmpfs, cap_drop, security_opt, pids_limit, mem_limit } = file.services.codemode;
  const [port, token] = [await findFreePort(), randomBytes(16).toString("hex")];
  const name = `codemode-test-${port}`;
  const restrictions = [
    ...[`--user=${user}`, `--pids-limit=${pids_limit}`, `--memory=${mem_limit}`, ...(read_only ? ["--read-only"] : [])],
    ...cap_drop.map((capability) => `--cap-drop=${capability}`),
    ...security_opt.map((option) => `--security-opt=${option.replace(":true", "")}`),
    // Podman copies what the image has below the mount, which Docker does not.
    ...tmpfs.map((mount) => `--tmpfs=${mount},notmpcopyup`),
  ];
  const wanted = await listPlaceholders("deploy/project/codemode.config.json");
  const secrets = wanted.map((variable) => [variable, randomBytes(32).toString("hex")] as const);
  const variables = [...new Map(secrets).set("CODEMODE_TOKEN", token)].map((pair) => pair.join("="));
  const words = ["serve", "--frozen", "--http", `127.0.0.1:${port}`];
  await podmanOk(
    ...["run", "--detach", "--name", name, "--network=host", ...LIMITS, ...restrictions],
    ...variables.flatMap((variable) => ["--env", variable]),
    ...["localhost/codemode-project", ...words],
  );
  onTestFinished(async () => void (await podman("rm", "--force", name)));
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  for (let tries = 0; tries < 300; tries += 1) {
    const ready = await fetch(new URL("/ready", url)).catch(() => undefined);
    if (ready?.status === 200) return { name, url, token, exec: (...command) => podmanOk("exec", name, ...command) };
    // sleeps: between two looks at a container that starts
    await delay(200);
  }
  throw new Error(`It is not ready: ${await podmanOk("logs", name)}`);
}
