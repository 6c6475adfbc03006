// Writes files as its arguments say, for a test that looks at what it asks of the file system.
import { flushFiles, replaceFile, replaceUnflushed } from "../../runtime/files/replace-file.ts";

const [way, ...files] = process.argv.slice(2);
for (const file of files) {
  if (way === "flushed") await replaceFile(file, "new");
  else if (way === "unflushed") await replaceFile(file, "new", { isFlushed: false });
  else replaceUnflushed(file, "new");
}
if (way === "together") await flushFiles(files);
