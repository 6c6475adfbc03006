// Express: a script of the user who is logged in, and a page on which that user approves what the script wants to do.
import { randomUUID } from "node:crypto";
import { codeMode, defineTool } from "codemode";
import express from "express";
import { z } from "zod";

/** The user of a request. */
interface User {
  name: string;
}
/** A call that waits for its user. */
interface Question {
  id: string;
  user: string;
  input: unknown;
  answer(isAllowed: boolean): void;
}
const questions = new Map<string, Question>();

const code = await codeMode<User>(
  {
    todos: {
      create: defineTool<User, z.ZodObject<{ title: z.ZodString }>>({
        description: "Creates a todo of the user",
        inputSchema: z.object({ title: z.string() }),
        needsApproval: true,
        execute: ({ title }, { context }) => `${context.name}: ${title}`,
      }),
    },
  },
  {
    approve: ({ call, context }) =>
      new Promise((answer) => {
        const id = randomUUID();
        questions.set(id, { id, user: context?.name ?? "", input: call?.input, answer });
      }),
  },
);

const app = express();
const userOf = (request: express.Request): User => ({ name: String(request.headers["x-user"]) }); // Yours: the session.

app.post("/run", express.text(), async (request, response) => {
  const { result, diagnostics } = await code.run({ code: request.body }, { context: userOf(request) });
  response.json({ result, errors: diagnostics.map((each) => each.code) });
});
app.get("/questions", (request, response) => {
  const own = [...questions.values()].filter(({ user }) => user === userOf(request).name);
  response.json(own.map(({ id, input }) => ({ id, input })));
});
app.post("/questions/:id/:answer", (request, response) => {
  const question = questions.get(request.params.id);
  if (question?.user !== userOf(request).name) return void response.status(404).end();
  questions.delete(question.id);
  question.answer(request.params.answer === "allow");
  response.end();
});

const listener = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  console.log("port", Object(listener.address()).port);
});
process.once("SIGTERM", () => listener.close(() => void code.close()));
