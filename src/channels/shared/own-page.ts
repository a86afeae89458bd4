import { createHash } from 'node:crypto';

/** A page that this server writes itself: HTML without scripts, in the colours of the widget. */
export interface OwnPage {
  /** Language tag. */
  readonly locale: string;
  readonly title: string;
  /** HTML. */
  readonly body: string;
}

/** How the pages of a channel look, and the policy under which browsers show them. */
export interface OwnPageLook {
  readonly html: (page: OwnPage) => string;
  /** The Content-Security-Policy: the style of these pages and forms to this server. No website may frame them. */
  readonly policy: string;
}

/** `primaryColor`: the accent of the widget; null takes that of its theme. `style`: what the pages of the channel add. */
export function ownPageLook({
  primaryColor,
  style,
}: {
  readonly primaryColor: string | null;
  readonly style: string;
}): OwnPageLook {
  const accent = primaryColor === null ? '' : `:root { --accent: ${primaryColor}; --accent-text: var(--ink); }`;
  const whole = `${look}${accent}${style}`;
  const styleHash = createHash('sha256').update(whole).digest('base64');
  return {
    html: ({ locale, title, body }) =>
      [
        `<!doctype html><html lang="${locale}"><head><meta charset="utf-8">`,
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
        `<title>${escaped(title)}</title><link rel="icon" href="data:,"><style>${whole}</style></head>`,
        `<body><main>${body}</main></body></html>`,
      ].join(''),
    policy: [
      "default-src 'none'",
      'img-src data:',
      `style-src 'sha256-${styleHash}'`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
  };
}

/** The text for HTML, content and attributes alike. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

/** The names are those of the widget's stylesheets, and so are the colours. */
const look = `
:root { color-scheme: light dark; --accent: #4451d6; --accent-text: #4049c8; --ink: #1c2030; --muted: #5a6175; --border: #e1e4ed;
  --edge: #8a91a6; --page: #f3f4f9; --bg: #fff; --surface: #f3f4f9; --bad: #b3261e; --bad-bg: #fdf0ef; --mark: #fff7e8; }
@media (prefers-color-scheme: dark) { :root { --accent: #8f9bff; --accent-text: #a8b1ff; --ink: #eceef6; --muted: #a6acbe;
  --border: #2c303d; --edge: #7d8498; --page: #0d0f14; --bg: #14161d; --surface: #1f222c; --bad: #ffb4ab; --bad-bg: #3a1d1c;
  --mark: #33280f; } }
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1rem; }
.card { background: var(--bg); border: 1px solid var(--border); border-radius: 1.125rem; padding: 1.25rem; }
.eyebrow, .small { color: var(--muted); margin: 0; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: .25rem 0 .75rem; overflow-wrap: anywhere; }
p { margin: .75rem 0; overflow-wrap: anywhere; }
a { color: var(--accent-text); }
:focus-visible { outline: 3px solid var(--accent-text); outline-offset: 2px; }
`;
