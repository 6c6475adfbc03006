const { Buffer, TextDecoder, JSON } = globalThis;

/** Decoders in the middle of a stream, by the guest realm's numbers. */
const streams = new Map<number, InstanceType<typeof TextDecoder>>();

export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}

export function forgetStreams(): void {
  streams.clear();
}

export function findEncoding(label: string): string {
  return new TextDecoder(label).encoding;
}

/** `options` is the JSON text of `{ fatal, ignoreBOM }`. Throws where the bytes are not of the encoding and `fatal` is set. */
export function decodeText(id: number, encoding: string, options: string, bytes: string, stream: boolean): string {
  const decoder =
    streams.get(id) ?? new TextDecoder(encoding, JSON.parse(options) as { fatal: boolean; ignoreBOM: boolean });
  streams.delete(id);
  const text = decoder.decode(Buffer.from(bytes, "latin1"), { stream });
  if (stream) streams.set(id, decoder);
  return text;
}
