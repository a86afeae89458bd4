/** What skills may cost. Whatever needs more is left out, and named with the limit. */
export const skillLimits = {
  /** Of one source. */
  skills: 200,
  /** Of a `SKILL.md`. */
  bytes: 128 * 1024,
  /** Of front matter. */
  frontMatterBytes: 16 * 1024,
  /** Of one file of a skill. */
  resourceBytes: 256 * 1024,
  /** Files of a skill that are named to the model. */
  resources: 100,
  /** Folders in one another within a skill. */
  depth: 5,
  /** Names that are looked at within a skill. */
  entries: 2_000,
} as const;

/** Why something of a skill is left out. The message completes "it …", for operators, without anything of its text. */
export class LeftOut extends Error {}
