const KILLED = new Set(["Killed", "Timeout"]);
const ALIVE = new Set(["Survived", "NoCoverage"]);

/** What the tests of an area noticed. Mutants that do not compile or that are left out count nowhere. */
export function toScore(area, mutants) {
  const killed = mutants.filter(({ status }) => KILLED.has(status)).length;
  const alive = mutants.filter(({ status }) => ALIVE.has(status)).length;
  const ignored = mutants.length - killed - alive;
  return { area, mutants: killed + alive, killed, alive, ignored, percent: (100 * killed) / (killed + alive) };
}

export function printTable(scores) {
  const rows = scores.map(({ area, mutants, killed, alive, ignored, percent }) => [
    ...[area, mutants, killed, alive, ignored],
    `${percent.toFixed(1)} %`,
  ]);
  const table = [
    ["area", "mutants", "killed", "survived", "left out", "score"],
    ["---", "---", "---", "---", "---", "---"],
    ...rows,
  ];
  return table.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** A line for each mutant that no test noticed: its place, what stands there, and what it was replaced by. */
export function printSurvivors(mutants) {
  const alive = mutants.filter(({ status }) => ALIVE.has(status));
  return alive.map(printSurvivor).toSorted().join("");
}

function printSurvivor({ fileName, location, mutatorName, replacement, status }) {
  const place = `${fileName.replace(`${process.cwd()}/`, "")}:${location.start.line}:${location.start.column}`;
  const text = replacement.replace(/\s+/g, " ");
  return `- ${place} ${mutatorName}${status === "NoCoverage" ? " (no test gets there)" : ""}: \`${text}\`\n`;
}
