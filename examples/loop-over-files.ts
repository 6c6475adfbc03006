// Shows: a loop that would be almost a hundred calls of an agent, eight at a time.
//
// The question: on which day does the week begin, in the languages that date-fns knows? One file for each language says it.
// An agent that calls tools would read them all, one after another; a script reads them and counts.
import { list_directory, read_text_file } from "@codemode/servers/filesystem";
import { check } from "./lib/check.ts";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const FOLDER = "node_modules/date-fns/locale";
const AT_A_TIME = 8;

const listing = await list_directory({ path: FOLDER });
const languages = listing.content
  .split("\n")
  .flatMap((line) => /^\[DIR\] ([a-z]{2,3}(?:-\w+)?)$/.exec(line)?.[1] ?? []);

const languagesByDay = new Map<string, string[]>();
for (let start = 0; start < languages.length; start += AT_A_TIME) {
  await Promise.all(languages.slice(start, start + AT_A_TIME).map(sortIn));
}
console.log(`read ${languages.length} files`);

const counts = Object.fromEntries([...languagesByDay].map(([day, languages]) => [day, languages.length]));
check(languages.length >= 50, "there are at least fifty files to read");
check(!languagesByDay.has("unknown"), "every language has a first day of the week");
check(languagesByDay.get("Monday")?.includes("de") === true, "a German week begins on Monday");

export default { counts, saturday: languagesByDay.get("Saturday")?.toSorted() };

async function sortIn(language: string): Promise<void> {
  const { content } = await read_text_file({ path: `${FOLDER}/${language}.js` });
  const day = DAYS[Number(/weekStartsOn: (\d)/.exec(content)?.[1])] ?? "unknown";
  languagesByDay.set(day, [...(languagesByDay.get(day) ?? []), language]);
}
