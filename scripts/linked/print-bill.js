import { Enums, Models, Serialize, Spec, SPDX } from "@cyclonedx/cyclonedx-library";

/** The name of a package's software bill of materials. */
export const BILL = "sbom.cdx.json";

/**
 * The bill of materials of a published package (CycloneDX 1.6): the packages that are linked into it. What npm installs beside it has its own
 * place in `package.json`. Without dates and serial numbers, so that the same build gives the same bytes.
 *
 * @param {{ name: string, version: string, license: string }} itself
 * @param {readonly { name: string, version: string, license: string }[]} linked
 */
export function printBill(itself, linked) {
  const component = toComponent(Enums.ComponentType.Application, itself);
  const components = linked.map((one) => toComponent(Enums.ComponentType.Library, one));
  for (const { bomRef } of components) component.dependencies.add(bomRef);
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component }),
    components: new Models.ComponentRepository(components),
  });
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function toComponent(type, { name, version, license }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const known = SPDX.isSupportedSpdxId(license)
    ? new Models.SpdxLicense(license)
    : new Models.LicenseExpression(license);
  return new Models.Component(type, name, {
    ...{ version, purl, bomRef: purl },
    licenses: new Models.LicenseRepository([known]),
  });
}
