/** The text of a body, or undefined where it has more bytes than the limit; then the rest is not read. */
export async function readBounded(body: ReadableStream<Uint8Array> | null, limitBytes: number): Promise<BoundedText> {
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of body ?? []) {
    byteLength += chunk.byteLength;
    if (byteLength > limitBytes) return { isWhole: false, byteLength, text: "" };
    chunks.push(chunk);
  }
  return { isWhole: true, byteLength, text: Buffer.concat(chunks).toString("utf8") };
}

export interface BoundedText {
  isWhole: boolean;
  /** As far as it was read. */
  byteLength: number;
  text: string;
}
