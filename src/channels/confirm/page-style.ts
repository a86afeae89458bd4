import { createHash } from 'node:crypto';

/** The style of the page. It stands in the page, and the policy of the page allows this text alone. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #23261f; --soft: #5d6257; --edge: #83887c; --line: #dfe1d8; --paper: #f6f6f1; --card: #fff;
  --leaf: #2f6a4f; --on-leaf: #fff; --bad: #8c1d14; --bad-bg: #fbe4e1; --mark: #fff1c2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9ebe4; --soft: #b0b6a8; --edge: #878d80; --line: #3a3f37; --paper: #171a16;
  --card: #20241f; --leaf: #8fd3ad; --on-leaf: #10201a; --bad: #ffc4bd; --bad-bg: #5a1c16; --mark: #4d4219; } }
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; }
.eyebrow, .small { color: var(--soft); margin: 0; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: .25rem 0 .75rem; overflow-wrap: anywhere; }
p { margin: .75rem 0; overflow-wrap: anywhere; }
dl { margin: 1rem 0; border-top: 1px solid var(--line); }
dl > div { padding: .5rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); overflow-wrap: anywhere; }
dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
code, mark { font-size: .875rem; border-radius: .25rem; padding: 0 .25rem; background: var(--mark); color: inherit; }
mark { display: inline-block; margin-inline-start: .5rem; }
.warning { background: var(--bad-bg); color: var(--bad); border-radius: .5rem; padding: .5rem .75rem; font-weight: 600; }
.read { border: 1px solid var(--edge); border-inline-start-width: .25rem; border-radius: .5rem; padding: .5rem .75rem; margin: .75rem 0; }
.read p, .read ul { margin: 0; }
.read ul { padding-inline-start: 1.25rem; }
q { display: inline-block; max-width: 100%; overflow: hidden; overflow-wrap: anywhere; vertical-align: bottom; border: 1px solid var(--edge);
  border-radius: .25rem; padding: 0 .375rem; margin: .125rem 0; color: var(--soft); }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0 .75rem; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.25rem; border-radius: .5rem; border: 1px solid var(--edge);
  background: var(--card); color: var(--ink); cursor: pointer; }
.approve { background: var(--leaf); border-color: var(--leaf); color: var(--on-leaf); }
.approve.danger { background: var(--bad); border-color: var(--bad); color: var(--bad-bg); }
a { color: var(--leaf); }
:focus-visible { outline: 3px solid var(--leaf); outline-offset: 2px; }
`;

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/** The Content-Security-Policy of the page: its own style, a form to this server, and nothing else. No website may frame the page. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
