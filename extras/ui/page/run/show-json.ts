import { isJsonObject, type JsonValue, type JsonObject } from "../../../../schemas/json/json.ts";
import { element, shownText } from "../elements.ts";

/** UTF-16 units: a browser lays out no more than this at once without being felt. */
const LONGEST = 200_000;

/** Deeper values are printed as one line. */
const DEEPEST = 60;

/** How much of a string with JSON in it shows before it is opened. */
const SUMMARY_LENGTH = 80;

/** Prints JSON as `JSON.stringify` with an indent of two does; pictures show as such, and JSON in strings can be opened. */
function showJson(value: JsonValue): Node[] {
  const nodes: Node[] = [];
  let left = LONGEST;
  /** Takes text as long as there is room. */
  const add = (text: string): void => {
    if (left > 0) nodes.push(shownText(text.slice(0, left)));
    left -= text.length;
  };
  const addNode = (node: Node): void => void (left > 0 && nodes.push(node));

  const addString = (text: string): void => {
    const inner = parseInner(text);
    if (inner === undefined) add(JSON.stringify(text));
    else addNode(showInner(text, inner));
  };
  const addItems = (brackets: readonly [string, string], items: readonly (() => void)[], depth: number): void => {
    const [open, close] = brackets;
    if (items.length === 0) return add(open + close);
    add(open);
    for (const [at, addItem] of items.entries()) {
      if (left <= 0) return;
      add(`${at === 0 ? "" : ","}\n${"  ".repeat(depth + 1)}`);
      addItem();
    }
    add(`\n${"  ".repeat(depth)}${close}`);
  };
  const addValue = (value: JsonValue, depth: number): void => {
    if (typeof value === "string") addString(value);
    else if (depth > DEEPEST || typeof value !== "object" || value === null) add(JSON.stringify(value));
    else if (Array.isArray(value)) {
      const items = value.map((item) => () => addValue(item, depth + 1));
      addItems(["[", "]"], items, depth);
    } else {
      const picture = showPicture(value);
      const items = Object.entries(value).map(([key, item]) => () => {
        add(`${JSON.stringify(key)}: `);
        if (key === "data" && picture !== undefined) addNode(picture);
        else addValue(item, depth + 1);
      });
      addItems(["{", "}"], items, depth);
    }
  };

  addValue(value, 0);
  if (left < 0) nodes.push(document.createTextNode("\n… The rest is not shown."));
  return nodes;
}

/** The object or list that a string holds as JSON, if it holds one. */
function parseInner(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A string that opens to the JSON in it, which is printed at that moment. */
function showInner(text: string, inner: JsonValue): HTMLElement {
  const printed = JSON.stringify(text);
  const summary = printed.length > SUMMARY_LENGTH ? `${printed.slice(0, SUMMARY_LENGTH)}…` : printed;
  const frame = element("div", { class: "json" });
  const opener = element("details", { class: "inner-json" }, element("summary", {}, shownText(summary)), frame);
  opener.addEventListener("toggle", () => frame.replaceChildren(...(opener.open ? showJson(inner) : [])));
  return opener;
}

/** Formats of pixels only: others can hold scripts and addresses. */
const FORMATS = /^image\/(?:png|jpeg|gif|webp)$/;

/** The picture of an image block of MCP; undefined if the value is none. The page draws its pixels, so that no address is loaded. */
function showPicture({ type, data, mimeType }: JsonObject): HTMLElement | undefined {
  if (type !== "image" || typeof data !== "string" || typeof mimeType !== "string" || !FORMATS.test(mimeType)) {
    return undefined;
  }
  const bytes = decodeBase64(data);
  if (bytes === undefined) return undefined;
  const canvas = element("canvas", { class: "picture", role: "img", "aria-label": "Picture in the result" });
  // What is not what it says stays text.
  void draw(new Blob([bytes], { type: mimeType }), canvas).catch(() => canvas.replaceWith(JSON.stringify(data)));
  return canvas;
}

async function draw(file: Blob, canvas: HTMLCanvasElement): Promise<void> {
  const bitmap = await createImageBitmap(file);
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  canvas.setAttribute("aria-label", `Picture in the result, ${bitmap.width} × ${bitmap.height}`);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The result of a run as JSON, with the pictures in it and the JSON in its strings. */
export function showResult(section: HTMLElement, result: JsonValue): void {
  section.hidden = false;
  section.querySelector(".json")?.replaceChildren(...showJson(result));
}
