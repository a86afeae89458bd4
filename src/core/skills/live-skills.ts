import { SkillList } from './skill-list.ts';
import type { Skill } from '../ports/skill-source.ts';

/** Where the skills of a turn come from (contract/skills.md#refreshing). */
export interface Skills {
  /** The skills of a conversation. They are returned without a promise when they are already known. A promise never rejects. */
  of(conversation: object): SkillList | Promise<SkillList>;
}

/** The options of `LiveSkills`. */
export interface LiveSkillsOptions {
  /** Reads all skills. MUST NOT reject. */
  readonly read: () => Promise<readonly Skill[]>;
  /** Milliseconds for which one list is shared (`skillsRefreshInterval`); null: each conversation reads its own. */
  readonly refreshMs: number | null;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
}

/** Skills that are read again when `skillsRefreshInterval` says so. */
export class LiveSkills implements Skills {
  readonly #options: LiveSkillsOptions;
  readonly #own = new WeakMap<object, SkillList | Promise<SkillList>>();
  #shared: { readonly list: SkillList; readonly until: number } | undefined;
  #running: Promise<SkillList> | undefined;
  /** The reading that begins after the running one. All callers that came since the running one began share it. */
  #next: Promise<SkillList> | undefined;

  constructor(options: LiveSkillsOptions) {
    this.#options = options;
  }

  of(conversation: object): SkillList | Promise<SkillList> {
    return this.#options.refreshMs === null ? this.#ofOne(conversation) : this.#ofAll(this.#options.refreshMs);
  }

  #ofOne(conversation: object): SkillList | Promise<SkillList> {
    const known = this.#own.get(conversation);
    if (known !== undefined) return known;
    const reading = this.#readAnew();
    this.#own.set(conversation, reading);
    void reading.then((list) => this.#own.set(conversation, list));
    return reading;
  }

  #ofAll(refreshMs: number): SkillList | Promise<SkillList> {
    const { now } = this.#options;
    if (this.#shared !== undefined && now() < this.#shared.until) return this.#shared.list;
    const until = now() + refreshMs;
    return (this.#running ??= this.#run()).then((list) => {
      this.#shared = { list, until };
      return list;
    });
  }

  /** A reading that begins no earlier than this call. At most one reading runs and one waits, whatever the number of callers. */
  #readAnew(): Promise<SkillList> {
    if (this.#running === undefined) return (this.#running = this.#run());
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return (this.#running = this.#run());
    });
    return this.#next;
  }

  #run(): Promise<SkillList> {
    const reading: Promise<SkillList> = this.#options.read().then((skills) => {
      if (this.#running === reading) this.#running = undefined;
      return new SkillList(skills);
    });
    return reading;
  }
}
