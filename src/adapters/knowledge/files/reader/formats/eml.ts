import { LeftOut, readLimits } from '../read-limits.ts';
import { type ReadableText, type Section } from '../section.ts';
import { readHtml } from './html/html.ts';
import { readText } from './text.ts';

const mostHeaderBytes = 512 * 1024;
const mostNames = 50;

/** Reads a mail: who wrote it to whom and when, its text, and the names of what is attached. What is attached is not read. */
export async function readEml(bytes: Buffer): Promise<ReadableText> {
  // The library is loaded only when there are mails.
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: readLimits.nestedMails,
    maxHeadersSize: mostHeaderBytes,
  }).catch((error: unknown) => {
    throw new LeftOut('is not a valid mail, or holds too many mails within each other', { cause: error });
  });
  if (mail.headers.length === 0) throw new LeftOut('is not a valid mail');
  const people = (
    all: readonly { readonly name?: string; readonly address?: string | undefined }[] | undefined,
  ): string =>
    (all ?? [])
      .slice(0, mostNames)
      .map(({ name = '', address = '' }) => `${name} <${address}>`.trim().replace(/ ?<>$/, ''))
      .join(', ');
  const facts = [
    ['From', mail.from === undefined ? '' : people([mail.from])],
    ['To', people(mail.to)],
    ['Cc', people(mail.cc)],
    ['Date', mail.date ?? ''],
    [
      'Attachments',
      mail.attachments
        .slice(0, mostNames)
        .flatMap(({ filename }) => filename ?? [])
        .join(', '),
    ],
  ].filter(([, value]) => value !== '');
  const head: Section = { path: [], text: facts.map(([name, value]) => `${name ?? ''}: ${value ?? ''}`).join('\n') };
  const body = bodyOf(mail.html, mail.text);
  return { title: mail.subject?.trim() || undefined, language: body.language, sections: [head, ...body.sections] };
}

/** The page of a mail says more than its text, because it has tables; but it may be empty. */
function bodyOf(html: string | undefined, text: string | undefined): ReadableText {
  if (html !== undefined) {
    try {
      return readHtml(html);
    } catch (error) {
      if (!(error instanceof LeftOut) || !/holds no text/.test(error.message)) throw error;
    }
  }
  return readText((text ?? '').replace(/\r\n?/g, '\n'));
}
