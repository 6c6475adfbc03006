import { hasBreaking } from "./run-checks.mjs";

/** By it the comment of an earlier run is found. */
export function markerOf(name) {
  return `<!-- codemode review ${name.replace(/[^\w./-]/g, "_").replaceAll("--", "__")} -->`;
}

const RESULTS = { 0: "passed", 1: "**failed**", 2: "**cannot run**", 3: "**differs**" };

/** The Markdown of the job summary and of the comment; texts of servers are in it as `codemode diff` prints them, or in code. */
export function summarize({ checks, changes, markdown }, name) {
  const rows = checks.map(
    ({ command, code }) => `| \`${command.replaceAll("|", " ")}\` | ${RESULTS[code] ?? "**failed**"} |`,
  );
  const outputs = checks.filter(({ name, code, output }) => code !== 0 && output.trim() !== "" && !(name === "diff"));
  const parts = [
    markerOf(name),
    `## codemode: ${describe(checks, changes)}`,
    ["| check | result |", "| --- | --- |", ...rows].join("\n"),
    ...(markdown === "" ? [] : [markdown]),
    ...outputs.map(({ command, output }) => fold(command, output)),
  ];
  return `${parts.join("\n\n")}\n`;
}

function describe(checks, changes) {
  if (changes.length > 0) {
    const count = changes.length === 1 ? "1 server has changed" : `${changes.length} servers have changed`;
    return `${count}${hasBreaking(changes) ? ", and scripts or policies may break" : ""}`;
  }
  return checks.every(({ code }) => code === 0) ? "everything matches the lockfile" : "a check has failed";
}

const LONGEST_OUTPUT = 2500;

/** What a command printed, in a block of code whose fence is longer than any inside. */
function fold(command, output) {
  const text = output.trim();
  const shown = text.length > LONGEST_OUTPUT ? `${text.slice(0, LONGEST_OUTPUT)}…` : text;
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `<details><summary><code>${command}</code></summary>\n\n${fence}text\n${shown}\n${fence}\n\n</details>`;
}
