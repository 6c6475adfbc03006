import { git_checkout, git_merge, git_tag } from "@codemode/servers/git";

const path = "{repo}";
await git_checkout({ path, target: "hotfix", createBranch: true });
await git_merge({ path, branch: "fix-rounding", noFastForward: true, message: "Merge the fix of rounding" });
await git_checkout({ path, target: "main" });
await git_merge({ path, branch: "hotfix" });
await git_tag({ path, mode: "create", tagName: "v1.2.1" });
const { tags = [] } = await git_tag({ path, mode: "list" });
export default tags.map(({ name }) => name).toSorted();
