import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { probeConfinement } from "../../../runtime/sandbox/pool/confinement.ts";
import { makeSandboxPool, type SandboxPool, type SandboxPoolOptions } from "../../../runtime/sandbox/pool/pool.ts";
import { findNode, NODE_VERSIONS } from "../../node-versions/find-node.ts";
import { resultOf, runScript } from "../realm/run-script.ts";
import { testOnLinux, testOnPosix } from "../../platforms/needs.ts";

/** A pool that is closed after the test, however it ends. */
function makePool(options?: SandboxPoolOptions): SandboxPool {
  const pool = makeSandboxPool(options);
  onTestFinished(() => pool.close());
  return pool;
}

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

describe("the processes of a pool", () => {
  test("are used once [1.4/fresh]", async () => {
    const pool = makePool({ size: 1 });
    const [first, second] = [await pool.take(), await pool.take()];
    expect(first.pid).not.toBe(second.pid);
  });

  test("that died while they waited are not given out", async () => {
    const pool = makePool({ size: 1, refill: false });
    await pool.warm();
    const idle = childrenOfThisProcess().filter((pid) => commandOf(pid).includes("boot.cjs"));
    expect(idle.length).toBeGreaterThan(0);
    for (const pid of idle) process.kill(pid, "SIGKILL");
    await vi.waitUntil(() => idle.every((pid) => !isRunning(pid)));

    expect(await resultOf("globalThis.__codemode_result__ = 1;", { pool })).toBe(1);
  });

  test("are gone when the pool is closed, those with a script too", async () => {
    const pool = makeSandboxPool({ size: 2 });
    await pool.warm();
    const busy = await pool.take();
    const running = runScript("for (;;);", { pool });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await pool.close();

    expect(await running).toMatchObject({ result: null, diagnostics: [{ code: "RUN_CANCELLED" }] });
    expect(isRunning(busy.pid)).toBe(false);
    expect(childrenOfThisProcess().filter((pid) => commandOf(pid).includes("boot.cjs"))).toEqual([]);
    await expect(pool.take()).rejects.toMatchObject({ code: "SANDBOX_START", hint: expect.any(String) });
  });

  test("are more than one after a burst, and no more than is of use", async () => {
    const pool = makePool();
    const runs = Array.from({ length: 6 }, (_, index) =>
      resultOf(`globalThis.__codemode_result__ = ${index};`, { pool }),
    );
    expect(await Promise.all(runs)).toEqual(Array.from({ length: 6 }, (_, index) => index));

    const idle = (): number => childrenOfThisProcess().filter((pid) => commandOf(pid).includes("boot.cjs")).length;
    await vi.waitUntil(() => idle() > 1);
    await pool.warm();
    expect(idle()).toBeLessThanOrEqual(availableParallelism() * 2);
  });

  test("are given out while a long run goes on", async () => {
    const pool = makePool({ size: 1 });
    const ending = new AbortController();
    const long = runScript("await new Promise((resolve) => setTimeout(resolve, 1e6));", {
      pool,
      signal: ending.signal,
    });
    for (let runs = 0; runs < 3; runs += 1) {
      expect(await resultOf("globalThis.__codemode_result__ = 1;", { pool })).toBe(1);
    }
    ending.abort();
    expect((await long).diagnostics).toMatchObject([{ code: "RUN_CANCELLED" }]);
  });

  test.runIf(availableParallelism() > 1)("serve a client at once that has fewer than processors", async () => {
    const pool = makePool({ size: 2, refill: false, reuse: { times: 10, renew: "realm" } });
    await pool.warm();
    const first = pool.take("one");
    const second = pool.take("one");
    expect(pool.state()).toMatchObject({ ready: 0, starting: 0 });
    expect((await first).pid).not.toBe((await second).pid);
  });

  test("serve the runs of one client in turn by one of them, which renews itself in between", async () => {
    const pool = makePool({ size: 2, refill: false, reuse: { times: 20, renew: "compartment" } });
    const pids: number[] = [];
    const noting: SandboxPool = {
      ...pool,
      async take(trustDomain) {
        const sandbox = await pool.take(trustDomain);
        pids.push(sandbox.pid);
        return sandbox;
      },
    };
    await pool.warm();
    // However busy the machine is, the process renews itself in time.
    const now = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => now.mockRestore());
    // What the script does while its result is printed goes on after it was sent, and before the renewal.
    const script = `globalThis.__codemode_result__ = { get one() { Promise.resolve().then(() => {
      for (const end = Date.now() + 20; Date.now() < end;); }); return 1; } };`;
    for (let runs = 0; runs < 4; runs += 1) {
      expect(await resultOf(script, { pool: noting, trustDomain: "one" })).toEqual({ one: 1 });
    }
    expect(new Set(pids).size).toBe(1);
  });

  test("that are asked for when the pool is closed are refused", async () => {
    const pool = makePool();
    const asked = [pool.take(), pool.take(), pool.take()].map((taken) => taken.catch((error: unknown) => error));
    await pool.close();
    for (const outcome of await Promise.all(asked)) expect(outcome).toMatchObject({ code: "SANDBOX_START" });
  });

  test("cannot be started from a binary that is no Node; that is said, with a hint", async () => {
    await expect(makePool({ node: "/bin/false" }).take()).rejects.toMatchObject({
      code: "SANDBOX_START",
      hint: expect.any(String),
    });
  });
});

