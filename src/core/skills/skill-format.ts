import { oneLine } from '../base/one-line.ts';

/** Most characters of a name and of a description of a skill. */
export const skillLengths = { name: 64, description: 1_024 } as const;

const namePattern = /^[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{Nd}]+(?:-[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{Nd}]+)*$/u;

/** Whether a text may be the name of a skill (contract/skills.md#files). */
export function isSkillName(name: string): boolean {
  return name.length <= skillLengths.name && namePattern.test(name);
}

/** The rule for names of skills, in words for a fault. */
export const skillNameRule = `lower-case letters and digits with single hyphens between, at most ${String(skillLengths.name)}`;

/** A description as the model reads it: one line. */
export function plainDescription(text: string): string {
  return oneLine(text);
}
