import { SECTIONS_2_AND_3 } from "./requirements/section-2-and-3.ts";
import { SECTION_4 } from "./requirements/section-4.ts";
import { SECTION_5 } from "./requirements/section-5.ts";
import { SECTION_6 } from "./requirements/section-6.ts";
import { SECTION_7 } from "./requirements/section-7.ts";
import { SECTIONS_8_TO_12 } from "./requirements/sections-8-to-12.ts";

/**
 * The MUSTs of the specification that a program can be held to: sections 2 to 12, and the fresh sandbox of 1.4. In its words where
 * they are short enough. A test cites one by its key in square brackets in the test's name; a key begins with its section.
 */
export const REQUIREMENTS: Readonly<Record<string, string>> = {
  ...SECTIONS_2_AND_3,
  ...SECTION_4,
  ...SECTION_5,
  ...SECTION_6,
  ...SECTION_7,
  ...SECTIONS_8_TO_12,
};
