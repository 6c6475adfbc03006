import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface Comment {
  id: number;
  body: string | null;
  user: { login: string };
}

interface Entry {
  path: string;
  content?: string;
  sha?: null;
}

/** What a forge on loopback holds, and each request that it got. */
export interface Forge {
  url: string;
  comments: Comment[];
  pulls: { number: number; body: string; head: string }[];
  branches: Map<string, string>;
  trees: Map<string, Entry[]>;
  requests: string[];
  /** Whether tokens may only read, as a fork's. */
  isReadOnly: boolean;
}

/** A stand-in for the parts of GitHub's API that the Action uses; it answers requests with this token. */
export async function startForge(token: string): Promise<Forge> {
  const forge: Forge = {
    url: "",
    comments: [],
    pulls: [],
    branches: new Map([["main", "base"]]),
    trees: new Map(),
    requests: [],
    isReadOnly: false,
  };
  const commits = new Map([["base", { tree: { sha: "base-tree" }, parents: [] as { sha: string }[] }]]);
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = "", headers, url = "" } = request;
      const { pathname, searchParams } = new URL(url, "http://localhost");
      const path = pathname.replace("/repos/acme/tools", "");
      const input = (body === "" ? {} : JSON.parse(body)) as Record<string, never>;
      const answer = (status: number, value: object = {}) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      forge.requests.push(`${method} ${path}`);
      if (headers.authorization !== `Bearer ${token}`) return answer(401);
      if (forge.isReadOnly && method !== "GET") return answer(403);
      const route = routes(forge, commits, input, searchParams)[`${method} ${path.replace(/\/\d+$/, "/N")}`];
      if (route === undefined) return answer(404);
      const value = route(path.split("/").at(-1) ?? "");
      return value === undefined ? answer(404) : answer(200, value);
    });
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  onTestFinished(() => new Promise<void>((settle) => void server.close(() => settle())));
  forge.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return forge;
}

type Route = (last: string) => object | undefined;
type Commits = Map<string, { tree: { sha: string }; parents: { sha: string }[] }>;

function routes(
  forge: Forge,
  commits: Commits,
  input: Record<string, never>,
  query: URLSearchParams,
): Record<string, Route> {
  const { comments, pulls, branches, trees } = forge;
  const page = <T>(all: T[]): T[] => {
    const [size, number] = [Number(query.get("per_page") ?? 30), Number(query.get("page") ?? 1)];
    return all.slice((number - 1) * size, number * size);
  };
  const refTo = (name: string) => {
    const sha = branches.get(name);
    return sha === undefined ? undefined : { object: { sha } };
  };
  return {
    "GET /issues/7/comments": () => page(comments),
    "POST /issues/7/comments": () => {
      comments.push({ id: 1000 + comments.length, body: input["body"] ?? "", user: { login: "github-actions[bot]" } });
      return {};
    },
    "PATCH /issues/comments/N": (id) =>
      Object.assign(comments.find((comment) => String(comment.id) === id) ?? {}, input),
    "GET /git/ref/heads/main": () => refTo("main"),
    "GET /git/ref/heads/codemode/renew": () => refTo("codemode/renew"),
    ...Object.fromEntries([...commits].map(([sha, commit]) => [`GET /git/commits/${sha}`, () => commit])),
    "POST /git/trees": () => {
      const sha = hash(input);
      trees.set(sha, (input as { tree?: Entry[] }).tree ?? []);
      return { sha };
    },
    "POST /git/commits": () => {
      const { tree = "", parents = [] } = input as { tree?: string; parents?: string[] };
      const sha = hash([input, commits.size]);
      commits.set(sha, { tree: { sha: tree }, parents: parents.map((parent) => ({ sha: parent })) });
      return { sha };
    },
    "POST /git/refs": () => branches.set("codemode/renew", input["sha"] ?? "") && {},
    "PATCH /git/refs/heads/codemode/renew": () => branches.set("codemode/renew", input["sha"] ?? "") && {},
    "GET /pulls": () => (query.get("head") === "acme:codemode/renew" ? pulls : []),
    "POST /pulls": () => {
      const pull = { number: 12, body: input["body"] ?? "", head: input["head"] ?? "" };
      pulls.push(pull);
      return pull;
    },
    "PATCH /pulls/N": () => Object.assign(pulls[0] ?? {}, input),
  };
}

/** Of letters alone, so that no part of a path is a number. */
function hash(value: unknown): string {
  return `h${createHash("sha256").update(JSON.stringify(value)).digest("hex").replace(/\d/g, "x").slice(0, 24)}`;
}
