/** What the page of a question adds to the style of all pages of this server. */
export const pageStyle = `
:root { --on-accent: oklch(from var(--accent) clamp(0, (.65 - l) * 999, 1) 0 0); }
dl { display: grid; gap: .375rem; margin: 1rem 0; padding: .625rem .75rem; border-radius: .625rem; background: var(--surface); }
dl > div { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; justify-content: space-between; }
dt { color: var(--muted); font-size: .875rem; overflow-wrap: anywhere; }
dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
code, mark { font-size: .875rem; border-radius: .25rem; padding: 0 .25rem; background: var(--mark); color: inherit; }
mark { display: inline-block; margin-inline-start: .5rem; }
.warning { background: var(--bad-bg); color: var(--bad); border-radius: .625rem; padding: .5rem .75rem; font-weight: 600; }
.read { border: 1px solid var(--edge); border-inline-start-width: .25rem; border-radius: .625rem; padding: .5rem .75rem; margin: .75rem 0; }
.read p { margin: 0; }
.foreign { background: var(--mark); border-radius: .625rem; padding: .5rem .75rem; }
details ul { margin: 0; padding-inline-start: 1.25rem; }
summary { min-height: 2rem; color: var(--muted); cursor: pointer; }
q { display: inline-block; max-width: 100%; overflow: hidden; overflow-wrap: anywhere; vertical-align: bottom; border: 1px solid var(--edge);
  border-radius: .375rem; padding: 0 .375rem; margin: .125rem 0; color: var(--muted); }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0 .75rem; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.25rem; border-radius: 999px; border: 1px solid var(--edge);
  background: var(--bg); color: var(--ink); cursor: pointer; }
.approve { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.approve.danger { background: var(--bad); border-color: var(--bad); color: var(--bad-bg); }
`;
