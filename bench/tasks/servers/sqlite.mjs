// An MCP server of one SQLite database: `node sqlite.mjs FILE`. It reads the file in each call and writes it after each change.
import { readFile, writeFile } from "node:fs/promises";
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import initSqlJs from "sql.js";
import { z } from "zod";

const file = process.argv[2];
const { Database } = await initSqlJs();
const server = new McpServer({ name: "sqlite", version: "1.0.0" });
const value = z.union([z.string(), z.number(), z.null()]);
const statement = {
  sql: z.string().describe("one SQL statement, with ? for each parameter"),
  params: z.array(value).optional(),
};

server.registerTool(
  "list_tables",
  {
    description: "List the tables of the database with their columns.",
    outputSchema: z.object({ tables: z.array(z.object({ name: z.string(), sql: z.string() })) }),
    annotations: { readOnlyHint: true },
  },
  () =>
    withDatabase((db) => ({
      tables: select(db, "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name"),
    })),
);

server.registerTool(
  "query",
  {
    description: "Read rows from the SQL database with a SELECT statement.",
    inputSchema: z.object(statement),
    outputSchema: z.object({ rows: z.array(z.record(z.string(), value)) }),
    annotations: { readOnlyHint: true },
  },
  ({ sql, params = [] }) => withDatabase((db) => ({ rows: select(db, sql, params) })),
);

server.registerTool(
  "execute",
  {
    description: "Change rows of the SQL database with an INSERT, UPDATE or DELETE statement.",
    inputSchema: z.object(statement),
    outputSchema: z.object({ changes: z.number(), lastId: z.number() }),
    annotations: { destructiveHint: true },
  },
  ({ sql, params = [] }) =>
    withDatabase(async (db) => {
      db.run(sql, params);
      const answer = {
        changes: db.getRowsModified(),
        lastId: select(db, "SELECT last_insert_rowid() AS id")[0].id,
      };
      await writeFile(file, db.export());
      return answer;
    }),
);

await server.connect(new StdioServerTransport());

let last = Promise.resolve();

/** One call after the other: each reads what the one before has written. */
function withDatabase(work) {
  const turn = last.then(async () => {
    const db = new Database(await readFile(file));
    try {
      const answer = await work(db);
      return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
    } catch (error) {
      return { isError: true, content: [{ type: "text", text: String(error.message ?? error) }] };
    } finally {
      db.close();
    }
  });
  last = turn;
  return turn;
}

function select(db, sql, params = []) {
  const prepared = db.prepare(sql, params);
  const rows = [];
  while (prepared.step()) rows.push(prepared.getAsObject());
  prepared.free();
  return rows;
}
