/** Characters of a fact (contract/memory.md#facts). */
export const maxFactLength = 300;

/** Facts of one user that count; as many more that others took the place of are kept. */
export const maxFacts = 200;
