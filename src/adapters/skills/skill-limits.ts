/** The limits of skills. Anything beyond a limit is left out, and the fault names the limit. */
export const skillLimits = {
  /** Skills of one source. */
  skills: 200,
  /** Bytes of a `SKILL.md`. */
  bytes: 128 * 1024,
  /** Bytes of front matter. */
  frontMatterBytes: 16 * 1024,
  /** Bytes of one file of a skill. */
  resourceBytes: 256 * 1024,
  /** Files of a skill whose names the model gets. */
  resources: 100,
  /** Levels of folders within a skill. */
  depth: 5,
  /** Names that are read within a skill. */
  entries: 2_000,
} as const;

/**
 * A part of a skill is left out. The message is for operators, completes a sentence that begins with "it", and holds nothing of the skill's
 * text.
 */
export class LeftOut extends Error {}
