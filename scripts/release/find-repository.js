/**
 * The repository that npm's proof of origin will name: the one of the workflow that publishes.
 *
 * @param {unknown} written `repository` of package.json
 * @param {Record<string, string | undefined>} environment
 * @returns {{ url?: string, problem?: string }} a URL as npm writes it, or why there is none
 */
export function findRepository(written, environment) {
  const { GITHUB_SERVER_URL: server = "https://github.com", GITHUB_REPOSITORY: name } = environment;
  if (name === undefined) {
    return {
      problem:
        "the proof of origin names the repository of a workflow: publish from GitHub Actions, which set GITHUB_REPOSITORY",
    };
  }
  const home = `${server}/${name}`;
  if (!/^https:\/\/[\w.-]+\/[\w-]+\/[\w.-]+$/.test(home))
    return { problem: `${JSON.stringify(home)} is no address of a repository` };
  const said = typeof written === "object" ? written?.url : written;
  if (said !== undefined && toHome(said) !== home) {
    return {
      problem: `package.json says that its repository is ${said}, and the workflow is one of ${home}: npm would refuse that`,
    };
  }
  return { url: `git+${home}.git` };
}

/** `github:owner/name`, `owner/name` and addresses of git, as one form. */
function toHome(said) {
  const short = /^(?:github:)?([\w-]+\/[\w.-]+)$/.exec(said)?.[1];
  return short === undefined ? said.replace(/^git\+/, "").replace(/\.git$/, "") : `https://github.com/${short}`;
}
