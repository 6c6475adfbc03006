/**
 * Puts files on a branch as one commit on top of `base`, through the API: no credentials of git are on the machine.
 * @param files with paths relative to the repository; a content of null takes the file away
 * @returns false where the branch holds this already
 */
export async function pushFiles({ request, find, repository }, { base, branch, title, files }) {
  const git = `${repository}/git`;
  const parent = (await request("GET", `${git}/ref/heads/${toPath(base)}`)).object.sha;
  const before = (await request("GET", `${git}/commits/${parent}`)).tree.sha;
  const tree = files.map(({ path, content }) => {
    const entry = { path, mode: "100644", type: "blob" };
    return content === null ? { ...entry, sha: null } : { ...entry, content };
  });
  const after = (await request("POST", `${git}/trees`, { base_tree: before, tree })).sha;
  const ref = await find(`${git}/ref/heads/${toPath(branch)}`);
  if (ref !== undefined) {
    const last = await request("GET", `${git}/commits/${ref.object.sha}`);
    if (last.tree.sha === after && last.parents.some(({ sha }) => sha === parent)) return false;
  }
  const commit = await request("POST", `${git}/commits`, { message: title, tree: after, parents: [parent] });
  if (ref === undefined) await request("POST", `${git}/refs`, { ref: `refs/heads/${branch}`, sha: commit.sha });
  else await request("PATCH", `${git}/refs/heads/${toPath(branch)}`, { sha: commit.sha, force: true });
  return true;
}

/** A name of a branch may hold slashes. */
function toPath(name) {
  return name.split("/").map(encodeURIComponent).join("/");
}
