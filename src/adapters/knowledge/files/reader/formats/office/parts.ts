import { posix } from 'node:path';
import { valueOf, xmlTree, xmlText, elementsIn } from './xml.ts';
import type { ZipFile } from './zip.ts';

/** A link of one part of an Office file to another one. */
export interface Relation {
  readonly id: string;
  /** The last word of the type, such as `slide` or `worksheet`. */
  readonly type: string;
  /** The name of the part. */
  readonly target: string;
}

/** The links of a part to others in the same file. Links to what is outside are left out. */
export function relationsOf(zip: ZipFile, part: string): readonly Relation[] {
  const folder = posix.dirname(part);
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const bytes = zip.read(name);
  if (bytes === undefined) return [];
  return [...elementsIn(xmlTree(xmlText(bytes)), 'Relationship')].flatMap(({ attributes }) => {
    if (valueOf(attributes, 'TargetMode') === 'External') return [];
    const written = valueOf(attributes, 'Target') ?? '';
    const target = written.startsWith('/') ? written.slice(1) : posix.join(folder, written);
    const type = (valueOf(attributes, 'Type') ?? '').split('/').at(-1) ?? '';
    return [{ id: valueOf(attributes, 'Id') ?? '', type, target }];
  });
}

/** The main part of an Office file: its document, workbook or presentation. */
export function mainPart(zip: ZipFile, usual: string): string {
  return relationsOf(zip, '').find(({ type }) => type === 'officeDocument')?.target ?? usual;
}

/** The text of a part. Undefined: there is no such part. */
export function partText(zip: ZipFile, name: string): string | undefined {
  const bytes = zip.read(name);
  return bytes === undefined ? undefined : xmlText(bytes);
}

/** The title that an Office file names among its properties. */
export function titleOf(zip: ZipFile, part = 'docProps/core.xml'): string | undefined {
  const text = partText(zip, part);
  if (text === undefined) return undefined;
  const [title] = elementsIn(xmlTree(text), 'title');
  return title?.text.replace(/\s+/g, ' ').trim() || undefined;
}
