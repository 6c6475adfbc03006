import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** A pull request of the past: which branch it is on, and the files that it wrote. */
const COMMITS = [
  ...Array.from({ length: 12 }, (_, index) => mainCommit(index + 1)),
  branchCommit("docs", 1, "guide.md"),
  branchCommit("docs", 2, "faq.md"),
  branchCommit("docs", 3, "index.md"),
  branchCommit("feature-search", 1, "search.js"),
  branchCommit("feature-search", 2, "search.test.js"),
  branchCommit("fix-rounding", 1, "round.js"),
];

const TAGS = { "v1.0.0": 3, "v1.1.0": 7, "v1.2.0": 12 };

/** A git repository of 18 commits on four branches, with the same hashes in each run. */
export function makeRepository(folder) {
  mkdirSync(folder, { recursive: true });
  const git = (words, input) =>
    execFileSync("git", words, { cwd: folder, input, stdio: ["pipe", "ignore", "inherit"] });
  git(["init", "--quiet", "--initial-branch=main"]);
  git(["config", "user.name", "Shop Bot"]);
  git(["config", "user.email", "bot@shop.example"]);
  git(["config", "commit.gpgsign", "false"]);
  const tags = Object.entries(TAGS).map(([tag, number]) => `reset refs/tags/${tag}\nfrom :${number}\n`);
  git(["fast-import", "--quiet"], `${COMMITS.map(printCommit).join("")}${tags.join("\n")}\n`);
  git(["checkout", "--quiet", "main"]);
}

/** The time-out goes from 30 to 5 seconds in the eighth commit. */
function mainCommit(number) {
  const config = {
    name: "shop",
    retries: number > 4 ? 3 : 2,
    timeout: number >= 8 ? 5 : 30,
    theme: number > 9 ? "dark" : "light",
  };
  const files = {
    "app/config.json": `${JSON.stringify(config, null, 2)}\n`,
    "app/main.js": `export const build = ${number};\n\nexport function greet(name) {\n  return "Helo, " + name;\n}\n`,
    "CHANGELOG.md": `# Changes\n\n${Array.from({ length: number }, (_, index) => `- Build ${number - index}\n`).join("")}`,
  };
  return {
    branch: "main",
    from: number - 1,
    message: `Build ${number}`,
    author: number % 3 === 0 ? "Ada" : "Grace",
    files,
  };
}

function branchCommit(branch, number, file) {
  const from = number === 1 ? 12 : undefined;
  return { branch, from, message: `Add ${file}`, author: "Linus", files: { [file]: `${file} of ${branch}\n` } };
}

function printCommit({ branch, from, message, author, files }, index) {
  const date = `${1_750_000_000 + index * 3600} +0000`;
  const who = `${author} <${author.toLowerCase()}@shop.example> ${date}`;
  const data = (text) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const parent = from === undefined || from === 0 ? "" : `from :${from}\n`;
  const changes = Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`);
  return `commit refs/heads/${branch}\nmark :${index + 1}\nauthor ${who}\ncommitter ${who}\n${data(message)}${parent}${changes.join("")}\n`;
}
