import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { OpenApiError } from "../openapi-error.ts";
import { ANY_ADDRESS } from "../request/address-guard.ts";
import { followRedirects } from "../request/follow-redirects.ts";
import { DOWNLOAD_TIMEOUT_MS, MAX_DOCUMENT_BYTES, MAX_FILES } from "./limits.ts";

/** Reads the files of one document, within the bounds that its main file sets. */
export interface SourceReader {
  /** The main file: an absolute path or an address. */
  readonly main: string;
  /** The text of a file, given by an absolute path or an address. */
  read(location: string): Promise<string>;
}

/** What ends the reading of a document from an address. */
export interface SourceLimits {
  /** For each of its files; at most `DOWNLOAD_TIMEOUT_MS`. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Whether a location is an address, and no file. */
export function isAddress(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

/** Opens the file or address of a document. Other files are read only from its folder, other addresses only from its origin. */
export async function openSource(location: string, limits: SourceLimits = {}): Promise<SourceReader> {
  const budget = { bytes: MAX_DOCUMENT_BYTES, files: MAX_FILES };
  if (isAddress(location)) {
    const main = parseAddress(location);
    return {
      main: main.href,
      async read(address) {
        if (!isAddress(address) || new URL(address).origin !== main.origin) {
          throw refused(address, `is not at ${main.origin}, where the document is`);
        }
        spend(budget, 0, address);
        const text = await download(new URL(address), budget.bytes, limits);
        spend(budget, Buffer.byteLength(text), address);
        return text;
      },
    };
  }
  const main = await realPath(resolve(location), location);
  const folder = dirname(main);
  return {
    main,
    async read(path) {
      if (isAddress(path)) throw refused(path, "is an address, and the document is a file");
      // Links are followed before the folder is compared.
      const real = await realPath(path, path);
      const inside = relative(folder, real);
      if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) {
        if (real !== main) throw refused(path, "is outside of the folder of the document");
      }
      const text = await readRegularFile(real, budget.bytes);
      spend(budget, Buffer.byteLength(text), path);
      return text;
    },
  };
}

interface Budget {
  bytes: number;
  files: number;
}

function spend(budget: Budget, bytes: number, location: string): void {
  budget.bytes -= bytes;
  if (bytes > 0) budget.files -= 1;
  if (budget.bytes < 0) throw tooLarge(location);
  if (budget.files >= 0) return;
  const cause = `the document refers to more than ${MAX_FILES} files`;
  throw new OpenApiError("DOCUMENT_TOO_LARGE", cause, "Bundle the document into one file first.");
}

async function realPath(path: string, shown: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    throw unreadable(shown, "there is no such file");
  }
}

async function readRegularFile(path: string, maxBytes: number): Promise<string> {
  // A pipe is opened without waiting, and refused; a link that has come meanwhile is not followed.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(
    (error: unknown) => {
      throw unreadable(path, (error as NodeJS.ErrnoException).code ?? "it cannot be opened");
    },
  );
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw unreadable(path, "it is no file");
    if (facts.size > maxBytes) throw tooLarge(path);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

async function download(address: URL, maxBytes: number, { timeoutMs, signal }: SourceLimits): Promise<string> {
  const headers = { accept: "application/json, application/yaml, text/yaml, */*;q=0.5" };
  const limits = { timeoutMs: Math.min(timeoutMs ?? DOWNLOAD_TIMEOUT_MS, DOWNLOAD_TIMEOUT_MS), maxBytes, signal };
  const reply = await followRedirects({ method: "GET", url: address, headers }, limits, ANY_ADDRESS);
  if (reply.status !== 200) throw unreadable(address.href, `it answers ${reply.status}`);
  return reply.body.toString("utf8");
}

function parseAddress(location: string): URL {
  if (URL.canParse(location)) {
    const address = new URL(location);
    if (address.username === "" && address.password === "") return address;
  }
  const cause = "the address of the document is not valid, or has a user name in it";
  throw new OpenApiError(
    "DOCUMENT_UNREADABLE",
    cause,
    "Give a file, or an address that starts with https:// or http://.",
  );
}

function unreadable(location: string, reason: string): OpenApiError {
  return new OpenApiError(
    "DOCUMENT_UNREADABLE",
    `${location} cannot be read: ${reason}`,
    "Check the path or the address.",
  );
}

function refused(location: string, reason: string): OpenApiError {
  const hint = "Keep all files of a document in its folder or at its address, or bundle them into one.";
  return new OpenApiError("REFERENCE_REFUSED", `a reference to ${location} is refused: it ${reason}`, hint);
}

function tooLarge(location: string): OpenApiError {
  const cause = `${location}: the document is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB`;
  return new OpenApiError("DOCUMENT_TOO_LARGE", cause, "Cut it down to the operations that you need.");
}
