import type { AskedInfluence, Influence } from '../events/turn-event.ts';
import { influenceOfDocument } from '../knowledge/documents-part.ts';
import { untrustedDocuments } from '../knowledge/documents-key.ts';
import { formOf, submittedText } from '../prompt/user-message.ts';
import { influenceKey, influenceOf, influencesOf, joinInfluences } from '../provenance/influences.ts';
import { WordForWord } from '../provenance/word-for-word.ts';
import { influenceOfOffer } from '../tools/toolbox.ts';
import { givenIn, mostValues, sourcesIn } from './call-provenance.ts';
import type { CheckedCall } from './tool-call.ts';
import { leavesOf } from './typed-by-user.ts';

/** A text of strangers, and the names under which a question tells of it. */
interface ForeignText {
  readonly influences: readonly Influence[];
  readonly has: (value: string) => boolean;
}

/** Origins whose texts are sent in one turn only. Later turns have what a reply took from them, and its influences. */
const passing: readonly Influence['origin'][] = ['document', 'web', 'page', 'remote'];

/**
 * The influences of a call, each with the arguments whose values stand in its text (contract/provenance.md#what-counts). A value that the
 * user or a trusted source has given as well is nobody else's. One character alone stands in nearly every text, so it counts for none.
 */
export function influencesWithValues(
  { tool, argumentsValue, scope }: Pick<CheckedCall, 'tool' | 'argumentsValue' | 'scope'>,
  influencedBy: readonly Influence[],
): readonly AskedInfluence[] {
  if (influencedBy.length === 0) return influencedBy;
  const isGiven = givenIn(scope);
  const values = Object.entries(argumentsValue)
    .flatMap(([name, value]) => leavesOf(value).map((text) => ({ name, text })))
    .filter(({ text }) => Array.from(text.trim()).length > 1)
    .slice(0, mostValues)
    .filter(({ text }) => !isGiven(text));
  if (values.length === 0) return influencedBy;
  const found = new Map<string, Set<string>>();
  const named: Influence[] = [];
  const lists = [presentTexts(tool.name, scope), pastReplies(scope)];
  for (const { name, text } of values) {
    const holding = lists.map((list) => list.filter(({ has }) => has(text))).find((list) => list.length > 0) ?? [];
    for (const influence of holding.flatMap(({ influences }) => influences)) {
      const key = influenceKey(influence);
      found.set(key, (found.get(key) ?? new Set()).add(name));
      named.push(influence);
    }
  }
  return joinInfluences(influencedBy, named).map((influence) => {
    const names = found.get(influenceKey(influence));
    const { silent: _, ...shown } = influence;
    return names === undefined ? influence : { ...shown, foundIn: [...names] };
  });
}

/** The texts of strangers that this turn has read, and the results of all turns. */
function presentTexts(called: string, { turn, read, agent }: CheckedCall['scope']): readonly ForeignText[] {
  const { page, message } = turn.request;
  const earlier = turn.options.history.map((kept) => kept.message);
  const results = sourcesIn([...new Set([...earlier, ...read])], (result) => {
    return influencesOf([result]).length === 0 ? [] : [result.text];
  });
  const forms = [formOf(message.cardSubmit), ...earlier.map(submittedText)].filter((form) => form !== '');
  const offers = agent.toolbox.tools.filter(({ name, source }) => source === 'mcp' && name !== called);
  return [
    ...(page?.data === undefined ? [] : [foreign(influenceOf('page', page.title ?? page.name), leavesOf(page.data))]),
    ...untrustedDocuments(turn.record).map((document) => {
      const { title, content, metadata = {} } = document;
      return foreign(influenceOfDocument(document), [title, content, ...Object.values(metadata)]);
    }),
    ...results.map(({ message: result, has }) => ({ influences: influencesOf([result]), has })),
    ...(forms.length === 0 ? [] : [foreign(influenceOf('action'), forms)]),
    ...influencesOf(read).flatMap((influence) => {
      const { origin, title = '' } = influence;
      return title !== '' && (origin === 'document' || origin === 'web') ? [foreign([influence], [title])] : [];
    }),
    ...offers.map((tool) => foreign(influenceOfOffer(tool), [tool.description, ...leavesOf(tool.parameters)])),
  ];
}

/** What was said in earlier turns under an influence whose text is not there any more. */
function pastReplies({ turn }: CheckedCall['scope']): readonly ForeignText[] {
  return turn.options.history.flatMap(({ message }) => {
    const influences = influencesOf([message]).filter(
      ({ origin, silent }) => silent !== true && passing.includes(origin),
    );
    return message.role === 'assistant' && influences.length > 0 ? [foreign(influences, [message.text])] : [];
  });
}

function foreign(influences: readonly Influence[], texts: readonly string[]): ForeignText {
  const words = new WordForWord(texts);
  return { influences, has: (value) => words.has(value) };
}
