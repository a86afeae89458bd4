/** Adds styles as a constructed sheet. Such a sheet needs no permission of the page's Content-Security-Policy. */
export function addStyles(shadow: ShadowRoot, css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet];
}
