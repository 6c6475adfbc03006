import { createHash } from "node:crypto";
import { spawn } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { connectLegacy, connectModern } from "./serve-clients.ts";
import { typeCommand } from "./open-commands.ts";
import { type Finished, whenFinished } from "./finished.ts";
import { makeProject, STAND_INS } from "./run-codemode.ts";
import { testOnPosix } from "../platforms/needs.ts";

const CONFIG = { mcpServers: { everything: STAND_INS.everything } };

/** The lines of a block of code. */
function blockOf(text: string, language: string): string {
  const [, block = ""] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(text) ?? [];
  return block;
}

/** Runs a line as an agent's shell tool does. */
function shell(line: string, cwd: string, bin: string): Promise<Finished> {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` };
  return whenFinished(spawn("sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] }));
}

/** A locked project with the skill, and a folder with the command, as a global installation would have it. */
async function makeSkilled() {
  const cwd = await makeProject({ "codemode.config.json": CONFIG });
  const bin = join(cwd, "bin");
  await mkdir(bin);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${resolve("dist/cli/main.js")}' "$@"\n`;
  await writeFile(join(bin, "codemode"), script);
  await chmod(join(bin, "codemode"), 0o755);
  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0 });
  const install = (...args: string[]): Promise<Finished> => typeCommand(["install", "claude-code", ...args], { cwd });
  expect(await install("--skill")).toMatchObject({ code: 0, stdout: "" });
  const path = join(cwd, ".claude", "skills", "codemode", "SKILL.md");
  return { cwd, bin, install, path, text: await readFile(path, "utf8") };
}

testOnPosix("a shell script")(
  "every command that the skill shows works as it is shown, also in a folder below the project",
  async () => {
    const { cwd, bin, text } = await makeSkilled();
    const below = join(cwd, "src");
    await mkdir(below);
    await writeFile(join(below, "task.ts"), blockOf(text, "ts"));
    const lines = blockOf(text, "sh").trim().split("\n");
    expect(lines).toHaveLength(5);
    const finished = await Promise.all(lines.map((line) => shell(line, below, bin)));
    expect(finished.map(({ code, stderr }) => [code, code === 0 ? "" : stderr])).toEqual(lines.map(() => [0, ""]));
    const [, types, , run, limited] = finished;
    expect(types?.stdout).toContain("export function");
    expect(JSON.parse(run?.stdout ?? "")).toContainEqual(expect.stringMatching(/^everything\//));
    expect(run?.stderr).toContain(" tools");
    expect(JSON.parse(limited?.stdout ?? "").length).toBeLessThanOrEqual(2);
  },
);

testOnPosix("a shell script")(
  "it is written once, replaces no other skill of that name, and goes with uninstall",
  async () => {
    const { cwd, install, path } = await makeSkilled();
    expect(await install("--skill")).toMatchObject({ code: 0, stderr: expect.stringContaining("up to date") });
    expect(await typeCommand(["uninstall", "claude-code"], { cwd })).toMatchObject({ code: 0 });
    await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });

    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, "---\nname: codemode\ndescription: mine\n---\n");
    expect(await install("--skill")).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
    expect(await readFile(path, "utf8")).toContain("mine");
  },
);

test.each([
  ["legacy", connectLegacy],
  ["modern", connectModern],
] as const)("a %s client gets it over MCP, with the methods of the Skills extension", async (_era, connect) => {
  const cwd = await makeProject({ "codemode.config.json": CONFIG });
  await typeCommand(["lock"], { cwd });
  const client = await connect(cwd);
  const uri = "skill://codemode/SKILL.md";
  const { contents } = await client.readResource({ uri });
  const [{ text = "" } = {}] = contents as { text?: string }[];
  expect(text).toContain("- `everything`:");
  expect(client.getServerCapabilities()).toMatchObject({ extensions: { "io.modelcontextprotocol/skills": {} } });

  // The two packages type requests of extensions differently.
  const { request } = client as unknown as { request(asked: object, schema: object): Promise<unknown> };
  const ask = (method: string, params: object) => request.call(client, { method, params }, z.any());
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  const frontmatter = { name: "codemode", description: expect.stringContaining("(everything)") };
  const entry = { uri, frontmatter, resources: [{ uri, digest, size: Buffer.byteLength(text) }] };
  expect(await ask("skills/list", {})).toMatchObject({ skills: [entry], cacheScope: "private" });
  expect(await ask("skills/get", { uri })).toMatchObject({ skill: entry });
  await expect(ask("skills/get", { uri: "skill://other/SKILL.md" })).rejects.toMatchObject({ code: -32602 });
});
