import { git_branch, git_diff, git_log } from "@codemode/servers/git";

const path = "{repo}";
const { branches = [] } = await git_branch({ path, mode: "list" });
const names = branches.map(({ name }) => name).filter((name) => name !== "main");
export default await Promise.all(
  names.toSorted().map(async (branch) => {
    const [{ commits }, { filesChanged }] = await Promise.all([
      git_log({ path, branch, maxCount: 1 }),
      git_diff({ path, source: "main", target: branch, stat: true }),
    ]);
    return { branch, author: commits[0]?.author, files: filesChanged };
  }),
);
