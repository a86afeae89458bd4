/** What these pages add to the style of all pages of this server. */
export const pagesStyle = `
h2 { font-size: 1.125rem; margin: 1.5rem 0 .5rem; }
h3 { font-size: .875rem; margin: 1rem 0 .25rem; color: var(--muted); }
ul { padding-inline-start: 1.25rem; }
dl { margin: 0; }
dl > div { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: .375rem 0; border-top: 1px solid var(--border); }
dd { margin: 0; min-width: 0; }
code { font: .875em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.api { max-width: 52rem; margin: 0 auto; }
main:has(.api) { max-width: 56rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; padding: 0; }
.api details { background: var(--bg); border: 1px solid var(--border); border-radius: .75rem; margin: .5rem 0; }
.api summary { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; padding: .625rem .875rem; cursor: pointer; }
.api summary::before { content: '+'; width: .75rem; color: var(--muted); }
.api details[open] > summary::before { content: '–'; }
.api details > :not(summary) { margin-inline: .875rem; }
.api details > :last-child { margin-bottom: .875rem; }
.method { min-width: 3.5rem; font-weight: 700; color: var(--accent-text); }
summary > code { font-weight: 600; }
summary > span:last-child { color: var(--muted); }
.api ul.members { list-style: none; padding: 0; margin-block: .25rem; }
.members .members { padding-inline-start: .875rem; border-inline-start: 2px solid var(--border); }
.members li { padding: .25rem 0; overflow-wrap: anywhere; }
.type { color: var(--muted); }
.members p, .answer p { margin: 0; }
.answer { border-top: 1px solid var(--border); padding: .5rem 0; }
`;
