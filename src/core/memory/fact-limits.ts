/** Characters of a fact (contract/memory.md#facts). */
export const maxFactLength = 300;

/** Most facts of one user that count. As many facts that newer ones have replaced are kept beside them. */
export const maxFacts = 200;
