// Writes a workbook, and reads it again.
import {
  excel_create_table,
  excel_describe_sheets,
  excel_read_sheet,
  excel_write_to_sheet,
} from "@codemode/servers/excel";
import { list_allowed_directories } from "@codemode/servers/filesystem";

const [, folder = ""] = (await list_allowed_directories()).content.split("\n");
const fileAbsolutePath = `${folder}/book.xlsx`;
const values = [
  ["item", "price"],
  ["pen", 2.5],
  ["book", 10],
];
const written = await excel_write_to_sheet({
  fileAbsolutePath,
  sheetName: "Sheet1",
  newSheet: false,
  range: "A1:B3",
  values,
});
await excel_create_table({ fileAbsolutePath, sheetName: "Sheet1", range: "A1:B3", tableName: "Prices" });

const { sheets } = JSON.parse(await excel_describe_sheets({ fileAbsolutePath }));
const texts: string[] = [];
for (const sheet of sheets) {
  for (const range of sheet.pagingRanges) {
    texts.push(await excel_read_sheet({ fileAbsolutePath, sheetName: sheet.name, range }));
  }
}
export default {
  written: written.includes("A1:B3"),
  tables: sheets.flatMap(({ tables }) => tables.map(({ name }) => name)),
  hasBook: texts.every((text) => text.includes("book")),
};
