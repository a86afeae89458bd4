import { escaped } from '../shared/own-page.ts';

/** What the start page tells of the server. */
export interface StartPageFacts {
  /** `appName`. */
  readonly appName: string;
  /** Of the product. */
  readonly version: string;
  /** What everybody may use. */
  readonly open: readonly OpenPart[];
  /** The pages that there are. */
  readonly pages: readonly { readonly label: string; readonly path: string }[];
}

/** A part of the server, with the path under which programs find it. */
export interface OpenPart {
  readonly label: string;
  readonly path: string;
}

/** The inside of the page that a browser gets at the root of the server. */
export function startPage({ appName, version, open, pages }: StartPageFacts): string {
  const links = pages.map(({ label, path }) => `<li><a href="${escaped(path)}">${escaped(label)}</a></li>`);
  const parts = open.map(
    ({ label, path }) => `<div><dt>${escaped(label)}</dt><dd><code>${escaped(path)}</code></dd></div>`,
  );
  return [
    `<div class="card"><p class="eyebrow">Helper ${escaped(version)}</p><h1 dir="auto">${escaped(appName)}</h1>`,
    '<p>This is the server of an assistant. It runs.</p>',
    `<ul>${links.join('')}</ul>`,
    parts.length === 0
      ? '<p class="small">Everything else needs a sign-in.</p>'
      : `<h2>Open to everyone</h2><dl>${parts.join('')}</dl>`,
    '</div>',
  ].join('');
}
