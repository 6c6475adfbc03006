/**
 * A table of results as it is kept in results.json.
 * @typedef {{ value: number, low?: number, high?: number, samples?: number }} Measured quartiles where there are samples
 * @typedef {{ key: string, head: string, unit: string }} Column
 * @typedef {{ name: string, remark?: string, values?: Record<string, Measured | undefined>, error?: string }} Row
 * @typedef {{ id: string, title: string, load: number, columns: Column[], rows: Row[], remarkHead?: string, compared?: string[],
 *   note?: string }} Table
 */
import { load } from "./measure.js";

const TIME = [
  { key: "ms", head: "median ms", unit: "ms" },
  { key: "cpuMs", head: "CPU ms", unit: "ms" },
];

/** One row for each contender: median and processor time of a piece of work, compared with the first row. */
export function makeComparison(id, title, outcomes, { note, columns = [] } = {}) {
  const rows = [...outcomes].map(([name, { error, ...values }]) =>
    error === undefined ? { name, values } : { name, error },
  );
  return { id, title, load: load(), columns: [...TIME, ...columns], rows, compared: ["ms", "cpuMs"], note };
}

/** A table of single values: `values` of a row are numbers by the key of their column. */
export function makeTable(id, title, columns, rows, { note } = {}) {
  const toRow = ({ name, remark, values, error }) => ({
    name,
    remark,
    ...(error === undefined ? { values: mapValues(values, (value) => ({ value })) } : { error }),
  });
  return { id, title, load: load(), columns, rows: rows.map(toRow), note };
}

/** The figures of results: a map of id (table, row and column) to `{ value, unit, low, high, samples }`. */
export function listFigures({ sections }) {
  const tables = sections.flatMap((section) => section.tables);
  return new Map(
    tables.flatMap(({ id, columns, rows }) =>
      rows.flatMap(({ name, values = {} }) =>
        columns.flatMap(({ key, unit }) => {
          const measured = values[key];
          return measured === undefined ? [] : [[`${id}.${toSlug(name)}.${key}`, { ...measured, unit }]];
        }),
      ),
    ),
  );
}

/** Whether a run has the table of a figure, and not a reason in place of its row. */
export function isMeasured({ sections }, figureId) {
  const tables = sections.flatMap((section) => section.tables);
  const table = tables.find(({ id }) => figureId.startsWith(`${id}.`));
  const isOfRow = ({ name, error }) => error !== undefined && figureId.startsWith(`${table.id}.${toSlug(name)}.`);
  return table !== undefined && !table.rows.some(isOfRow);
}

/** "codemode library, realm" is `codemode-library-realm` in the id of a figure. */
function toSlug(name) {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
