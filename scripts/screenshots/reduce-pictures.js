import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

/** Writes the pictures of a folder again with at most 256 colours, which a page of text hardly shows, and which takes a third of the bytes. */
export async function reducePictures(browser, folder) {
  const page = await browser.newPage();
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".png"))) {
    const bytes = await readFile(join(folder, name));
    const { width, height, palette, pixels } = await page.evaluate(
      `(${readIndexed})(${JSON.stringify(bytes.toString("base64"))})`,
    );
    const reduced = printPng(width, height, Buffer.from(palette, "base64"), Buffer.from(pixels, "base64"));
    if (reduced.length < bytes.length) await writeFile(join(folder, name), reduced);
  }
  await page.close();
}

/**
 * In the page: the most frequent colours, then the ones that would be missed most, and for each pixel which of them is the nearest. A colour that
 * is rare, such as the colour of a mark, is far from all others.
 */
const readIndexed = `async (png) => {
  const toBase64 = (bytes) => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 30000) text += String.fromCharCode(...bytes.subarray(at, at + 30000));
    return btoa(text);
  };
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (character) => character.charCodeAt(0))]));
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const colours = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const parts = (colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
  const distance = ([r, g, b], [red, green, blue]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
  const sorted = [...counts].sort((left, right) => right[1] - left[1]);
  const kept = sorted.slice(0, 64).map(([colour]) => colour);
  const others = sorted.slice(64).map(([colour, count]) => ({ colour, count, own: parts(colour), away: Infinity }));
  for (const colour of kept) for (const other of others) other.away = Math.min(other.away, distance(other.own, parts(colour)));
  while (kept.length < 256 && others.length > 0) {
    const missed = others.reduce((most, other) => (other.away * other.count > most.away * most.count ? other : most));
    if (missed.away === 0) break;
    kept.push(missed.colour);
    for (const other of others) other.away = Math.min(other.away, distance(other.own, missed.own));
  }
  const keptParts = kept.map(parts);
  const nearest = new Map(kept.map((colour, index) => [colour, index]));
  const find = (colour) => {
    const own = parts(colour);
    let best = 0;
    for (let index = 1; index < kept.length; index += 1)
      if (distance(own, keptParts[index]) < distance(own, keptParts[best])) best = index;
    nearest.set(colour, best);
    return best;
  };
  const pixels = Uint8Array.from(colours, (colour) => nearest.get(colour) ?? find(colour));
  return { width, height, palette: toBase64(Uint8Array.from(keptParts.flat())), pixels: toBase64(pixels) };
}`;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const INDEXED = 3;
const BITS = 8;

function printPng(width, height, palette, pixels) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, INDEXED, 0, 0, 0], 8);
  // Each line begins with its filter: none.
  const lines = Buffer.alloc((width + 1) * height);
  for (let line = 0; line < height; line += 1)
    pixels.copy(lines, line * (width + 1) + 1, line * width, (line + 1) * width);
  const data = deflateSync(lines, { level: 9 });
  const chunks = [
    ["IHDR", header],
    ["PLTE", palette],
    ["IDAT", data],
    ["IEND", Buffer.alloc(0)],
  ];
  return Buffer.concat([SIGNATURE, ...chunks.map(([type, body]) => printChunk(type, body))]);
}

function printChunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const frame = Buffer.alloc(8 + named.length);
  frame.writeUInt32BE(body.length, 0);
  named.copy(frame, 4);
  frame.writeUInt32BE(crc32(named), 4 + named.length);
  return frame;
}
