import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { packInstalled, type StockedPackage } from "./installed-packages.ts";

const TOOLS = resolve("test/publishing/node_modules");

/** A registry of our own: verdaccio, which asks no other one. */
export interface Registry {
  url: string;
  /** Settings of npm and pnpm that make them know no other registry and no cache but those of the folder. */
  environment: NodeJS.ProcessEnv;
  /** `npm publish` of a tarball. */
  publish(tarball: string): Promise<void>;
  /** Puts packages there that are installed in this repository, each version once. */
  stock(packages: readonly StockedPackage[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the registry with its storage in a folder. */
export async function startRegistry(folder: string): Promise<Registry> {
  await mkdir(folder, { recursive: true });
  const port = await findPort();
  const url = `http://127.0.0.1:${port}/`;
  await writeFile(join(folder, "config.yaml"), CONFIG);
  const npmrc = [`registry=${url}`, `//127.0.0.1:${port}/:_authToken=anybody`, "fund=false", "audit=false"];
  await writeFile(join(folder, "npmrc"), [...npmrc, "update-notifier=false", ""].join("\n"));
  const child = spawn(
    process.execPath,
    [join(TOOLS, "verdaccio/bin/verdaccio"), "--config", "config.yaml", "--listen", `127.0.0.1:${port}`],
    { cwd: folder, stdio: "ignore" },
  );
  const ended = once(child, "exit");
  await waitFor(`${url}-/ping`);
  const environment = withoutNpmSettings(folder);
  return {
    url,
    environment,
    publish: async (tarball) => {
      await promisify(execFile)("npm", ["publish", tarball, "--access", "public"], { cwd: folder, env: environment });
    },
    stock: async (packages) => {
      const waiting = [...packages];
      const putNext = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await putPackage(url, next);
      };
      // One is packed while the registry writes another.
      await Promise.all([putNext(), putNext(), putNext()]);
    },
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

const CONFIG = `storage: ./storage
auth: {}
uplinks: {}
packages:
  "**": { access: $all, publish: $all }
max_body_size: 100mb
web: { enable: false }
log: { type: stdout, level: fatal }
`;

/** What npm tells the scripts that it runs would otherwise hold for the npm that a test starts. */
function withoutNpmSettings(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:npm|pnpm)_/i.test(name));
  return {
    ...Object.fromEntries(own),
    npm_config_userconfig: join(folder, "npmrc"),
    npm_config_globalconfig: join(folder, "no-npmrc"),
    npm_config_cache: join(folder, "cache"),
    npm_config_store_dir: join(folder, "pnpm-store"),
    XDG_CACHE_HOME: join(folder, "xdg-cache"),
    XDG_STATE_HOME: join(folder, "xdg-state"),
  };
}

/** What `npm publish` sends. */
async function putPackage(url: string, stocked: StockedPackage): Promise<void> {
  const { manifest } = stocked;
  const { name, version } = manifest;
  const tarball = await packInstalled(stocked);
  const file = `${name}-${version}.tgz`;
  const digest = (algorithm: string, encoding: "base64" | "hex"): string =>
    createHash(algorithm).update(tarball).digest(encoding);
  // Yarn 1 wants the first one, all others the second.
  const digests = { shasum: digest("sha1", "hex"), integrity: `sha512-${digest("sha512", "base64")}` };
  const document = {
    _id: name,
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball: `${url}${name}/-/${file}`, ...digests } } },
    _attachments: {
      [file]: { content_type: "application/octet-stream", data: tarball.toString("base64"), length: tarball.length },
    },
  };
  const path = `${url}${name.replace("/", "%2f")}`;
  const headers = { "content-type": "application/json" };
  const answer = await fetch(path, { method: "PUT", headers, body: JSON.stringify(document) });
  if (!answer.ok) throw new Error(`${name}@${version}: ${answer.status} ${await answer.text()}`);
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function waitFor(url: string): Promise<void> {
  const answers = (): Promise<boolean> =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let attempt = 0; !(await answers()); attempt += 1) {
    if (attempt === 100) throw new Error("The registry does not answer.");
    // sleeps: between two looks at a program that starts
    await new Promise((settle) => setTimeout(settle, 100));
  }
}
