/** A page without its fenced blocks. */
export function withoutBlocks(text: string): string {
  return text.replace(/^( *)```[\s\S]*?^\1```$/gm, '');
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...withoutBlocks(text).matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
