import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatRecording } from "../../../extras/record/recording-file.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { ToolCall, ToolReply } from "../../../schemas/lock/tools.ts";
import { makeSandboxPool, type SandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { makeVault } from "../../../runtime/host/vault/vault.ts";
import { CALL, recordScript, replayScript } from "./record-script.ts";

const SECRET = "s3cr3t-0b5e7c1d";
const REVERSED = "d1c7e5b0-t3rc3s";
const OTHER = "hunter-9f8e7d6c";
const OTHER_REVERSED = "c6d7e8f9-retnuh";

let pool: SandboxPool;
beforeAll(() => {
  pool = makeSandboxPool({ size: 2 });
});
afterAll(() => pool.close());

/** A server with sessions: it gives a token out, and wants it back. */
function makeServer() {
  const received: JsonValue[] = [];
  const answerCall = ({ toolName, input }: ToolCall): ToolReply => {
    received.push(input);
    const value =
      toolName === "login" ? { user: { name: "ann", access_token: SECRET }, note: `it is ${SECRET}` } : input;
    return { ok: true, value };
  };
  return { received, answerCall };
}

const SESSION = `${CALL}
  const { user, note } = await call("login", { name: "ann" });
  console.log(note, user);
  const headers = { Authorization: \`Bearer \${user.access_token}\` };
  const echoed = await call("fetch", { headers, url: \`https://example.test/?t=\${encodeURIComponent(user.access_token)}\` });
  const reversed = [...user.access_token].reverse().join("");
  __codemode_result__ = { echoed, reversed, user };
`;

test("what stands behind the scheme of a hidden header is hidden where it stands alone", () => {
  const vault = makeVault(["authorization"]);
  vault.learn({ authorization: `Bearer ${SECRET}` });
  expect(vault.mask(`it is ${SECRET}`)).not.toContain(SECRET);
  expect(vault.hide({ note: SECRET })).not.toEqual({ note: SECRET });
  expect(vault.restore(vault.hide({ note: SECRET }))).toEqual({ note: SECRET });
});

describe("a value under a redacted name", () => {
  test("is not in the recording, while the server gets it; the replay is the same", async () => {
    const { received, answerCall } = makeServer();
    const { answer, recording } = await recordScript(SESSION, { pool, answerCall, redact: ["*_TOKEN"] });
    expect(received[1]).toEqual({
      headers: { Authorization: `Bearer ${SECRET}` },
      url: `https://example.test/?t=${SECRET}`,
    });
    const text = formatRecording(recording);
    for (const trace of [SECRET, REVERSED]) expect(text).not.toContain(trace);
    const replay = await replayScript(recording, { pool });
    expect(replay.divergence).toBeUndefined();
    expect(replay.answer).toEqual(answer);
  });

  test("is in the recording by default", async () => {
    const { recording } = await recordScript(SESSION, { pool, ...makeServer() });
    expect(formatRecording(recording)).toContain(SECRET);
  });

  test("is hidden in the input of the run, in calls, in errors and in the script itself", async () => {
    const script = `${CALL}
      const { password } = __codemode_input__;
      await call("fail", { login: { password }, again: "${SECRET}" }).catch((error) => console.error(error.message));
      const welcome = await call("login", { password: "${OTHER}" });
      console.log([...welcome].reverse().join(""));
      console.log("${OTHER}");
    `;
    const seen: JsonValue[] = [];
    const { recording } = await recordScript(script, {
      pool,
      redact: ["password"],
      input: { password: SECRET },
      answerCall: ({ toolName, input }) => {
        seen.push(input);
        if (toolName === "login") return { ok: true, value: `password=${SECRET}-3; welcome, ${OTHER}` };
        return { ok: false, error: { errorClass: "ToolCallError", message: `no: ${SECRET}`, hint: "" } };
      },
    });
    expect(seen).toEqual([{ login: { password: SECRET }, again: SECRET }, { password: OTHER }]);
    const text = formatRecording(recording);
    for (const trace of [SECRET, REVERSED, OTHER, OTHER_REVERSED]) expect(text).not.toContain(trace);
    const replay = await replayScript(recording, { pool });
    expect(replay.divergence).toBeUndefined();
    expect((await replayScript(recording, { pool }, script)).divergence).toBeUndefined();
  });

  test("keeps its type for the server where it is a number", async () => {
    const { recording, answer } = await recordScript(
      `${CALL} const { pin } = await call("pin"); __codemode_result__ = await call("open", { pin, at: [pin] });`,
      { pool, redact: ["pin"], answerCall: ({ input }) => ({ ok: true, value: input ?? { pin: 90210 } }) },
    );
    expect(answer.result).toMatchObject({ pin: expect.stringMatching(/^redacted_pin_1_/) });
    expect(formatRecording(recording)).not.toContain("90210");
  });

  test("is hidden in texts: headers, queries, JSON that is printed", async () => {
    const texts = [
      `Authorization: Bearer ${SECRET}-a`,
      `https://example.test/?api_key=${SECRET}-b&x=1`,
      `{"api_key": "${SECRET}-c d e", "x": "{\\"api_key\\":\\"${SECRET}-f\\"}"}`,
      `api_key = '${SECRET}-g'`,
    ];
    const { recording, answer } = await recordScript(`${CALL} __codemode_result__ = await call("texts");`, {
      pool,
      redact: ["authorization", "api?key"],
      answerCall: () => ({ ok: true, value: texts }),
    });
    expect(formatRecording(recording)).not.toContain(SECRET);
    expect(answer.result).toMatchObject([
      expect.stringMatching(/^Authorization: Bearer redacted_authorization_1_\w+$/),
      expect.stringMatching(/^https:\/\/example\.test\/\?api_key=redacted_apikey_2_\w+&x=1$/),
      expect.stringMatching(/^\{"api_key": "redacted_apikey_3_\w+", "x": /),
      expect.stringMatching(/^api_key = 'redacted_apikey_\d_\w+'$/),
    ]);
  });

  test.each<[string, JsonValue, string[]]>([
    ["a quote", { password: `x"${SECRET}` }, [SECRET]],
    ["lines", { password: `-----BEGIN\n${SECRET}\n${OTHER}\n` }, [SECRET, OTHER]],
    ["a great length", { password: `${"x".repeat(5000)}${SECRET}` }, [SECRET]],
    ["a list", { password: [SECRET, `"${OTHER}"`] }, [SECRET, OTHER]],
    ["an object", { password: { value: SECRET } }, [SECRET]],
  ])("is hidden in JSON that is printed once and twice, with %s in it", async (_what, value, traces) => {
    const once = JSON.stringify(value, null, 2);
    const { recording, answer } = await recordScript(`${CALL} __codemode_result__ = await call("texts");`, {
      pool,
      redact: ["password"],
      answerCall: () => ({ ok: true, value: [once, JSON.stringify({ text: once })] }),
    });
    for (const trace of traces) expect(formatRecording(recording)).not.toContain(trace);
    for (const printed of answer.result as string[]) expect(() => JSON.parse(printed)).not.toThrow();
  });

  test("is hidden where it is the name of a member, and comes back for the server", async () => {
    const received: JsonValue[] = [];
    const { recording } = await recordScript(
      `${CALL} const { token, uses } = await call("uses"); __codemode_result__ = [uses[token], await call("echo", uses)];`,
      {
        pool,
        redact: ["token"],
        answerCall: ({ input }) => {
          received.push(input);
          return { ok: true, value: input ?? { token: SECRET, uses: { [SECRET]: 3 } } };
        },
      },
    );
    expect(received[1]).toEqual({ [SECRET]: 3 });
    expect(recording.answer.result).toMatchObject([3, {}]);
    expect(formatRecording(recording)).not.toContain(SECRET);
  });

  test("may be as long as it likes, and be called as anything", async () => {
    const long = "(".repeat(1_000_000);
    const value = [{ token: long }, { token: "mappings" }, { token: "toolTrace" }, long];
    const { recording } = await recordScript(`${CALL} __codemode_result__ = (await call("x")).length;`, {
      pool,
      redact: ["token"],
      answerCall: () => ({ ok: true, value }),
    });
    expect(recording.answer.result).toBe(4);
    expect(formatRecording(recording)).not.toContain("((((");
    expect((await replayScript(recording, { pool })).divergence).toBeUndefined();
  });

  test("is not sent to a server that guesses its placeholder", async () => {
    const received: JsonValue[] = [];
    await recordScript(`${CALL} await call("login"); await call("post", await call("guess"));`, {
      pool,
      redact: ["token"],
      answerCall: ({ toolName, input }) => {
        received.push(input);
        return {
          ok: true,
          value: toolName === "login" ? { token: SECRET } : { text: "redacted_token_1_0000000000000000" },
        };
      },
    });
    expect(JSON.stringify(received)).not.toContain(SECRET);
  });

  test("does not hide what discovery says of it", async () => {
    const script = `__codemode_result__ = JSON.parse(await __codemode_call__("@codemode/discovery", "getTool", "{}"));`;
    const value = { inputSchema: { properties: { token: { type: "string" } } } };
    const { answer } = await recordScript(script, { pool, redact: ["token"], answerCall: () => ({ ok: true, value }) });
    expect(answer.result).toEqual({ ok: true, value });
  });
});

test("of a changed script, a redacted argument may be anything, another is compared", async () => {
  const script = `${CALL} await call("login", { password: "${SECRET}", user: "ann" });`;
  const { recording } = await recordScript(script, { pool, redact: ["password"] });
  const other = await replayScript(recording, { pool }, script.replace(SECRET, "another"));
  expect(other.divergence).toBeUndefined();
  const changed = await replayScript(recording, { pool }, script.replace("ann", "bob"));
  expect(changed.divergence).toMatchObject({ pointer: "/user", expected: '"ann"', received: '"bob"' });
});

test("an update keeps redacting", async () => {
  const script = `${CALL} await call("login", { password: "${SECRET}" });`;
  const { recording } = await recordScript(script, { pool, redact: ["password"] });
  const changed = script.replace(`"${SECRET}"`, `"new-${SECRET}"`);
  const { updated } = await replayScript(recording, { pool, update: true }, changed);
  expect(updated && formatRecording(updated)).not.toContain(SECRET);
});
