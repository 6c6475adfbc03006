import type { JsonObject } from "../../../../schemas/json/json.ts";
import { element } from "../elements.ts";

/** Formats of pixels only: others can hold scripts and addresses. */
const FORMATS = /^image\/(?:png|jpeg|gif|webp)$/;

/** The picture of an image block of MCP; undefined if the value is none. The page draws its pixels, so that no address is loaded. */
export function showPicture({ type, data, mimeType }: JsonObject): HTMLElement | undefined {
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
