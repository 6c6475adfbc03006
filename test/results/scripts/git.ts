// Commits to a new repository, and tells its story.
import {
  git_add,
  git_blame,
  git_branch,
  git_checkout,
  git_commit,
  git_diff,
  git_init,
  git_log,
  git_merge,
  git_set_working_dir,
  git_show,
  git_status,
  git_tag,
} from "@codemode/servers/git";
import { list_allowed_directories, write_file } from "@codemode/servers/filesystem";

const [, folder = ""] = (await list_allowed_directories()).content.split("\n");
const repository = `${folder}/repository`;
const author = { name: "Ada", email: "ada@example.org" };
const made = await git_init({ path: repository, initialBranch: "main" });
await git_set_working_dir({ path: made.path });

await write_file({ path: "repository/a.txt", content: "one\ntwo\n" });
const before = await git_status();
for (const file of before.untrackedFiles) await git_add({ paths: [file] });
const first = await git_commit({ message: "Add a", author });

await git_branch({ mode: "create", branchName: "change" });
await git_checkout({ target: "change" });
await write_file({ path: "repository/a.txt", content: "one\nthree\n" });
const difference = await git_diff();
await git_add({ all: true });
await git_commit({ message: "Change a", author });
await git_checkout({ target: "main" });
const merged = await git_merge({ branch: "change", noFastForward: true, message: "Merge" });
await git_tag({ mode: "create", tagName: "v1", annotated: true, message: "First" });

const log = await git_log({ maxCount: 5 });
const blame = await git_blame({ filePath: "a.txt" });
const shown = await git_show({ object: first.commitHash });

export default {
  subjects: log.commits.map(({ subject }) => subject),
  filesChanged: difference.filesChanged,
  conflicts: merged.conflicts,
  lines: blame.lines.map(({ lineNumber, author: name }) => `${lineNumber} ${name}`),
  shown: shown.content.includes("+two"),
};
