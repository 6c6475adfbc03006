import { describe, expect, it } from "vitest";
import type { AskPerson } from "../../../runtime/host/run.ts";
import { makeRunQuestions } from "../../../runtime/host/questions/run-questions.ts";
import { ownAccess } from "../../../schemas/access/access.ts";
import { DEFAULTS } from "../../../schemas/config/config-file.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { EventOf } from "../../../schemas/run/events.ts";
import type { PersonsReply } from "../../../schemas/run/question.ts";

const SERVER = "files";
const NAME = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const QUESTION: JsonObject = { message: "Who?", requestedSchema: NAME };
const WANTED = new AbortController().signal;

/** The questions of one run, what was observed of them, and whether its time stands still. */
function questionsOf(ask: AskPerson | undefined, mayApprove = true) {
  const asked: Omit<EventOf<"question-ended">, "run">[] = [];
  const clock = { holds: 0 };
  const listenTo = makeRunQuestions({
    request: {
      ...{ ask, access: { ...ownAccess(DEFAULTS.policy), mayApprove }, approve: async () => "unavailable" },
      emit: (event) => void (event.type === "question-ended" && asked.push(event)),
    },
    hold() {
      clock.holds += 1;
      return () => (clock.holds -= 1);
    },
  });
  return { listenTo, asked, clock };
}

const replying =
  (reply: PersonsReply): AskPerson =>
  async () =>
    reply;

describe("a question of a server", () => {
  it("is answered with what fits its form, and no value of it is observed", async () => {
    const { listenTo, asked, clock } = questionsOf(async () => {
      expect(clock.holds).toBe(1);
      return { action: "accept", content: { name: "Ada", more: 1 } };
    });
    const call = listenTo(SERVER);
    expect(await call.elicit(QUESTION, WANTED)).toEqual({ action: "accept", content: { name: "Ada" } });
    expect(call.unanswered()).toBeUndefined();
    expect(asked).toEqual([{ type: "question-ended", serverId: "files", mode: "form", outcome: "accepted" }]);
    expect(clock.holds).toBe(0);
  });

  it.each<[string, AskPerson | undefined, boolean, JsonObject, string, string]>([
    ["declined", replying({ action: "decline" }), true, QUESTION, "decline", "who declined"],
    ["closed", replying({ action: "cancel" }), true, QUESTION, "cancel", "who gave no answer"],
    ["unavailable", undefined, true, QUESTION, "decline", "there was no one to ask"],
    ["unavailable", async () => Promise.reject(new Error("x")), true, QUESTION, "decline", "there was no one to ask"],
    ["reserved", replying({ action: "accept" }), false, QUESTION, "decline", "the operator lets no person answer"],
    ["unfit", replying({ action: "accept", content: {} }), true, QUESTION, "decline", "did not fit the form"],
    ["malformed", replying({ action: "accept" }), true, { message: "x" }, "decline", "its schema is not one of"],
  ])("that is %s is declined, and the script learns why", async (outcome, ask, mayApprove, params, action, words) => {
    const { listenTo, asked } = questionsOf(ask, mayApprove);
    const call = listenTo(SERVER);
    expect(await call.elicit(params, WANTED)).toEqual({ action });
    expect(call.unanswered()).toContain(words);
    expect(asked).toMatchObject([{ outcome }]);
  });

  it("waits until the one before it is answered, also if it is another call's", async () => {
    const open: ((reply: PersonsReply) => void)[] = [];
    const { listenTo } = questionsOf(() => new Promise((resolve) => open.push(resolve)));
    const answers = [listenTo(SERVER), listenTo(SERVER)].map((call) => call.elicit(QUESTION, WANTED));
    await new Promise((resolve) => setImmediate(resolve));
    expect(open).toHaveLength(1);
    open[0]?.({ action: "decline" });
    expect(await answers[0]).toEqual({ action: "decline" });
    await new Promise((resolve) => setImmediate(resolve));
    open[1]?.({ action: "accept", content: { name: "Ada" } });
    expect(await answers[1]).toMatchObject({ action: "accept" });
  });

  it("is taken back when its call ends, without waiting for the person", async () => {
    const { listenTo, asked, clock } = questionsOf(() => new Promise(() => undefined));
    const ending = new AbortController();
    const answer = listenTo(SERVER).elicit(QUESTION, ending.signal);
    await new Promise((resolve) => setImmediate(resolve));
    ending.abort();
    expect(await answer).toEqual({ action: "decline" });
    expect(asked).toMatchObject([{ outcome: "late" }]);
    expect(clock.holds).toBe(0);
  });

  it("is not put to a person any more after twenty", async () => {
    let shown = 0;
    const { listenTo, asked } = questionsOf(async () => {
      shown += 1;
      return { action: "decline" };
    });
    const call = listenTo(SERVER);
    await Promise.all(Array.from({ length: 1_000 }, () => call.elicit(QUESTION, WANTED)));
    expect(shown).toBe(20);
    expect(asked.filter(({ outcome }) => outcome === "limit")).toHaveLength(980);
  });
});
