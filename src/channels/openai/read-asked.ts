import type { Attachment } from '../../core/request/turn-request.ts';
import { contentOfAddress } from '../shared/attached-data.ts';
import { UnsupportedMember } from './openai-fault.ts';

/** A part of the content of a message, in the words of both endpoints. */
interface ContentPart {
  readonly type: string;
  readonly text?: string;
  /** Chat completions have an object, responses a text. */
  readonly image_url?: string | { readonly url: string };
  /** Chat completions have an object. */
  readonly file?: SentFile;
  /** Responses have the members of a file in the part itself. */
  readonly filename?: string;
  readonly file_data?: string;
}

interface SentFile {
  readonly filename?: string;
  readonly file_data?: string;
}

/** A message as a client sends it. */
export interface SentInput {
  readonly role?: string;
  readonly content?: string | readonly ContentPart[] | null;
}

/** What a request asks: the newest message of its user, and what the user has said before. */
export interface Asked {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly earlier: readonly string[];
}

/**
 * Reads the messages of the user. What the client says that others have said is left out: nothing tells whether it is true
 * (contract/openai.md#messages).
 * @throws UnsupportedMember where there is no message of a user, or content that this server does not take.
 */
export function readAsked(messages: readonly SentInput[], member: 'messages' | 'input'): Asked {
  const said = messages.flatMap((message, index) =>
    message.role === 'user' ? [{ ...contentOf(message, `${member}[${String(index)}]`) }] : [],
  );
  const newest = said.pop();
  if (newest === undefined || (newest.text === '' && newest.attachments.length === 0))
    throw new UnsupportedMember(member, `${member} must end with what the user asks.`);
  return { ...newest, earlier: said.map(({ text }) => text).filter((text) => text !== '') };
}

function contentOf({ content }: SentInput, member: string): Pick<Asked, 'text' | 'attachments'> {
  if (typeof content === 'string') return { text: content, attachments: [] };
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const part of content ?? []) {
    const { type, text = '', image_url: image } = part;
    if (type === 'text' || type === 'input_text') texts.push(text);
    else if ((type === 'image_url' || type === 'input_image') && image !== undefined)
      attachments.push(pictureIn(typeof image === 'string' ? image : image.url, member));
    else if (type === 'file' || type === 'input_file') attachments.push(fileIn(part.file ?? part, member));
    else throw new UnsupportedMember(`${member}.content`, `A part of the type ${type.slice(0, 40)} is not supported.`);
  }
  return { text: texts.join('\n'), attachments };
}

/** No address is fetched, so that nobody can have this server look at what only it can reach. */
function pictureIn(address: string, member: string): Attachment {
  const content = contentOfAddress(address);
  if (content?.contentType.startsWith('image/') !== true)
    throw new UnsupportedMember(`${member}.content`, 'A picture must be a data: address with base64 content.');
  return content;
}

/** No file is looked for by its id, since this server keeps none. */
function fileIn({ filename, file_data: address = '' }: SentFile, member: string): Attachment {
  const content = contentOfAddress(address);
  if (content === undefined)
    throw new UnsupportedMember(
      `${member}.content`,
      'file_data of a file must be a data: address with base64 content.',
    );
  return { ...(filename === undefined ? {} : { name: filename }), ...content };
}
