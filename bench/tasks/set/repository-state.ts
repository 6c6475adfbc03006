import { git_status, git_tag } from "@codemode/servers/git";

const path = "{repo}";
const [status, { tags = [] }] = await Promise.all([git_status({ path }), git_tag({ path, mode: "list" })]);
export default { branch: status.currentBranch, isClean: status.isClean, tags: tags.map(({ name }) => name).toSorted() };
