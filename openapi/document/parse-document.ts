import { createHash } from "node:crypto";
import { basename } from "node:path";
import { type Json, type JsonObject, isObject, textAt } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";
import { bundleReferences } from "./bundle-references.ts";
import { MAX_TEXT_LENGTH, placeLine } from "./place-line.ts";
import { parseText } from "./parse-text.ts";
import { type LeaveOut, type LeftOut, toLeftOut } from "./left-out.ts";
import { isAddress, openSource, type SourceLimits, type SourceReader } from "./read-source.ts";
import { upgradeSwagger } from "./upgrade-swagger.ts";

/** A document with everything that it refers to, as OpenAPI 3. */
export interface ApiDocument {
  root: JsonObject;
  /** The version that the document was written in. */
  version: "2.0" | "3.0" | "3.1" | "3.2";
  /** Its file name, for errors and the name of the server. */
  source: string;
  /** The address that it was read from; absent for a file. */
  address?: URL | undefined;
  /** The operations and paths that could not be read; more come where they are. */
  leftOut: LeftOut[];
  /** The hash of all its files. */
  digest: string;
  /** Adds the line of a place to an error. */
  placeLine: (error: unknown) => unknown;
}

/** Reads a document from a file, an http(s) address, or a value that was parsed before. */
export async function parseDocument(document: string | object, limits: SourceLimits = {}): Promise<ApiDocument> {
  if (typeof document !== "string") {
    const text = JSON.stringify(document);
    return toDocument(text, "document", refuseFiles());
  }
  const reader = await openSource(document, limits);
  const text = await reader.read(reader.main);
  const name = isAddress(reader.main) ? reader.main.replace(/[?#][^]*/, "") : basename(reader.main);
  return toDocument(text, name, reader);
}

async function toDocument(text: string, source: string, reader: SourceReader): Promise<ApiDocument> {
  // A long text is not kept: finding a line in it would take seconds.
  const kept = text.length > MAX_TEXT_LENGTH ? undefined : text;
  const place = (error: unknown): unknown => placeLine(error, kept, source);
  try {
    const parsed = parseText(text, source);
    const { root, version } = readVersion(parsed);
    const others = new Set<string>();
    await bundleReferences(root, {
      main: reader.main,
      async read(location) {
        const other = await reader.read(location);
        others.add(hashOf(other));
        return other;
      },
    });
    const address = isAddress(reader.main) ? new URL(reader.main) : undefined;
    const leftOut: LeftOut[] = [];
    const leaveOut: LeaveOut = (pointer, error) => leftOut.push(toLeftOut(pointer, error));
    return {
      root: version === "2.0" ? upgradeSwagger(root, address, leaveOut) : root,
      ...{ version, source, address, leftOut },
      digest: others.size === 0 ? hashOf(text) : hashOf([hashOf(text), ...[...others].toSorted()].join("\n")),
      placeLine: place,
    };
  } catch (error) {
    throw place(error);
  }
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function readVersion(parsed: Json): { root: JsonObject; version: ApiDocument["version"] } {
  if (!isObject(parsed)) throw invalid("#: this is no OpenAPI document, but a text, number or list");
  const said = parsed["openapi"] ?? parsed["swagger"];
  if (said === undefined) throw invalid('#: neither "openapi" nor "swagger" says the version of the specification');
  // YAML reads `swagger: 2.0` as a number.
  const version = /^(?:2(?:\.0)?$|3\.[012])/.exec(String(said))?.[0];
  if (version === undefined)
    throw invalid(`#/openapi: version ${JSON.stringify(said)} is not known; 2.0, 3.0, 3.1 and 3.2 are`);
  if (!isObject(parsed["info"])) throw invalid("#: info is missing");
  if (textAt(parsed["info"], "title") === undefined) throw invalid("#/info: title is missing");
  if (parsed["paths"] === undefined) throw invalid("#: paths is missing, so there is no operation");
  if (!isObject(parsed["paths"])) throw invalid("#/paths: it must be an object with a member for each path");
  return { root: parsed, version: version.startsWith("2") ? "2.0" : (version as "3.0") };
}

/** A value has no folder: it may refer to itself only. */
function refuseFiles(): SourceReader {
  return {
    main: "/document.json",
    read(location) {
      const hint = "Bundle the document, or give its file or address.";
      return Promise.reject(
        new OpenApiError("REFERENCE_REFUSED", `a reference to ${location} cannot be followed`, hint),
      );
    },
  };
}

function invalid(message: string): OpenApiError {
  return new OpenApiError(
    "DOCUMENT_INVALID",
    message,
    "Give a document of OpenAPI 3.0, 3.1 or Swagger 2.0, as JSON or YAML.",
  );
}
