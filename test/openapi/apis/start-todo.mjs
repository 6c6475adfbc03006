// The example application of LoopBack, as it is published: lists in memory, and the document that the framework makes of its classes.
import loopback from "@loopback/example-todo";

const app = new loopback.TodoListApplication({ rest: { host: "127.0.0.1", port: 0 } });
await app.boot();
// Its own database is a file in the folder where it is started.
app.bind("datasources.config.db").to({ name: "db", connector: "memory" });
await app.start();
process.stdout.write(`${app.restServer.url}\n`);
