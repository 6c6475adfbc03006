// Unleash, a server for feature flags, as it is published. Its database is a PostgreSQL of this process.
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import unleash from "unleash-server";

const db = await PGlite.create();
const sockets = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0, maxConnections: 20 });
await sockets.start();
const secret = process.env.API_TOKEN;
const { server } = await unleash.start({
  db: {
    ...{ host: "127.0.0.1", port: Number(sockets.getServerConn().split(":")[1]), ssl: false },
    // All connections would share one session of the database, so there is one.
    ...{ user: "postgres", password: "", database: "postgres", pool: { min: 0, max: 1 } },
  },
  server: { host: "127.0.0.1", port: 0 },
  authentication: {
    initApiTokens: [{ secret, type: "admin", environment: "*", projects: ["*"], tokenName: "test", username: "test" }],
  },
  rateLimiting: { createUserMaxPerMinute: 2 },
  logLevel: "fatal",
  telemetry: false,
  versionCheck: { enable: false },
});
process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
