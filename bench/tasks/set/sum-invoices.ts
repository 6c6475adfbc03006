import { read_text_file } from "@codemode/servers/files";

let sum = 0;
for (let number = 1001; number <= 1012; number += 1) {
  const { content } = await read_text_file({ path: `invoices/INV-${number}.txt` });
  if (content.includes("Status: open")) sum += Number(/Amount: ([\d.]+)/.exec(content)?.[1]);
}
export default sum;
