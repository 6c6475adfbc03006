/** The functions of a program, by name: what they take, as JSON Schema, and what they do. */
export const OWN_FUNCTIONS = {
  echo: {
    description: "Repeats a message",
    inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
    outputSchema: { type: "string" },
    execute: ({ message }) => `Echo: ${message}`,
  },
  getUser: {
    description: "Finds a user",
    inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    outputSchema: { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } },
    execute: ({ id }) => ({ id, name: "Ada" }),
  },
  listTodos: {
    description: "Lists todos",
    inputSchema: { type: "object", properties: {} },
    outputSchema: { type: "array", items: { type: "string" } },
    execute: () => ["water the plants"],
  },
};
