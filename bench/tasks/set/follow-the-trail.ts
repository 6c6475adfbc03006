import { read_text_file } from "@codemode/servers/files";

let next: string | undefined = "start.txt";
let word: string | undefined;
let files = 0;
while (next !== undefined) {
  const { content }: { content: string } = await read_text_file({ path: `trail/${next}` });
  files += 1;
  word = /The word is: (\w+)/.exec(content)?.[1];
  next = /Read on in (\w+\.txt)/.exec(content)?.[1];
}
export default { word, files };
