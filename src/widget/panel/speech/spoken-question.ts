import type { ConfirmationRequestedFields } from '../../../wire/hub-events.ts';
import { visibleParts, visibleValue } from '../../conversation/visible-text.ts';
import { fill, type WidgetTexts } from '../../texts/widget-texts.ts';
import { askerText, isForeign, originText, repeatedText } from '../state-texts.ts';

/** Characters. A longer value is shortened in speech. The question shows all of it. */
const longestValue = 80;
const mostValues = 8;

/** The announcement of a question: the action, its values, and the way to its buttons. */
export function spokenQuestion(request: ConfirmationRequestedFields, texts: WidgetTexts): string {
  const { title, arguments: asked, destructive } = request;
  const firstUndeclared = asked.find(({ undeclared }) => undeclared);
  const values = asked.slice(0, mostValues).map((argument) => {
    const { label, value, notFromUser } = argument;
    const mark = notFromUser ? ` (${texts.notFromUser})` : '';
    const sentence = argument === firstUndeclared ? `${texts.undeclared} ` : '';
    return `${sentence}${spoken(visibleParts(label))}: ${spoken(visibleValue(value))}${mark}. `;
  });
  // The assistant has read the page before most questions. This alone is not announced, because the user can read it in the question.
  const isTold = isForeign(request) || texts.reasons[request.reason] !== undefined;
  const told = [
    repeatedText(request, texts),
    askerText(request, texts),
    isTold ? originText(request, texts) : '',
  ].filter(Boolean);
  const origin = visibleParts(told.map((sentence) => `${sentence} `).join('')).map(({ text }) => text);
  const more = asked.length > mostValues ? '… ' : '';
  const warning = destructive ? `${texts.irreversible} ` : '';
  return fill(texts.confirmNeeded, {
    action: spoken(visibleParts(title)),
    values: values.join('') + more + warning + origin.join(''),
  });
}

function spoken(parts: readonly { readonly text: string }[]): string {
  const text = parts.map((part) => part.text).join('');
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
