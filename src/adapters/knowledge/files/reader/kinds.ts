/** The formats that are read, by the ending of the file. */
export const kindOfEnding = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'mdx',
  '.txt': 'text',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.pdf': 'pdf',
  '.docx': 'docx',
  '.docm': 'docx',
  '.xlsx': 'xlsx',
  '.xlsm': 'xlsx',
  '.pptx': 'pptx',
  '.pptm': 'pptx',
  '.odt': 'odf',
  '.ods': 'odf',
  '.odp': 'odf',
  '.epub': 'epub',
  '.rtf': 'rtf',
  '.eml': 'eml',
  '.csv': 'csv',
  '.tsv': 'tsv',
} as const;

export type Kind = (typeof kindOfEnding)[keyof typeof kindOfEnding];

const kinds: ReadonlyMap<string, Kind> = new Map(Object.entries(kindOfEnding));

/** What to do with files of kinds that people often put into a folder of documents, and that are not read. */
const advice: ReadonlyMap<string, string> = new Map([
  ...['.doc', '.dot', '.wps', '.pages', '.wpd'].map((ending) => [ending, 'save it as .docx'] as const),
  ...['.xls', '.xlsb', '.numbers'].map((ending) => [ending, 'save it as .xlsx'] as const),
  ...['.ppt', '.key'].map((ending) => [ending, 'save it as .pptx'] as const),
  ['.msg', 'save it as .eml'] as const,
  ...['.zip', '.7z', '.rar', '.gz', '.tar', '.tgz'].map((ending) => [ending, 'unpack it'] as const),
  ...['.rst', '.adoc', '.asciidoc', '.org', '.tex'].map((ending) => [ending, 'convert it to .md or .html'] as const),
]);

/** The format of a file. Undefined: files with this ending are not read. */
export function kindOf(ending: string): Kind | undefined {
  return kinds.get(ending.toLowerCase());
}

/** Why a file is passed over. Completes a sentence that begins with "it". */
export function passedOverBecause(ending: string): string {
  const known = advice.get(ending.toLowerCase());
  const kind = /^\.[\p{L}\p{N}_+-]{1,20}$/u.test(ending)
    ? `of a kind that is not read (${ending.toLowerCase()})`
    : 'of no kind that is read';
  return known === undefined ? `is ${kind}` : `is ${kind}: ${known}`;
}
