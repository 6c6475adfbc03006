import { args_prompt, simple_prompt } from "@codemode/servers/everything/prompts";
import { Dynamic_Blob_Resource, list, read } from "@codemode/servers/everything/resources";

const [first] = await list();
const name: string | undefined = first?.name;
const value = await read(first?.uri ?? "demo://resource/static");
const text: string = typeof value === "string" ? value : "";
const blob = await Dynamic_Blob_Resource({ resourceId: "1" });
const bytes: string = typeof blob === "object" && "blob" in blob ? blob.blob : "";
const { messages } = await args_prompt({ city: "Paris" });
const role: "user" | "assistant" | undefined = messages[0]?.role;
await simple_prompt();

// @ts-expect-error -- the URI alone
await read({ uri: "demo://resource/static" });
// @ts-expect-error -- a variable of the template
await Dynamic_Blob_Resource({});
// @ts-expect-error -- arguments of prompts are texts
await args_prompt({ city: 1 });
// @ts-expect-error -- it may be a blob
const surely: string = await read("demo://resource/static");

export default [name, text, bytes, role, surely];
