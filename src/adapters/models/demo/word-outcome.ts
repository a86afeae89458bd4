import { parsedJson } from '../json-values.ts';
import type { FinishedCall } from './conversation.ts';
import type { DemoOptions, DemoPage } from './demo-options.ts';
import { loadSkillName } from '../../../core/tools/tool-name.ts';
import { skillInstructions } from './fitting-skill.ts';
import { lengthOfList, markdownOf } from './markdown-data.ts';
import { navigationTool } from './plan-reply.ts';
import type { DemoTexts } from './demo-texts.ts';
import { demoTool } from './tool-schema.ts';
import { labelOf } from './words.ts';

const maxReasonLength = 300;

interface OutcomeContext extends Pick<DemoOptions, 'titleOf'> {
  readonly texts: DemoTexts;
  readonly pages: readonly DemoPage[];
}

/** Tells the outcome of a tool call: its result when it ran, and the plain truth when it did not (contract/confirmations.md#declining). */
export function wordOutcome(call: FinishedCall, context: OutcomeContext): string {
  const { texts } = context;
  switch (call.status) {
    case 'succeeded':
      return wordResult(call, context);
    case 'declined':
      return texts.declined;
    case 'refused':
      return texts.refused;
    case 'cancelled':
      return texts.cancelled;
    case 'unknown':
      return texts.unknown;
    case 'failed':
      return texts.failed(call.text.replace(/^The action failed: /, '').slice(0, maxReasonLength));
  }
}

function wordResult(call: FinishedCall, { texts, pages, titleOf }: OutcomeContext): string {
  if (call.name === navigationTool) {
    const page = pages.find(({ name }) => name === call.arguments['page']);
    return texts.opening(page?.title ?? String(call.arguments['page']));
  }
  if (call.name === loadSkillName) return skillInstructions(call.text);
  const value = parsedJson(call.text);
  // An outcome that is no JSON is a text of the action itself.
  const result = value === undefined ? call.text : value;
  const tool = demoTool({ name: call.name, description: '', parameters: {} });
  const label = titleOf(call.name) ?? tool.label;
  const isRead = tool.verbs.length > 0 && tool.verbs.every((verb) => verb === 'read');
  if (call.hasCard) return isRead ? wordsBesideCard(call, lengthOfList(result), texts) : texts.doneOnCard;
  const body = result === null || result === '' ? '' : markdownOf(result, texts);
  if (!isRead) return [texts.done(label), body].filter((part) => part !== '').join('\n\n');
  if (body === '') return texts.nothingFound;
  return body.startsWith('- ') ? `${texts.here}\n\n${body}` : body;
}

/** The words beside a card. The card shows every row, so the reply says only how many rows there are, or which thing it is. */
function wordsBesideCard(call: FinishedCall, count: number | undefined, texts: DemoTexts): string {
  if (count === 0) return texts.nothingFound;
  if (count !== undefined) return texts.onCard(count);
  const subjects = Object.entries(call.arguments)
    .filter(([, value]) => /^[\w-]{1,64}$/.test(String(value)))
    .map(([name, value]) => `${labelOf(name)} ${String(value)}.`);
  return [...subjects, texts.onCard(undefined)].join(' ');
}
