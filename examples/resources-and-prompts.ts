// Shows: resources, resource templates and prompts of a server, beside its tools, in one script.
// The functions are typed and locked like those of tools; what `list` finds is data.
import { ToolCallError } from "@codemode/errors";
import { get_sum } from "@codemode/servers/everything";
import { args_prompt, resource_prompt } from "@codemode/servers/everything/prompts";
import { Dynamic_Blob_Resource, Dynamic_Text_Resource, list, read } from "@codemode/servers/everything/resources";
import { check } from "./lib/check.ts";

// 1. Find the documents that there are, and read them all: only their sizes leave the sandbox.
const documents = (await list()).filter(({ mimeType }) => mimeType === "text/markdown");
const texts = await Promise.all(documents.map(({ uri }) => read(uri)));
const sizes = documents.map(({ name }, index) => `${name}: ${String(texts[index]).length} characters`);
check(sizes.length > 2, "the server has documents");

// 2. A template has a function of its own: its variables are the parameters. Text arrives as text, bytes as base64.
const sum = await get_sum({ a: 3, b: 4 });
const resourceId = /\d+(?=\.$)/.exec(String(sum))?.[0] ?? "";
const text = await Dynamic_Text_Resource({ resourceId });
const blob = await Dynamic_Blob_Resource({ resourceId });
check(typeof text === "string" && text.startsWith(`Resource ${resourceId}`), "the text is the one of the id");
check(typeof blob === "object" && "blob" in blob, "the other one is a blob");

// 3. A prompt gives the messages that it makes.
const weather = await args_prompt({ city: "Paris", state: "Texas" });
const review = await resource_prompt({ resourceType: "Text", resourceId });
check(weather.messages[0]?.content.text === "What's weather in Paris, Texas?", "the prompt has its arguments");
check(review.messages[1]?.content.type === "resource", "a message can hold a resource");

// 4. What the server does not have is an error like any other.
const missing = await read("demo://resource/dynamic/text/none").catch((error: unknown) => error);
check(missing instanceof ToolCallError, "a missing resource is a ToolCallError");

export default { sizes, text: text.slice(0, 10), bytes: atob(blob.blob).length > 0, messages: review.messages.length };
