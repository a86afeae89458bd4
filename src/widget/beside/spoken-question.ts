import type { ConfirmationRequestedFields } from '../../wire/hub-events.ts';
import { readableValue } from '../conversation/readable-value.ts';
import { visibleParts } from '../conversation/visible-text.ts';
import { fill, type WidgetTexts } from '../texts/widget-texts.ts';
import { askerText, originText, repeatedText } from '../panel/state-texts.ts';
import { worded } from '../panel/worded.ts';

/** Characters. A longer value is shortened in speech. The question shows all of it. */
const longestValue = 80;
const mostValues = 8;

/** The announcement of a question: the action, its values, and the way to its buttons. */
export function spokenQuestion(asking: ConfirmationRequestedFields, texts: WidgetTexts): string {
  const request = worded(asking, texts);
  const { title, confirm, arguments: asked, destructive } = request;
  const firstUndeclared = asked.find(({ undeclared }) => undeclared);
  const values = asked.slice(0, mostValues).map((argument) => {
    const { label, value, notFromUser } = argument;
    const mark = notFromUser ? ` (${texts.notFromUser})` : '';
    const sentence = argument === firstUndeclared ? `${texts.undeclared} ` : '';
    return `${sentence}${spoken(visibleParts(label))}: ${spoken(readableValue(value, argument, texts))}${mark}. `;
  });
  const told = [repeatedText(request, texts), askerText(request, texts), originText(request, texts)].filter(Boolean);
  const origin = visibleParts(told.map((sentence) => `${sentence} `).join('')).map(({ text }) => text);
  const more = asked.length > mostValues ? '… ' : '';
  const warning = destructive ? `${texts.irreversible} ` : '';
  return fill(texts.confirmNeeded, {
    // The text goes on with a full stop.
    action: spoken(visibleParts(confirm?.title ?? title)).replace(/[?？]$/u, ''),
    values: values.join('') + more + warning + origin.join(''),
  });
}

function spoken(parts: readonly { readonly text: string }[]): string {
  const text = parts.map((part) => part.text).join('');
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
