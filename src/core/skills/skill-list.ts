import { mayRead, type Reader } from '../identity/may-read.ts';
import type { Skill } from '../ports/skill-source.ts';
import { OfferedSkills } from './offered-skills.ts';

/** All skills of one reading. Names are unique. */
export class SkillList {
  readonly #skills: readonly Skill[];
  /** Offered skills by their names. Users with the same skills share one object, and so everything that is derived from it. */
  readonly #offered = new Map<string, OfferedSkills>();

  constructor(skills: readonly Skill[]) {
    this.#skills = skills.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** The skills that this reader may know of (contract/skills.md#access), by name. */
  visibleTo(reader: Reader): readonly Skill[] {
    return this.#skills.filter((skill) => mayRead(skill, reader));
  }

  /** The skills that this reader may know of, as a turn offers them. */
  offeredTo(reader: Reader): OfferedSkills {
    const own = this.visibleTo(reader);
    const key = own.map(({ name }) => name).join('\n');
    const offered = this.#offered.get(key) ?? new OfferedSkills(own);
    this.#offered.set(key, offered);
    return offered;
  }
}
