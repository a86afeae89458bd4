import { statementId } from './read-contract-page.ts';

/** The places to which a citation may lead. */
export interface CitedDocuments {
  /** The anchors of each page of the contract, by its name, such as `hub.md`. */
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
  /** The ids of the contract's statements. */
  readonly ids: ReadonlySet<string>;
  /** The names of all documents of the project, without their folders. */
  readonly documents: ReadonlySet<string>;
}

const ids = new RegExp(`\\b${statementId.source}\\b`, 'g');

/** The citations of a text whose target does not exist, one sentence for each. */
export function citationFaults(text: string, documents: CitedDocuments): readonly string[] {
  if (!text.includes('.md') && text.search(ids) < 0) return [];
  return text
    .split('\n')
    .flatMap((line, index) => faultsOf(line, documents).map((fault) => `${String(index + 1)}: ${fault}`));
}

function faultsOf(line: string, { anchors, ids: known, documents }: CitedDocuments): readonly string[] {
  const faults: string[] = [];
  for (const [id] of line.matchAll(ids)) if (!known.has(id)) faults.push(`${id}: no page states it`);
  if (!line.includes('.md')) return faults;
  for (const [cited, page = '', anchor] of line.matchAll(/\bcontract\/([\w-]+\.md)(?:#([\w-]+))?/g)) {
    const found = anchors.get(page);
    if (found === undefined) faults.push(`${cited}: there is no such page`);
    else if (anchor !== undefined && !found.has(anchor)) faults.push(`${cited}: the page has no such section`);
  }
  for (const [name] of line.matchAll(/[\w-]+\.md\b/g)) {
    if (!documents.has(name)) faults.push(`${name}: the project has no such document`);
  }
  for (const [cited] of line.matchAll(/[\w-]+\.md`? \d+(?:\.\d+)*/g)) {
    faults.push(`${cited}: sections are cited by their name, as in contract/hub.md#methods`);
  }
  return faults;
}
