// An MCP server that serves the files below a folder as resources, as a careful file server does: it turns the URI into a path with Node's own
// function, and refuses a path outside of the folder.
// usage: resource-files.mjs FOLDER
import { readFileSync } from "node:fs";
import { normalize, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { answerLines } from "./answer-lines.mjs";

const [, , folder] = process.argv;
const base = pathToFileURL(folder).href;

answerLines({
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { resources: {} },
    serverInfo: { name: "resource-files", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [] }),
  "resources/list": () => ({ resources: [] }),
  "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: `${base}/{+path}`, name: "file" }] }),
  "resources/read": ({ uri }) => ({ contents: readContents(uri) }),
});

function readContents(uri) {
  try {
    const path = fileURLToPath(uri);
    if (!normalize(path).startsWith(folder + sep)) return [];
    return [{ uri, text: readFileSync(path, "utf8") }];
  } catch {
    return [];
  }
}
