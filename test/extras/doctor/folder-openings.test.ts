import { expect, test } from "vitest";
import { findOpenings } from "../../../extras/doctor/folders.ts";

const folder = (uid: number, mode: number, isLink = false) => ({ uid, mode, isSymbolicLink: () => isLink });
const project = { user: 65_532, forbidden: 0o002, mayBeRoots: true };
const cache = { user: 65_532, forbidden: 0o077, mayBeRoots: false };

test("the record of a project may be root's, as in an image, and must not be a third account's or anyone's to write", () => {
  expect(findOpenings(folder(0, 0o755), project)).toEqual([]);
  expect(findOpenings(folder(65_532, 0o755), project)).toEqual([]);
  expect(findOpenings(folder(1000, 0o755), project)).toEqual(["another user"]);
  expect(findOpenings(folder(0, 0o757), project)).toEqual(["writers"]);
  expect(findOpenings(folder(0, 0o755, true), project)).toEqual(["a link"]);
});

test("a cache is written, so it has to be the user's own and closed", () => {
  expect(findOpenings(folder(65_532, 0o700), cache)).toEqual([]);
  expect(findOpenings(folder(0, 0o700), cache)).toEqual(["another user"]);
  expect(findOpenings(folder(65_532, 0o755), cache)).toEqual(["readers"]);
  expect(findOpenings(folder(1000, 0o777), { ...cache, user: undefined })).toEqual([]);
});
