import MiniSearch from "minisearch";
import { toolIndexOf } from "../../dist/runtime/host/discovery/tool-index.js";
import { lockMadeUp } from "../suite/make-tools.js";
import { interleave } from "../suite/measure.js";
import { timeInProcess } from "../suite/processor-time.js";
import { makeComparison } from "../suite/tables.js";

const QUERIES = ["archive an old invoice", "find messages of a contact", "deploy branch", "export report as calendar"];

/** Finding one of 3,600 tools, and making the index for it, against a plain full-text index. */
export async function measureSearch({ isQuick }) {
  const ids = Array.from({ length: isQuick ? 10 : 60 }, (_, index) => `server-${index}`);
  const lockfile = { servers: new Map(ids.map((id) => [id, lockMadeUp(id, 60)])) };
  const documents = [...lockfile.servers.values()].flatMap((server) =>
    server.tools.map(({ name, description }) => ({ id: `${server.id}/${name}`, name, description })),
  );
  const makePlain = () => {
    const index = new MiniSearch({ fields: ["name", "description"] });
    index.addAll(documents);
    return index;
  };
  const rounds = isQuick ? 5 : 25;
  const making = await interleave(
    new Map([
      ["codemode", () => timeInProcess(() => void toolIndexOf({ ...lockfile }).search("warm", { limit: 1 }))],
      ["MiniSearch as it comes", () => timeInProcess(() => void makePlain())],
    ]),
    { rounds, warmUps: 2 },
  );
  const ours = toolIndexOf({ ...lockfile });
  const plain = makePlain();
  const asking = await interleave(
    new Map([
      ["codemode", () => askAll((query) => ours.search(query, { limit: 10 }))],
      ["MiniSearch as it comes", () => askAll((query) => plain.search(query).slice(0, 10))],
      ["includes() over names and descriptions", () => askAll((query) => scan(documents, query))],
    ]),
    { rounds: rounds * 4, warmUps: 10 },
  );
  return [
    makeComparison("search.index", `Making the index of ${documents.length} tools`, making),
    makeComparison("search.ask", `${QUERIES.length} questions`, asking),
  ];
}

function askAll(search) {
  return timeInProcess(() => QUERIES.forEach(search));
}

function scan(documents, query) {
  const words = query.split(" ");
  return documents
    .map(({ id, name, description }) => ({
      id,
      hits: words.filter((word) => `${name} ${description}`.includes(word)).length,
    }))
    .toSorted((left, right) => right.hits - left.hits)
    .slice(0, 10);
}
