import { git_log, git_show } from "@codemode/servers/git";

const path = "{repo}";
const { commits } = await git_log({ path, branch: "main", maxCount: 100 });
const oldestFirst = commits.toReversed();

let low = 0;
let high = oldestFirst.length - 1;
while (low < high) {
  const middle = Math.floor((low + high) / 2);
  const { content } = await git_show({ path, object: oldestFirst[middle]?.hash ?? "", filePath: "app/config.json" });
  if (/"timeout": 5\b/.test(content)) high = middle;
  else low = middle + 1;
}
const { subject, author } = oldestFirst[low] ?? {};
export default { subject, author };
