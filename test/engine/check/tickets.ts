import type { RawTool } from "../../templates/lockfile-of.ts";

const text = { type: "string" };
const person = {
  type: "object",
  properties: { name: text, email: text, notifyByMail: { type: "boolean" } },
  required: ["name"],
};
const status = { enum: ["open", "closed", "waiting"] };

/** A server with enums, nested objects, optional members and one tool that takes nothing but what it declares. */
export const TICKETS: readonly RawTool[] = [
  {
    name: "create_ticket",
    inputSchema: {
      type: "object",
      properties: {
        title: text,
        priority: { enum: ["low", "medium", "high"] },
        assignee: person,
        labels: { type: "array", items: text },
        dueDate: text,
        estimate: { type: "number" },
        urgent: { type: "boolean" },
      },
      required: ["title", "priority"],
    },
    outputSchema: { type: "object", properties: { id: { type: "number" }, url: text }, required: ["id", "url"] },
  },
  {
    name: "list_tickets",
    inputSchema: {
      type: "object",
      properties: { status, maxResults: { type: "integer" }, assignedTo: text },
    },
    outputSchema: {
      type: "object",
      properties: {
        tickets: {
          type: "array",
          items: {
            type: "object",
            properties: { id: { type: "number" }, title: text, status, assignee: person, dueDate: text },
            required: ["id", "title", "status"],
            additionalProperties: false,
          },
        },
        total: { type: "number" },
        nextCursor: text,
      },
      required: ["tickets", "total"],
      additionalProperties: false,
    },
  },
  {
    name: "close_ticket",
    inputSchema: {
      type: "object",
      properties: { id: { type: "number" }, reason: text },
      required: ["id"],
      additionalProperties: false,
    },
  },
];
