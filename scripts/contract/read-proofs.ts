import { statementId } from './read-contract-page.ts';
import { readTests } from './read-tests.ts';

/** A test that proves a statement of the contract. */
export interface Proof {
  /** The id of the statement. */
  readonly id: string;
  /** The title of the test, or of one row of its table. */
  readonly title: string;
  /** The line of the comment that says so. */
  readonly line: number;
}

export interface ReadProofs {
  readonly proofs: readonly Proof[];
  /** What is wrong with the comments, one sentence for each, which begins with the number of the line. */
  readonly faults: readonly string[];
}

/** Whatever may be meant as such a comment. */
const meant = /\/[/*]+\s*proves?\b/i;

const wellFormed = new RegExp(`^// proves (${statementId.source}(?:, ${statementId.source})*)$`);

const misplaced =
  'this is not like "// proves wire-4-03, wire-4-04", right above a test that runs or a row that completes its title';

/** Reads the comments `// proves wire-4-03, wire-4-04` of a source text. Each stands right above a test, or above a row of its table. */
export function readProofs(text: string): ReadProofs {
  if (!meant.test(text)) return { proofs: [], faults: [] };
  const read = new Set<number>();
  const proofs: Proof[] = [];
  const faults: string[] = [];
  for (const { title, comments } of readTests(text)) {
    for (const { text: comment, line } of comments) {
      const ids = wellFormed.exec(comment)?.[1]?.split(', ');
      if (ids === undefined) continue;
      read.add(line);
      proofs.push(...ids.map((id) => ({ id, title, line })));
      if (title.replaceAll(/%[a-z]/g, '').trim() === '') {
        faults.push(`${line}: the title ${JSON.stringify(title)} names no single test: prove it by a row`);
      }
    }
  }
  for (const [index, line] of text.split('\n').entries()) {
    if (meant.test(line) && !read.has(index + 1)) faults.push(`${index + 1}: ${misplaced}`);
  }
  return { proofs, faults };
}
