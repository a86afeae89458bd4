/** A tool's title for people when its author gave none: `close_case` is "Close case". */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
