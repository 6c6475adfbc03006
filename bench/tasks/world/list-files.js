/** The text files of the world by their path, the same in each run. */
export function listFiles() {
  return {
    "notes/todo.md": "# To do\n\n- call the bakery\n- count the honey\n- send the winter prices\n- book the van\n",
    "config/eu.json": printJson({ region: "eu", currency: "EUR", vat: 20, warehouse: "Graz" }),
    "config/us.json": printJson({ region: "us", currency: "USD", vat: 7, warehouse: "Salem" }),
    "config/asia.json": printJson({ region: "asia", currency: "SGD", vat: 9, warehouse: "Jurong" }),
    "retire.txt": "Morning Tea\nGarden Coffee\nHarbour Bread\nWinter Cheese\nValley Honey\nOld Town Fruit\n",
    ...numbered(6, (number) => [
      `inbox/2025-0${number}-sales.txt`,
      `Sales of month ${number}\nTotal: ${number * 1210 + 35}\n`,
    ]),
    ...numbered(12, (number) => [`invoices/INV-${1000 + number}.txt`, printInvoice(number)]),
    ...numbered(10, (number) => [`logs/app-${String(number).padStart(2, "0")}.log`, printLog(number)]),
    ...listTrail(),
    ...listImports(),
    "reports/README.md": "Reports are written here.\n",
  };
}

function numbered(count, make) {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => make(index + 1)));
}

function printInvoice(number) {
  const terms = "Payable within 30 days without deduction. Please name the number of the invoice in your transfer.";
  const lines = Array.from({ length: 6 }, (_, index) => `Item ${index + 1}: ${number + index} pieces`);
  return `Invoice INV-${1000 + number}\nStatus: ${number % 4 === 0 ? "open" : "paid"}\n${lines.join("\n")}\nAmount: ${number * 113}.50\n${terms}\n`;
}

/** 60 lines, of which a few are errors. */
function printLog(number) {
  const lines = Array.from({ length: 60 }, (_, index) => {
    const time = `2025-06-${String(number).padStart(2, "0")}T08:${String(index).padStart(2, "0")}:00Z`;
    if ((index * number) % 17 === 3) return `${time} ERROR E${100 + ((index + number) % 5)} request failed`;
    return `${time} INFO request ${number * 100 + index} answered in ${(index * 7) % 90} ms`;
  });
  return `${lines.join("\n")}\n`;
}

/** Each file names the next one; the last one has a word. */
function listTrail() {
  const names = ["start", "kestrel", "walnut", "copper", "meadow", "lantern", "quartz", "harvest"];
  return Object.fromEntries(
    names.map((name, index) => {
      const next = names[index + 1];
      return [`trail/${name}.txt`, next === undefined ? "The word is: marzipan\n" : `Read on in ${next}.txt\n`];
    }),
  );
}

function listImports() {
  const regions = { north: 5, south: 7, west: 4 };
  return Object.fromEntries(
    Object.entries(regions).map(([region, count]) => {
      const rows = Array.from({ length: count }, (_, index) => `${region} shop ${index + 1},Graz,Austria`);
      return [`import/${region}.csv`, `name,city,country\n${rows.join("\n")}\n`];
    }),
  );
}

function printJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
