import type { User } from './clients.ts';
import type { SeenTurn } from './seen.ts';

/** Who may answer a turn's questions (contract/identity.md#whose-it-is). */
export function mayAnswer(by: User, { place, user }: SeenTurn): boolean {
  if (place.endsWith('(SSE)')) return true;
  return by === (user === 'ann' ? 'ann' : 'nobody');
}
