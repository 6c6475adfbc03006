import { endOfText } from "../../../../schemas/json/changed-number.ts";

/*
 * Lines of a server that are no JSON. Most are banners and logs, and say nothing. Some are the answer to a request, which would wait for it until
 * its time is over.
 */

/** The answer to a request that says nothing usable. */
export interface BrokenAnswer {
  kind: "broken";
  id: number;
  problem: string;
}

/** So much of a line is searched for what it is. */
const SEARCHED = 4_096;
const START = /\{\s{0,20}"(?:jsonrpc|id|result|error|method)"\s{0,20}:/;
const ID = /"id"\s{0,20}:\s{0,20}"?(\d{1,15})"?\s{0,20}[,}]/;
const ANSWER = /"(?:result|error)"\s{0,20}:/;
const QUESTION = /"method"\s{0,20}:/;

/** Where a message begins in a line, as behind text that was printed without an end of its line; -1 where nowhere. */
export function findMessage(line: string): number {
  return line.slice(0, SEARCHED).search(START);
}

/** The request whose answer a line is meant to be, and why it is none; undefined for other lines. */
export function toBrokenAnswer(line: string): BrokenAnswer | undefined {
  const [head, tail] = [line.slice(0, SEARCHED), line.slice(-SEARCHED)];
  const id = (ID.exec(head) ?? ID.exec(tail))?.[1];
  const start = findMessage(line);
  const isAnswer = ANSWER.test(head) || ANSWER.test(tail);
  if (id === undefined || start < 0 || !isAnswer || QUESTION.test(head.slice(start, start + 200))) return undefined;
  return { kind: "broken", id: Number(id), problem: `its answer is no JSON${describeFault(line.slice(start))}` };
}

/** Words that programs print as values, and JSON does not have. */
const FOREIGN = /(?:NaN|-?Infinity|undefined|None|True|False)\b/y;

function describeFault(json: string): string {
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] === '"') at = endOfText(json, at) - 1;
    else {
      FOREIGN.lastIndex = at;
      const word = FOREIGN.exec(json)?.[0];
      if (word !== undefined) return ` (${word} at character ${at + 1})`;
    }
  }
  return "";
}

/**
 * Finds an answer that a server prints in several lines, in any layout: by its members, and not by those of what is in it. Of the lines nothing is kept but
 * how deep they are.
 */
export class SeveralLines {
  /** The braces and brackets that are open; none outside of a message. */
  #open = "";
  /** The last sign outside of texts. */
  #last = "";
  #id: number | undefined;
  #isAnswer = false;

  /** Whether a line belongs to a message that has begun: what stands in it is none of its own. */
  holds(line: string): boolean {
    return this.#open !== "" && /^\s/.test(line);
  }

  /** Takes a line that is no message. @returns the request that is answered so, once it is known */
  take(line: string): BrokenAnswer | undefined {
    const start = this.#startOf(line);
    if (start >= 0) this.#forget();
    else if (this.#open === "") return undefined;
    this.#scan(line, Math.max(0, start));
    if (this.#id === undefined || !this.#isAnswer) return undefined;
    const id = this.#id;
    this.#forget();
    return { kind: "broken", id, problem: "its answer is in several lines, and MCP wants each message in one" };
  }

  #forget(): void {
    [this.#open, this.#last, this.#id, this.#isAnswer] = ["", "", undefined, false];
  }

  /** Where a message begins; -1 where none does. Within another one it begins at the beginning of a line, where no value can: that one has broken off. */
  #startOf(line: string): number {
    if (this.#open !== "" && (!line.startsWith("{") || this.#expectsValue())) return -1;
    return line.trim() === "{" ? line.indexOf("{") : findMessage(line);
  }

  #expectsValue(): boolean {
    return this.#last === ":" || (this.#open.endsWith("[") && /[[,]/.test(this.#last));
  }

  #scan(line: string, from: number): void {
    for (let at = from; at < line.length; at += 1) {
      const sign = line[at] ?? "";
      if (sign === "{" || sign === "[") this.#open += sign;
      else if (sign === "}" || sign === "]") this.#open = this.#open.slice(0, -1);
      else if (sign === '"') {
        if (this.#open === "{") this.#readMember(line, at);
        // No text of JSON goes beyond its line.
        at = endOfText(line, at) - 1;
      }
      if (sign.trim() !== "") this.#last = sign;
      if (this.#open === "" || this.#open.length > DEEPEST) return this.#end();
    }
  }

  /** What is known of an answer is kept until it is said. */
  #end(): void {
    if (this.#isAnswer && this.#id !== undefined) this.#open = "";
    else this.#forget();
  }

  #readMember(line: string, at: number): void {
    MEMBER.lastIndex = at;
    const [, name, id] = MEMBER.exec(line) ?? [];
    if (name === "method") this.#open = "";
    else if (name === "id" && id !== undefined) this.#id ??= Number(id);
    else if (name === "result" || name === "error") this.#isAnswer = true;
  }
}

/** Nothing is nested deeper that a server means to send. */
const DEEPEST = 10_000;

const MEMBER = /"(id|method|result|error)"\s{0,20}:(?:\s{0,20}"?(\d{1,15})"?\s{0,20}(?:[,}]|$))?/y;
