// Nuxt and Nitro: the file `server/api/run.post.ts`. Nitro keeps the module, and so its engine, for all requests.
import { codeMode, defineTool } from "codemode";
import { defineEventHandler, readBody } from "h3";
import { z } from "zod";

/** What a middleware of yours puts into `event.context`. */
interface User {
  user: string;
}

const notes = ["water the plants"];
const code = await codeMode<User>({
  notes: {
    list: defineTool<User>({ description: "Lists all notes", execute: () => notes }),
    add: defineTool<User, z.ZodObject<{ text: z.ZodString }>>({
      description: "Adds a note of the user",
      inputSchema: z.object({ text: z.string() }),
      enabled: ({ user }) => user !== "guest",
      execute: ({ text }, { context }) => notes.push(`${text} (${context.user})`),
    }),
  },
});

export default defineEventHandler(async (event) => {
  const body = await readBody<{ code: string }>(event);
  const user = String(event.context["user"] ?? "guest");
  return code.run({ code: body?.code ?? "" }, { context: { user } });
});
