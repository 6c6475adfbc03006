// Looks at addresses, dates, colours and texts.
import {
  base64,
  char_info,
  color,
  count,
  cron_parse,
  date,
  hash,
  ip,
  jwt_decode,
  math,
  random,
  regex,
  semver,
  url_parse,
} from "@codemode/servers/calc";

const url = JSON.parse(await url_parse({ url: "https://ada@example.org:8443/a/b?page=2&size=10#top" }));
const network = JSON.parse(await ip({ action: "range", cidr: "192.168.0.0/29" }));
const schedule = JSON.parse(await cron_parse({ expression: "0 9 * * 1", timezone: "UTC" }));
const statistics = JSON.parse(await math({ action: "statistics", values: [1, 2, 3, 4] }));
const days = JSON.parse(await date({ action: "diff", date: "2026-01-01", date2: "2026-12-31" }));
const counted = JSON.parse(await count({ text: "one two three" }));
const version = JSON.parse(await semver({ action: "parse", version: "1.2.3-beta.1" }));
const letter = JSON.parse(await char_info({ char: "é" }));
const red = JSON.parse(await color({ color: "#ff0000" }));
const matches = JSON.parse(await regex({ action: "matchAll", pattern: "\\d+", text: "a1b22", flags: "g" }));
const token = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiJhZGEifQ", "c2ln"].join(".");
const claims = JSON.parse(await jwt_decode({ token }));

const digest = JSON.parse(await hash({ algorithm: "sha256", input: url.hostname }));
const encoded = await base64({ action: "encode", input: digest.hash });
const id = await random({ type: "uuid" });

export default {
  address: `${url.hostname}:${url.port ?? "443"}`,
  hosts: network.hostCount === network.totalAddresses - 2,
  next: schedule.nextOccurrences[0]?.slice(0, 10),
  spread: statistics.max - statistics.min + statistics.stddev,
  days: days.days > 360,
  words: counted.words,
  version: [version.major, version.minor, version.patch],
  letter: letter.flatMap(({ codePoints }) => codePoints.map(({ block }) => block)),
  red: red.values.r,
  matches: matches.matches.map(({ match, index }) => `${match} at ${index}`),
  algorithm: claims.header.alg,
  encoded: encoded.length,
  id: id.length,
};
