// The tools of the conformance suite whose answers pass through codemode: their results, and the forms that they ask a person to fill in.

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

export const text = (words) => ({ type: "text", text: words });
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const resource = (uri, mimeType, content) => ({ type: "resource", resource: { uri, mimeType, text: content } });

export const RESULTS = {
  simple_text: { content: [text("This is a simple text response for testing.")] },
  image_content: { content: [image] },
  audio_content: { content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] },
  embedded_resource: { content: [resource("test://embedded-resource", "text/plain", "An embedded resource.")] },
  multiple_content_types: {
    content: [text("Several:"), image, resource("test://mixed-content-resource", "application/json", '{"value":123}')],
  },
  error_handling: { isError: true, content: [text("This tool intentionally returns an error for testing")] },
  logging_tool: { content: [text("logged")] },
  // The project asks a person before it calls these.
  input_required_result_elicitation: { content: [text("called")] },
  input_required_result_request_state: { content: [text("called")] },
  input_required_result_tampered_state: { content: [text("called")] },
};

export const FORMS = {
  elicitation: { username: { type: "string" }, email: { type: "string", format: "email" } },
  elicitation_sep1034_defaults: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  elicitation_sep1330_enums: {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: [{ const: "value1", title: "First Option" }] },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: {
      type: "array",
      items: {
        anyOf: [
          { const: "value1", title: "First" },
          { const: "value2", title: "Second" },
        ],
      },
    },
  },
};

export const PROGRESS = ["tool_with_progress", "tool_with_logging"];

// sleeps: the official suite listens for what comes in between
export const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
