import { findProgram, runCodemode } from "./run-codemode.mjs";
import { optionsOf } from "./read-settings.mjs";

/** What each check runs. */
const COMMANDS = {
  lock: ["lock", "--check", "--json"],
  diff: ["diff", "--format", "markdown"],
  generate: ["generate", "--check"],
  scripts: ["check", "--all"],
};

/**
 * Runs the checks one after another: not every server can run twice at a time.
 * @returns each check with its exit code and output, the changes of servers, and the same as Markdown
 */
export async function runChecks(settings, env) {
  const program = findProgram(settings.folder);
  const checks = [];
  for (const name of settings.checks) {
    const args = [...COMMANDS[name], ...optionsOf(settings)];
    checks.push({ name, ...(await runCodemode(program, args, { folder: settings.folder, env })) });
  }
  const found = Object.fromEntries(checks.map((check) => [check.name, check]));
  return {
    checks: checks.map(({ name, args, code, stdout, stderr }) => ({
      name,
      command: `codemode ${args.join(" ")}`,
      code,
      // What these two print has its own place in the summary.
      output: name === "lock" || name === "diff" ? stderr : stdout + stderr,
    })),
    changes: readChanges(found.lock?.stdout),
    markdown: found.diff?.stdout.trim() ?? "",
  };
}

function readChanges(text) {
  try {
    const { changes } = JSON.parse(text ?? "");
    return Array.isArray(changes) ? changes : [];
  } catch {
    return [];
  }
}

/** What the checks come to: 2 for a mistake in the configuration, 1 for a failure, 3 for drift; 0 for what `failOn` lets pass. */
export function concludeChecks({ checks, changes }, failOn) {
  if (failOn === "never") return 0;
  const isBreaking = hasBreaking(changes);
  const codes = checks
    .filter(({ name, code }) => !(failOn === "breaking" && code === 3 && isOfServers(name) && !isBreaking))
    .map(({ code }) => code);
  return [2, 1, 3].find((code) => codes.includes(code)) ?? Math.max(0, ...codes);
}

function isOfServers(name) {
  return name === "lock" || name === "diff";
}

/** Also for a change of annotations: a policy may let through now what it denied. */
export function hasBreaking(changes) {
  return changes.some(({ severity }) => severity === "breaking" || severity === "policy");
}
