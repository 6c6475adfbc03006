// index.d.ts
export { __meta__ } from "./meta.js";

// sha256-uOznYm3w48ywAKm3bnD7ZecWw0/4CuTZZCVvGEjljf0= of all files of the package
// 804f1d4b8311 index.js
// b477aa737b9c meta.d.ts
// d8bba1fcfa1c meta.js
// 54d40c760bf4 tools.json
