import { readerOf } from '../identity/may-read.ts';
import type { Principal } from '../identity/principal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Skill } from '../ports/skill-source.ts';
import type { Skills } from '../skills/live-skills.ts';

/** Milliseconds for which requests share a reading, where each conversation has its own: requests have no conversation. */
const sharedMs = 5_000;

/** The skills for callers that come without a turn (contract/mcp-server.md#skills). */
export class DirectSkills {
  #reading: { readonly key: object; readonly until: number } | undefined;

  /** The skills that this user may see, by name. */
  async offeredTo(
    principal: Principal,
    { skills, clock }: { readonly skills: Skills; readonly clock: Clock },
  ): Promise<readonly Skill[]> {
    const now = clock.elapsed();
    if (this.#reading === undefined || this.#reading.until <= now) this.#reading = { key: {}, until: now + sharedMs };
    const list = await skills.of(this.#reading.key);
    return list.visibleTo(readerOf(principal));
  }
}
