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

/** Finds an answer that a server prints in several lines, from its opening brace on, by what stands at the least indentation. */
export class SeveralLines {
  #indentation: string | undefined;
  #isOpen = false;
  #id: number | undefined;
  #isAnswer = false;

  /** Takes a line that is no message. @returns the request that is answered so, once it is known */
  take(line: string): BrokenAnswer | undefined {
    const text = line.trim();
    if (!this.#isOpen) {
      if (text !== "{") return undefined;
      [this.#isOpen, this.#indentation, this.#id, this.#isAnswer] = [true, undefined, undefined, false];
      return undefined;
    }
    const indentation = line.slice(0, line.length - line.trimStart().length);
    this.#indentation ??= indentation;
    if (indentation.length < this.#indentation.length) this.#isOpen = false;
    if (indentation !== this.#indentation) return undefined;
    if (text.startsWith('"method"')) this.#isOpen = false;
    this.#id ??= readId(text);
    this.#isAnswer ||= /^"(?:result|error)"\s{0,20}:/.test(text);
    if (this.#id === undefined || !this.#isAnswer) return undefined;
    this.#isOpen = false;
    return {
      kind: "broken",
      id: this.#id,
      problem: "its answer is in several lines, and MCP wants each message in one",
    };
  }
}

function readId(text: string): number | undefined {
  const found = /^"id"\s{0,20}:\s{0,20}"?(\d{1,15})"?,?$/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