describe.each(NODE_VERSIONS)("a sandbox process on Node %s", (version) => {
  testOnLinux("/proc")(
    "has neither the host's environment nor its folder [11/credentials]",
    async () => {
      vi.stubEnv("CODEMODE_TEST_SECRET", "a secret that no sandbox may see");
      const pool = makePool({ node: findNode(version), refill: false });
      const { pid } = await pool.take();

      expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toBe("");
      expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain("secret");
      expect(execFileSync("readlink", [`/proc/${pid}/cwd`], { encoding: "utf8" })).toBe("/\n");
      vi.unstubAllEnvs();
    },
    120_000,
  );

  testOnLinux("/proc")("is confined as far as this machine allows", async () => {
    const { launcher, prlimit } = await probeConfinement();
    const pool = makePool({ node: findNode(version), refill: false });
    const [first, second] = [await pool.take(), await pool.take()];
    for (const { pid } of [first, second]) expectConfined(pid, launcher, prlimit);
    // The limits of the first are set when it is ready, and those of the others before they start: they are the same.
    expect(limitsOf(second.pid).replaceAll(/\d{8,}/g, "many")).toBe(limitsOf(first.pid).replaceAll(/\d{8,}/g, "many"));
  });

  const expectConfined = (pid: number, launcher: readonly string[], prlimit: string | undefined): void => {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const limits = limitsOf(pid);
    const namespaceOf = (id: number | "self"): string =>
      execFileSync("readlink", [`/proc/${id}/ns/net`], { encoding: "utf8" });

    expect(/^NoNewPrivs:\s+1$/m.test(status)).toBe(launcher.some((word) => word === "--no-new-privs"));
    expect(namespaceOf(pid) !== namespaceOf("self")).toBe(launcher.includes("--net"));
    expect(/^Max data size\s+\d+\s+\d+/m.test(limits)).toBe(prlimit !== undefined);
    expect(/^Max file size\s+0\s+0/m.test(limits)).toBe(prlimit !== undefined);
    expect(commandOf(pid)).toContain("permission");
  };

  test("ends when the host is killed, even in a loop", async () => {
    const { launcher } = await probeConfinement();
    const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, "killed-host.mjs"), findNode(version)], {
      ...{ encoding: "utf8", timeout: 20_000, killSignal: "SIGKILL" },
    });
    const pid = Number(stdout);

    if (launcher.includes("--pdeathsig")) await vi.waitUntil(() => !isRunning(pid), { timeout: 5_000 });
    else process.kill(pid, "SIGKILL");
    expect(pid).toBeGreaterThan(1);
  });
});

describe("the compile cache", () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "codemode-cache-"));
    vi.stubEnv("XDG_CACHE_HOME", home);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  const runOnce = async (): Promise<unknown> => {
    const pool = makeSandboxPool({ refill: false });
    try {
      return await resultOf("globalThis.__codemode_result__ = 'ran';", { pool });
    } finally {
      await pool.close();
    }
  };
  const filesIn = async (): Promise<string[]> => {
    const [key = ""] = await readdir(join(home, "codemode"));
    return (await readdir(join(home, "codemode", key))).map((name) => join(home, "codemode", key, name));
  };

  testOnPosix("modes of files")("is written by the first pool, for this user alone, and read by the next", async () => {
    await runOnce();
    const [file = ""] = await filesIn();
    const { mode, size, mtimeMs } = await stat(file);

    expect(mode & 0o077).toBe(0);
    expect((await stat(join(file, ".."))).mode & 0o077).toBe(0);
    expect(size).toBeGreaterThan(100_000);
    expect(await runOnce()).toBe("ran");
    expect((await stat(file)).mtimeMs).toBe(mtimeMs);
  });

  test("is written whole by pools that start at once", async () => {
    expect(await Promise.all([runOnce(), runOnce(), runOnce()])).toEqual(["ran", "ran", "ran"]);
    expect(await filesIn()).toHaveLength(1);
    expect(await runOnce()).toBe("ran");
  });

  test("may be broken, cut or empty", async () => {
    await runOnce();
    const [file = ""] = await filesIn();
    for (const content of ["", "not what V8 wrote", Buffer.alloc(1000, 1)]) {
      await writeFile(file, content);
      expect(await runOnce()).toBe("ran");
    }
  });

  testOnLinux("/proc")("may be impossible to write", async () => {
    await writeFile(join(home, "codemode"), "a file where the folder should be");
    expect(await runOnce()).toBe("ran");
    vi.stubEnv("XDG_CACHE_HOME", "/proc/nowhere");
    expect(await runOnce()).toBe("ran");
  });

  testOnPosix("modes of files")("is not used where others could have written it", async () => {
    await runOnce();
    const [file = ""] = await filesIn();
    const traceOf = async (): Promise<string> => commandOf((await makePool({ refill: false }).take()).pid);

    expect(await traceOf()).toContain(file);
    await chmod(file, 0o666);
    expect(await traceOf()).not.toContain(file);
    await chmod(file, 0o600);
    await chmod(join(file, ".."), 0o777);
    expect(await traceOf()).not.toContain(file);
  });

  test("is not used through a link", async () => {
    await runOnce();
    const [file = ""] = await filesIn();
    const elsewhere = join(home, "elsewhere");
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, "compiled"), readFileSync(file));
    await rm(file);
    await symlink(join(elsewhere, "compiled"), file);
    expect(commandOf((await makePool({ refill: false }).take()).pid)).not.toContain(file);
  });
});

function limitsOf(pid: number): string {
  return readFileSync(`/proc/${pid}/limits`, "utf8");
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function childrenOfThisProcess(): number[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
}
