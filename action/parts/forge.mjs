const TIMEOUT_MS = 30_000;
const MOST_PAGES = 30;

/** An answer of a forge that is no success. */
export class ForgeError extends Error {
  constructor(method, url, status) {
    super(`${method} ${url.pathname} was answered with ${status}.`);
    this.status = status;
  }
}

/**
 * Requests to the API of a forge. A redirect is refused, because the token would follow it.
 * @param base its address, such as that of `GITHUB_API_URL`
 * @param headers with the token
 */
export function openForge(base, headers) {
  const request = async (method, path, body) => {
    const url = new URL(base.replace(/\/+$/, "") + path);
    const response = await fetch(url, {
      method,
      headers: { "user-agent": "codemode-review", "content-type": "application/json", ...headers },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new ForgeError(method, url, response.status);
    return response.json();
  };
  return {
    request,
    /** The value, or undefined where there is none. */
    async find(path) {
      return request("GET", path).catch((error) => {
        if (error.status === 404) return undefined;
        throw error;
      });
    },
    /** All pages of a list. */
    async list(path) {
      const entries = [];
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const found = await request("GET", `${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`);
        entries.push(...found);
        if (found.length < 100) break;
      }
      return entries;
    },
  };
}

/** @throws where the job has no token or no repository */
export function openGitHub(env) {
  const { GITHUB_API_URL, GITHUB_REPOSITORY = "", REVIEW_TOKEN } = env;
  if (!REVIEW_TOKEN) throw new Error("The input token is empty.");
  if (!/^[\w.-]+\/[\w.-]+$/.test(GITHUB_REPOSITORY)) throw new Error("GITHUB_REPOSITORY names no repository.");
  const forge = openForge(GITHUB_API_URL || "https://api.github.com", {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${REVIEW_TOKEN}`,
    "x-github-api-version": "2022-11-28",
  });
  return { ...forge, repository: `/repos/${GITHUB_REPOSITORY}` };
}
