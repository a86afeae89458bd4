import { mayRead, type Reader } from '../identity/may-read.ts';
import type { Skill } from '../ports/skill-source.ts';
import { OfferedSkills } from './offered-skills.ts';

/** All skills of one reading. Names are unique. */
export class SkillList {
  readonly #skills: readonly Skill[];
  /** By the names of those that are offered: users with the same skills share what is made of them. */
  readonly #offered = new Map<string, OfferedSkills>();

  constructor(skills: readonly Skill[]) {
    this.#skills = skills.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Those that this reader may know of (contract/skills.md#access). */
  offeredTo(reader: Reader): OfferedSkills {
    const own = this.#skills.filter((skill) => mayRead(skill, reader));
    const key = own.map(({ name }) => name).join('\n');
    const offered = this.#offered.get(key) ?? new OfferedSkills(own);
    this.#offered.set(key, offered);
    return offered;
  }
}
