import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { findBrowser } from "../browser/open-browser.ts";
import { writeJson } from "../clients/write-json.ts";
import { REAL_SERVERS, toEntry } from "./servers.ts";

/** A page with a form, as an address. */
const PAGE = `data:text/html,<title>Shop</title><label>Name <input></label><label>Note <input></label>
<label>Size <select><option>small</option><option>large</option></select></label>
<button onclick="document.querySelector('output').textContent = 'Thanks, ' + document.querySelector('input').value + ', '
 + document.querySelector('select').value; console.log('ordered')">Order</button><output></output>`.replaceAll(
  "\n",
  "",
);

/** Makes a new project: a configuration of all servers, the scripts, and the files that they work on. */
export async function prepareProject(folder: string, installed: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "notes"), { recursive: true });
  const browser = await findBrowser();
  const mcpServers = Object.fromEntries(REAL_SERVERS.map((server) => [server.id, toEntry(server, installed, browser)]));
  await writeJson(join(folder, "codemode.config.json"), { mcpServers });
  await writeJson(join(folder, "input.json"), { page: PAGE });
  await writeFile(join(folder, "notes/plan.md"), "- [ ] first\n- [x] second\n");
  await writeFile(join(folder, "notes/old.md"), "- [x] all\n");
  await writeFile(join(folder, "book.xlsx"), makeWorkbook());
  await cp(join(import.meta.dirname, "scripts"), join(folder, "scripts"), { recursive: true });
}

/** A workbook with one empty sheet (ECMA-376, part 1). */
function makeWorkbook(): Uint8Array {
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  const formats = "http://schemas.openxmlformats.org";
  const office = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const relations = `${formats}/officeDocument/2006/relationships`;
  const relate = (kind: string, target: string): string =>
    `${head}<Relationships xmlns="${formats}/package/2006/relationships"><Relationship Id="r1" Type="${relations}/${kind}" Target="${target}"/></Relationships>`;
  const parts = {
    "[Content_Types].xml": `${head}<Types xmlns="${formats}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${office}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${office}.worksheet+xml"/></Types>`,
    "_rels/.rels": relate("officeDocument", "xl/workbook.xml"),
    "xl/workbook.xml": `${head}<workbook xmlns="${formats}/spreadsheetml/2006/main" xmlns:r="${relations}"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relate("worksheet", "worksheets/sheet1.xml"),
    "xl/worksheets/sheet1.xml": `${head}<worksheet xmlns="${formats}/spreadsheetml/2006/main"><dimension ref="A1"/><sheetData/></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));
}
