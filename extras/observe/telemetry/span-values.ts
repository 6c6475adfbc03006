import { type Attributes, type Span, SpanStatusCode } from "@opentelemetry/api";
import type { TelemetryAttributes } from "./attributes.ts";

/** Leaves out error messages, which may quote arguments and results. */
export function fail(span: Span, code: string | undefined): void {
  if (code === undefined) return;
  span.setAttributes(toAttributes({ "error.type": code })).setStatus({ code: SpanStatusCode.ERROR });
}

/** To the API any name is one of an attribute; here only those of the table are. */
export function toAttributes(attributes: TelemetryAttributes): Attributes {
  return attributes;
}
