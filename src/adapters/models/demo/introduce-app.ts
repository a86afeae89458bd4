import type { DemoOptions, DemoPage } from './demo-options.ts';
import { navigationTool } from './plan-reply.ts';
import type { DemoTexts } from './demo-texts.ts';
import type { DemoTool } from './tool-schema.ts';

const maxListed = 12;

/** Tells the user what can be done here, from the list of tools and pages. Markdown. */
export function introduceAbilities(
  tools: readonly DemoTool[],
  {
    texts,
    pages,
    titleOf,
  }: Pick<DemoOptions, 'titleOf'> & {
    readonly texts: DemoTexts;
    readonly pages: readonly DemoPage[];
  },
): string {
  const doers = tools.filter(({ name }) => name !== navigationTool);
  const toolLines = doers
    .slice(0, maxListed)
    .map(({ name, label, description }) => `- **${titleOf(name) ?? label}**: ${firstSentence(description)}`);
  const hidden = doers.length - toolLines.length;
  const pageLines = (tools.length > doers.length ? pages : [])
    .slice(0, maxListed)
    .map(({ title, description }) => `- **${title}**: ${firstSentence(description)}`);
  return [
    toolLines.length === 0 ? texts.nothingToDo : [texts.abilities, '', ...toolLines].join('\n'),
    hidden > 0 ? texts.more(hidden) : '',
    pageLines.length === 0 ? '' : [texts.pages, '', ...pageLines].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function firstSentence(text: string): string {
  return (/^[^\n]*?[.!?。！？](?=\s|$)/u.exec(text)?.[0] ?? text.split('\n', 1)[0] ?? '').slice(0, 200);
}
