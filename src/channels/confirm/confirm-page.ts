import type { ShownQuestion } from '../../core/direct/asked-questions.ts';
import type { AskedInfluence, ConfirmationRequest, Repeated } from '../../core/events/turn-event.ts';
import { momentText } from '../../core/language/texts.ts';
import { languageOf } from '../../core/tools/action-words.ts';
import type { ConfirmTexts } from './texts/confirm-texts.ts';
import { filled, filledCount } from './texts/texts-for.ts';
import { escaped, type OwnPageLook } from '../shared/own-page.ts';
import { visibleHtml, visibleValue } from './visible-text.ts';

/** What every page of this channel says beside its question. */
export interface PageFrame {
  readonly texts: ConfirmTexts;
  /** `appName`. */
  readonly appName: string;
  readonly look: OwnPageLook;
}

/** The most characters that are shown of the name of a program. */
const longestProgram = 60;

/** The page of a question: the question itself while it is open, else how it ended. `userName`: who is signed in. */
export function questionPage(
  question: ShownQuestion,
  { userName, ...frame }: PageFrame & { userName: string },
): string {
  const { texts } = frame;
  const { proof, program } = question;
  const request = question.request && worded(question.request, texts);
  const title = request?.confirm?.title ?? request?.title ?? question.title;
  const body =
    request === undefined || proof === undefined
      ? `<p role="status">${visibleHtml(endOf(question, texts))}</p><p>${escaped(texts.close)}</p>`
      : openQuestion(request, { proof, program }, texts);
  const who = `<p class="small" dir="auto">${visibleHtml(filled(texts.signedInAs, { user: userName }))}</p>`;
  return page(title, body + who, frame);
}

/** A page that says why there is no question. `again`: whether opening the page again may help. */
export function refusalPage(sentence: string, { again, ...frame }: PageFrame & { readonly again: boolean }): string {
  // An empty address is that of the page itself. A browser sends cookies with it that it keeps from links of other websites.
  const link = again ? `<p><a href="">${escaped(frame.texts.again)}</a></p>` : '';
  return page(frame.texts.confirmTitle, `<p role="alert">${escaped(sentence)}</p>${link}`, frame);
}

/** Who asks. The name is a word of the program itself, and stands in a frame as all words of strangers. */
function askedBy(program: string | undefined, texts: ConfirmTexts): string {
  if (program === undefined) return `<p>${escaped(texts.program)}</p>`;
  const [before = '', after = ''] = texts.programNamed.split('{program}').map(escaped);
  const shown = Array.from(program).slice(0, longestProgram).join('');
  return `<p>${before}<q dir="auto">${visibleHtml(shown)}</q>${after}</p>`;
}

interface Asked {
  readonly proof: string;
  readonly program: string | undefined;
}

function openQuestion(request: ConfirmationRequest, { proof, program }: Asked, texts: ConfirmTexts): string {
  const { confirm = {}, description, destructive, expiresAt, reason, repeats } = request;
  const isDestructive = destructive === true;
  const until = expiresAt === undefined ? '' : filled(texts.confirmUntil, { time: momentText(texts, expiresAt) });
  return [
    argumentList(request, texts),
    askedBy(program, texts),
    repeats === undefined ? '' : `<p class="warning">${escaped(repeatedText(repeats, texts))}</p>`,
    isDestructive ? `<p class="warning">${escaped(texts.irreversible)}</p>` : '',
    '<form method="post">',
    `<input type="hidden" name="proof" value="${escaped(proof)}">`,
    `<button class="approve${isDestructive ? ' danger' : ''}" name="answer" value="approve">${visibleHtml(confirm.approve ?? texts.approve)}</button>`,
    `<button name="answer" value="decline">${visibleHtml(confirm.decline ?? texts.decline)}</button>`,
    '</form>',
    until === '' ? '' : `<p class="small">${escaped(until)}</p>`,
    description === '' ? '' : `<p dir="auto">${visibleHtml(description)}</p>`,
    reason === 'influenced' ? `<p>${escaped(texts.influenced)}</p>` : '',
    basedOn(request, texts),
  ].join('');
}

