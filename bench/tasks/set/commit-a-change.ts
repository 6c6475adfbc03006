import { git_checkout, git_commit, git_log } from "@codemode/servers/git";

const path = "{repo}";
await git_checkout({ path, target: "notes", createBranch: true });
await git_commit({ path, message: "Open notes", allowEmpty: true });
const { commits } = await git_log({ path, branch: "notes", maxCount: 1 });
export default commits[0]?.subject;
