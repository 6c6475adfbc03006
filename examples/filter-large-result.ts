// Shows: one call that returns 200 kB, of which a few lines come back.
//
// The question: which kinds of media have several file endings, and is the usual ending of a video among them?
// The answer is in the database of media types, which an agent would have to read as a whole.
import { read_text_file } from "@codemode/servers/filesystem";
import { check } from "./lib/check.ts";

interface MediaType {
  extensions?: string[];
}

const { content } = await read_text_file({ path: "node_modules/mime-db/db.json" });
const types = Object.entries(JSON.parse(content) as Record<string, MediaType>);

const videos = types
  .filter(([name]) => name.startsWith("video/"))
  .map(([name, { extensions = [] }]) => ({ name, extensions }))
  .filter(({ extensions }) => extensions.length > 2);

check(content.length > 100_000, "the file is a large one");
check(JSON.stringify(videos).length * 100 < content.length, "less than a hundredth comes back");
check(
  videos.some(({ name, extensions }) => name === "video/mpeg" && extensions.includes("mpg")),
  "MPEG videos are found, with their endings",
);

export default { looked: types.length, videos };
