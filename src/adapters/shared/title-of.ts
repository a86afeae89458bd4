/** The title for people of a tool whose author gave none: `close_case` becomes "Close case". */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
