import { readFileSync } from "node:fs";

/** A bill of materials of CycloneDX, as far as a page shows it. */
export interface Bill {
  metadata: { component: { name: string } };
  components: Component[];
}

interface Component {
  name: string;
  version: string;
  /** An identifier or an expression of SPDX. */
  licenses: { license?: { id: string }; expression?: string }[];
}

/** The bills of the packages whose programs are linked, as they are built. */
export const BILLS = ["dist/sbom.cdx.json", "openapi/dist/sbom.cdx.json"];

export const readBill = (path: string): Bill => JSON.parse(readFileSync(path, "utf8")) as Bill;

/** What is linked into each published package, by licence. */
export function printLinked(): string {
  const lines = BILLS.map(readBill).flatMap(({ metadata, components }) => {
    const licenses = [...new Set(components.map(licenseOf))].toSorted();
    return licenses.map((license) => {
      const linked = components.filter((component) => licenseOf(component) === license);
      const names = linked.map(({ name, version }) => `${name} ${version}`).toSorted();
      return `- \`${metadata.component.name}\`, ${license}: ${names.join(", ")}`;
    });
  });
  return lines.join("\n");
}

export function licenseOf({ licenses: [first] }: Component): string {
  return first?.license?.id ?? first?.expression ?? "";
}
