import { readdir, readFile } from "node:fs/promises";

const SET = new URL("../set/", import.meta.url);
const SIZES = ["simple", "complex"];
const CALLS = ["independent", "sequential", "iterative"];

/** The tasks with their reference scripts, by cell of the design and then by id. */
export async function readTasks() {
  const files = (await readdir(SET)).filter((name) => name.endsWith(".js")).toSorted();
  const tasks = await Promise.all(
    files.map(async (name) => {
      const id = name.slice(0, -".js".length);
      const [{ task }, script] = await Promise.all([
        import(new URL(name, SET).href),
        readFile(new URL(`${id}.ts`, SET), "utf8"),
      ]);
      return { id, script, ...task };
    }),
  );
  const place = ({ size, calls }) => SIZES.indexOf(size) * CALLS.length + CALLS.indexOf(calls);
  return tasks.toSorted((left, right) => place(left) - place(right));
}
