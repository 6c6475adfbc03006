import { existsSync } from "node:fs";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, vi } from "vitest";
import { openPage } from "../../../extras/ui/server/command.ts";
import { testOnPosix } from "../../platforms/needs.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

const TOKEN = "t0ken".repeat(8);

testOnPosix("a shell script")(
  "hands the browser no token: other users of the machine can list what programs are started with",
  async () => {
    const folder = await makeTestFolder();
    const browser = join(folder, "xdg-open");
    await writeFile(browser, `#!/bin/sh\necho "$@" > "${folder}/draft" && mv "${folder}/draft" "${folder}/words"\n`);
    await chmod(browser, 0o700);
    vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());

    const forget = await openPage(new URL(`http://127.0.0.1:8123/#${TOKEN}`), folder);
    await expect.poll(() => existsSync(join(folder, "words")), { timeout: 10_000 }).toBe(true);
    const words = await readFile(join(folder, "words"), "utf8");
    expect(words).not.toContain("t0ken");
    const file = fileURLToPath(words.trim());
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toContain(`url=http://127.0.0.1:8123/#${TOKEN}"`);
    await forget();
    // A folder without packages stays one.
    expect([file, join(folder, "node_modules")].map((path) => existsSync(path))).toEqual([false, false]);
  },
);
