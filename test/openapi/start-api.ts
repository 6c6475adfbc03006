import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { resolve } from "node:path";

/** The login of the applications in `test/openapi/apis`. Unleash wants this form. */
export const API_TOKEN = "*:*.7d1f6c0b9a8e4d35b2c1a0f9e8d7c6b5";

/** An application that runs. */
export interface RunningApi {
  url: string;
  stop: () => Promise<void>;
}

/** Starts `test/openapi/apis/start-NAME.mjs`, which prints its address when it is ready. */
export async function startApi(name: string): Promise<RunningApi> {
  const child = spawn(process.execPath, [resolve(`test/openapi/apis/start-${name}.mjs`)], {
    env: { ...process.env, API_TOKEN },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "close");
  const [url] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line") as Promise<[string]>,
    ended.then(([code]) => Promise.reject(new Error(`start-${name}.mjs ended with ${code}`))),
  ]);
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  return { url, stop };
}

/** The entry of a configuration that makes tools of the application's own document. */
export function toServer({ url }: RunningApi, document: string, scheme = ""): object {
  return {
    command: process.execPath,
    args: [resolve("openapi/dist/main.js"), `${url}${document}`, "--base-url", url],
    env: { OPENAPI_HEADERS: `Authorization: ${scheme}\${TOKEN}` },
  };
}