/** The question in the language of the page, as far as the action has words in it. */
function worded(request: ConfirmationRequest, { locale }: ConfirmTexts): ConfirmationRequest {
  const words = request.languages?.[languageOf(locale)];
  if (words === undefined) return request;
  const { labels = {}, confirm, ...others } = words;
  const asked = request.arguments.map((argument) => {
    const label = Object.hasOwn(labels, argument.name) ? labels[argument.name] : undefined;
    return label === undefined ? argument : { ...argument, label };
  });
  return { ...request, ...others, confirm: { ...request.confirm, ...confirm }, arguments: asked };
}

/** Says that the same was done, tried or asked for before. */
function repeatedText({ state, at }: Repeated, texts: ConfirmTexts): string {
  return filled(texts.repeats[state], { time: momentText(texts, at) });
}

/**
 * The texts that the assistant has read before it asks, folded to one line (contract/mcp-server.md#the-page). Only where a value is not from
 * the user a sentence above it says which, and from where.
 */
function basedOn({ influencedBy = [], arguments: values }: ConfirmationRequest, texts: ConfirmTexts): string {
  const { foreignValues, unknownSource, locale } = texts;
  const foreign = values.flatMap(({ name, label, notFromUser }) => {
    const found = influencedBy.filter(({ foundIn = [] }) => foundIn.includes(name));
    const source = sourcesOf(found, texts).join(', ');
    if (source === '' && notFromUser !== true) return [];
    return [`${visibleHtml(label)} (${source || escaped(unknownSource)})`];
  });
  const said = filled(foreignValues, { values: new Intl.ListFormat(locale).format(foreign) });
  const sources = sourcesOf(influencedBy, texts);
  const summary = escaped(filledCount(texts.basedOn, sources.length, texts));
  const items = sources.map((source) => `<li>${source}</li>`).join('');
  return [
    foreign.length === 0 ? '' : `<p class="foreign" dir="auto">${said}</p>`,
    items === '' ? '' : `<details><summary>${summary}</summary><ul>${items}</ul></details>`,
  ].join('');
}

/**
 * The sources as HTML, each once. Their titles are words of strangers. Each stands in quotes of its own, so that none can pass for a sentence
 * of this page.
 */
function sourcesOf(influences: readonly AskedInfluence[], { origins }: ConfirmTexts): readonly string[] {
  const sources = influences.flatMap(({ origin, title, silent }) => {
    // Texts of the user and of the operator are no influences.
    if (silent === true || origin === 'user' || origin === 'operator') return [];
    const named = title === undefined ? '' : ` <q dir="auto">${visibleHtml(title)}</q>`;
    return [`${escaped(origins[origin])}${named}`];
  });
  return [...new Set(sources)];
}

function argumentList({ arguments: values }: ConfirmationRequest, texts: ConfirmTexts): string {
  const [declared, undeclared] = [false, true].map((isUndeclared) =>
    valueList(
      values.filter((value) => (value.undeclared === true) === isUndeclared),
      texts,
    ),
  );
  // The names are words of whoever asks. In their frame none can pass for a word of the action.
  const framed = undeclared && `<div class="read"><p>${escaped(texts.undeclared)}</p>${undeclared}</div>`;
  return `${declared ?? ''}${framed ?? ''}`;
}

function valueList(values: ConfirmationRequest['arguments'], texts: ConfirmTexts): string {
  if (values.length === 0) return '';
  const rows = values.map((argument) => {
    const { label, notFromUser: isForeign } = argument;
    const mark = isForeign === true ? `<mark>${escaped(texts.notFromUser)}</mark>` : '';
    return `<div><dt dir="auto">${visibleHtml(label)}</dt><dd dir="auto">${visibleValue(argument, texts)}${mark}</dd></div>`;
  });
  return `<dl>${rows.join('')}</dl>`;
}

function endOf({ outcome, action, title, isRunning }: ShownQuestion, texts: ConfirmTexts): string {
  if (outcome === 'open') return texts.gone;
  if (outcome !== 'approved') return texts.outcome[outcome];
  if (action !== undefined) return filled(texts.ended[action.status], { action: title });
  return isRunning ? texts.running : texts.waits;
}

function page(title: string, body: string, { texts, appName, look }: PageFrame): string {
  const { locale, confirmTitle } = texts;
  const eyebrow = `<p class="eyebrow" dir="auto">${escaped(`${appName} – ${confirmTitle}`)}</p>`;
  return look.html({
    locale,
    title: `${confirmTitle} – ${appName}`,
    body: `<div class="card">${eyebrow}<h1 dir="auto">${visibleHtml(title)}</h1>${body}</div>`,
  });
}
