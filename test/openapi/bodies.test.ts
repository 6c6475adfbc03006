import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { answering, connectApi, makeDocument } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

const TEXT = { type: "string" };
const JSON_TYPE = "application/json";
const MULTIPART = "multipart/form-data";
const FORM = "application/x-www-form-urlencoded";
const object = (properties: object, required: string[] = []) => ({ type: "object", properties, required });
const BYTES = { type: "string", format: "binary" };
const FILE = { base64: Buffer.from("hi").toString("base64"), filename: "a.txt", mediaType: "text/plain" };

/** A client of one operation with a body, and what comes to its API. */
async function open(content: Record<string, object>, required = true, components: object = {}) {
  const bodies: { type: string; text: string }[] = [];
  const { origin } = await startScriptedApi((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      bodies.push({ type: request.headers["content-type"] ?? "", text: Buffer.concat(parts).toString() });
      response.end();
    });
  });
  const media = Object.entries(content).map(([type, schema]) => [type, { schema }] as const);
  const requestBody = { required, content: Object.fromEntries(media) };
  const parameters = [{ in: "path", name: "id", required: true, schema: TEXT }];
  const operation = { operationId: "send", parameters, requestBody, ...answering({}) };
  const document = makeDocument({ "/a/{id}": { post: operation } }, { components: { schemas: components } });
  const { api, call } = await connectApi(document, { baseUrl: origin });
  const { inputSchema = { type: "object" as const } } = api.tools[0] ?? {};
  const valid = new Ajv2020({ strict: false, logger: false }).compile(inputSchema);
  const send = async (input: object) => {
    const { isError, text } = await call("send", { id: "1", ...input });
    return isError ? text : bodies.at(-1);
  };
  return { inputSchema, fits: (input: object) => valid({ id: "1", ...input }), send };
}

async function readForm({ type, text }: { type: string; text: string }): Promise<unknown[]> {
  const form = await new Response(text, { headers: { "content-type": type } }).formData();
  return Promise.all(
    [...form.entries()].map(async ([name, value]) => [name, typeof value === "string" ? value : await value.text()]),
  );
}

test("a body may be absent; one that is there has its required fields", async () => {
  const schema = object({ to: TEXT, text: TEXT, mode: TEXT }, ["to", "text"]);
  const { inputSchema, fits, send } = await open({ [FORM]: schema }, false);
  expect(inputSchema).toMatchObject({
    required: ["id"],
    dependentRequired: { to: ["text"], text: ["to"], mode: ["to", "text"] },
  });
  const inputs = [{}, { to: "a", text: "b" }, { text: "b" }, { mode: "c" }];
  expect(inputs.map(fits)).toEqual([true, true, false, false]);
  expect(await send({})).toEqual({ type: "", text: "" });
  expect(await send({ to: "a", text: "b" })).toMatchObject({ text: "to=a&text=b" });
  // The server holds it too, for clients that check nothing.
  expect(await send({ text: "b" })).toContain("needs the argument to, since it has a body");
  expect((await open({ [FORM]: schema }, true)).inputSchema.required?.toSorted()).toEqual(["id", "text", "to"]);
});

test.each([JSON_TYPE, FORM])(
  "an operation takes %s, or a form that alone carries files: a file that is given sends the form",
  async (type) => {
    const message = object({ content: TEXT, embeds: { type: "array", items: object({ title: TEXT }) } }, ["content"]);
    const Message = { ...message };
    const withFiles = {
      allOf: [
        { $ref: "#/components/schemas/Message" },
        object({ "files[0]": BYTES, all: { type: "array", items: BYTES } }),
      ],
    };
    const { inputSchema, send } = await open({ [type]: message, [MULTIPART]: withFiles }, true, { Message });
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(["id", "content", "embeds", "files_0_", "all"]);
    expect(inputSchema.required).toEqual(["id", "content"]);
    expect(await send({ content: "a" })).toEqual({ type, text: type === JSON_TYPE ? '{"content":"a"}' : "content=a" });
    const sent = (await send({ content: "a", embeds: [{ title: "t" }], files_0_: FILE, all: [FILE] })) as {
      type: string;
      text: string;
    };
    expect(await readForm(sent)).toEqual([
      ["content", "a"],
      ["embeds", '{"title":"t"}'],
      ["files[0]", "hi"],
      ["all", "hi"],
    ]);
  },
);

test("a field that is a text in JSON and a file in the form is a file", async () => {
  const schema = object({ file_id: TEXT, file: BYTES });
  const { inputSchema, send } = await open({ [JSON_TYPE]: schema, [MULTIPART]: schema });
  expect(inputSchema.properties).toMatchObject({ file: { properties: { base64: {} } }, file_id: TEXT });
  expect(await send({ file_id: "f" })).toEqual({ type: JSON_TYPE, text: '{"file_id":"f"}' });
  expect(await readForm((await send({ file: FILE })) as { type: string; text: string })).toEqual([["file", "hi"]]);
});

test("where the fields of the JSON cannot stand side by side, and those of the form can, it is the form", async () => {
  const { inputSchema, send } = await open({
    [JSON_TYPE]: { oneOf: [object({ url: TEXT })] },
    [MULTIPART]: object({ photo: BYTES }),
  });
  expect(Object.keys(inputSchema.properties ?? {})).toEqual(["id", "photo"]);
  expect(await readForm((await send({ photo: FILE })) as { type: string; text: string })).toEqual([["photo", "hi"]]);
  const plain = await open({ [JSON_TYPE]: { oneOf: [object({ url: TEXT })] }, [MULTIPART]: object({ name: TEXT }) });
  expect(Object.keys(plain.inputSchema.properties ?? {})).toEqual(["id", "body"]);
});

test("a body that allOf puts together has its fields side by side", async () => {
  const Base = object({ model: TEXT, temperature: { type: "number" } }, ["model"]);
  const schema = {
    allOf: [
      { $ref: "#/components/schemas/Base" },
      object({ messages: { type: "array" }, model: { minLength: 2 } }, ["messages"]),
    ],
  };
  const { inputSchema, fits, send } = await open({ [JSON_TYPE]: schema }, true, { Base });
  expect(inputSchema.required?.toSorted()).toEqual(["id", "messages", "model"]);
  expect([fits({ model: "m1", messages: [] }), fits({ model: "m", messages: [] }), fits({ model: "m1" })]).toEqual([
    true,
    false,
    false,
  ]);
  expect(await send({ model: "m1", messages: [] })).toMatchObject({ text: '{"model":"m1","messages":[]}' });
});

test("a field that is given outside of body has a hint where it goes", async () => {
  const { send } = await open({ [JSON_TYPE]: { oneOf: [object({ url: TEXT })] } });
  expect(await send({ url: "a" })).toContain("hint: It takes id, body. A field of the body goes into `body`.");
});
