/** The key path of a tool or page where it is declared. */
export function pathInPages(kind: 'tool' | 'page', name: string): string {
  return kind === 'page' ? `pages.${name}` : name;
}
