import { mutantKinds, type Mutant } from './find-mutants.ts';

/** Which mutants are drawn of all that there are. */
interface Draw {
  readonly seed: number;
  readonly count: number;
}

/** As many mutants of each kind as there are, in an order that the seed decides. The same mutants and seed give the same draw. */
export function drawMutants(all: readonly Mutant[], { seed, count }: Draw): readonly Mutant[] {
  const random = randomOf(seed);
  const piles = mutantKinds.map((kind) => all.filter((mutant) => mutant.kind === kind));
  const drawn: Mutant[] = [];
  while (drawn.length < count && piles.some((pile) => pile.length > 0)) {
    for (const pile of piles) {
      const [mutant] = pile.splice(Math.floor(random() * pile.length), 1);
      if (mutant !== undefined && drawn.length < count) drawn.push(mutant);
    }
  }
  return drawn;
}

/** Numbers from 0 to below 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
