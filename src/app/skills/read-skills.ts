import { untilStopped } from '../../core/base/until-stopped.ts';
import type { Skill, SkillFault, SkillReading, SkillSource } from '../../core/ports/skill-source.ts';

/** Milliseconds for which a reading waits for a source. */
const longestMs = 5_000;

/**
 * A source of skills whose last answer stays valid while the source fails or does not answer. Only one reading at a time asks the source.
 */
export class PatientSource {
  readonly name: string;
  readonly #source: SkillSource;
  readonly #timeoutMs: number;
  #last: SkillReading = { skills: [], faults: [] };
  #running: Promise<SkillReading> | undefined;

  constructor(source: SkillSource, timeoutMs = longestMs) {
    this.name = source.name;
    this.#source = source;
    this.#timeoutMs = timeoutMs;
  }

  /** Never rejects. */
  async read(): Promise<SkillReading> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    try {
      this.#running ??= this.#source.read(signal).finally(() => {
        this.#running = undefined;
      });
      this.#last = await untilStopped(this.#running, signal);
      return this.#last;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const reason = signal.aborted ? `gave no skills within ${String(this.#timeoutMs)} ms` : `gave no skills: ${why}`;
      return { skills: this.#last.skills, faults: [{ place: this.name, reason, kind: 'ignored' }] };
    }
  }
}

/** A skill and the source that offers it. */
export interface FoundSkill {
  readonly skill: Skill;
  readonly source: string;
}

/** Decides whether a skill of `skillSources` is kept. */
export type SkillFilter = (found: FoundSkill) => boolean | Promise<boolean>;

/** The sources of a server, ordered: when several offer a skill of one name, the first wins. Only the sources after `own` are filtered. */
export interface OrderedSources {
  readonly own: readonly PatientSource[];
  readonly further: readonly PatientSource[];
  readonly keeps: SkillFilter;
}

/** Skills that serve, one of each name, and everything that is wrong. */
export interface ReadSkills {
  readonly found: readonly FoundSkill[];
  readonly faults: readonly SkillFault[];
}

/** Reads every source. The first skill of a name wins it (contract/skills.md#sources). Never rejects. */
export async function readSkills({ own, further, keeps }: OrderedSources): Promise<ReadSkills> {
  const read = await Promise.all([...own, ...further].map(async (source) => ({ source, ...(await source.read()) })));
  const faults = read.flatMap((reading) => reading.faults);
  const winners = new Map<string, FoundSkill>();
  for (const { source, skills } of read) {
    for (const skill of skills) {
      const found = { skill, source: source.name };
      if (further.includes(source) && !(await isKept(found, keeps, faults))) continue;
      const winner = winners.get(skill.name);
      if (winner === undefined) winners.set(skill.name, found);
      else faults.push(takenName(found, winner));
    }
  }
  return { found: [...winners.values()], faults };
}

/** Whether the filter keeps a skill. A skill whose filter throws is not offered. */
async function isKept(found: FoundSkill, keeps: SkillFilter, faults: SkillFault[]): Promise<boolean> {
  try {
    return await keeps(found);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    faults.push({
      place: `${found.source}: ${found.skill.name}`,
      reason: `skillFilter failed: ${why}`,
      kind: 'left-out',
    });
    return false;
  }
}

function takenName({ skill, source }: FoundSkill, winner: FoundSkill): SkillFault {
  return { place: `${source}: ${skill.name}`, reason: `has a name that ${winner.source} has taken`, kind: 'left-out' };
}
