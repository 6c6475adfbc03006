import { expect, test } from "vitest";
import { runCli } from "../../cli/run-cli.ts";

/** What the command line says on standard error, and its exit code. */
async function refuse(line: string): Promise<{ code: number; first: string | undefined }> {
  const lines: string[] = [];
  const code = await runCli(line.split(" "), { result: () => undefined, note: (text) => lines.push(text) });
  return { code, first: lines[0] };
}

test.each([
  ["run a.ts --retries 3", "--retries: it has no effect without --inputs"],
  ["run a.ts --concurrency 2", "--concurrency: it has no effect without --inputs"],
  ["run a.ts --inputs f --input 1", "--input: it cannot be combined with --inputs"],
  ["run a.ts --inputs f --input-file g", "--input-file: it cannot be combined with --inputs"],
  ["run a.ts --inputs f --json", "--json: it cannot be combined with --inputs"],
  ["run a.ts --eval 1", '--eval: give it or the file "a.ts", not both'],
  ["check a.ts --eval 1", '--eval: give it or the file "a.ts", not both'],
  ["bundle a.ts --eval 1 -o f.json", '--eval: give it or the file "a.ts", not both'],
  ["generate --check --watch", "--watch: it cannot be combined with --check"],
  ["generate --check --update", "--update: it cannot be combined with --check"],
  ["learn s/t --input {}", "--input: it has no effect without --call"],
  ["learn --approve", "--approve: it has no effect without --call"],
  ["runs --prune --json", "--json: it cannot be combined with --prune"],
  ["install cursor --skill --http http://localhost:1", "--http: it cannot be combined with --skill"],
  ["init --no-import --from x", "--from: it cannot be combined with --no-import"],
  ["init --servers a --no-import", "--servers: it cannot be combined with --no-import"],
  ["add x --url https://a.example --env A=b", "--env: it cannot be combined with --url"],
  ["add x --openapi a.yaml --url https://a.example", "--openapi: it cannot be combined with --url"],
  ["add x --header a:b -- node x", "--header: it has no effect without --url or --openapi"],
])("codemode %s is refused", async (line, message) => {
  expect(await refuse(line)).toEqual({ code: 2, first: `error: ${message}` });
});
