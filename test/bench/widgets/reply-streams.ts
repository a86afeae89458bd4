import type { IncomingMessage, ServerResponse } from 'node:http';
import { chunk, ending } from '../../support/scripted-model.ts';
import { replyOf, type ReplyTokens } from './reply-text.ts';

/** Pace and pieces are the same for everybody: two tokens every 5 ms, 400 tokens a second. */
const tokensPerPiece = 2;
const pieceEveryMs = 5;

/** What a user asks in order to get the long reply of the measurement, or the short one. */
export const questions = { long: 'Tell me everything.', short: 'Tell me briefly.' } as const;
/** The number of tokens in each reply. */
export const replyLengths = { long: 4000, short: 400 } as const;

/** How a product wants to be answered. */
interface ReplyFormat {
  readonly contentType: string;
  readonly before: string;
  readonly piece: (text: string) => string;
  readonly after: string;
}

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const run = { threadId: 'thread', runId: 'run' };
const agUiMessage = { messageId: 'reply' };

const formats: Readonly<Record<string, ReplyFormat>> = {
  '/replies/text': { contentType: 'text/plain; charset=utf-8', before: '', piece: (text) => text, after: '' },
  '/replies/deep-chat': {
    contentType: 'text/event-stream',
    before: '',
    piece: (text) => event({ text }),
    after: '',
  },
  '/replies/ag-ui': {
    contentType: 'text/event-stream',
    before:
      event({ type: 'RUN_STARTED', ...run }) + event({ type: 'TEXT_MESSAGE_START', role: 'assistant', ...agUiMessage }),
    piece: (delta) => event({ type: 'TEXT_MESSAGE_CONTENT', delta, ...agUiMessage }),
    after: event({ type: 'TEXT_MESSAGE_END', ...agUiMessage }) + event({ type: 'RUN_FINISHED', ...run }),
  },
  '/v1/chat/completions': {
    contentType: 'text/event-stream',
    before: chunk({ role: 'assistant', content: '' }),
    piece: (content) => chunk({ content }),
    after: ending(),
  },
};

/** Answers a request for a reply; false when its path is none of ours. */
export async function answerWithReply(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const format = formats[request.url ?? ''];
  if (format === undefined) return false;
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
  // A product sends the whole conversation or the last message alone; a conversation here has one question.
  const isLong = Buffer.concat(parts).toString().includes(questions.long);
  response.writeHead(200, { 'content-type': format.contentType, 'cache-control': 'no-store' });
  response.write(format.before);
  await writePaced(response, replyOf(isLong ? replyLengths.long : replyLengths.short), format.piece);
  response.end(format.after);
  return true;
}

/** A late timer catches up: the reply takes the same time whoever reads it. */
function writePaced(response: ServerResponse, tokens: ReplyTokens, piece: ReplyFormat['piece']): Promise<void> {
  return new Promise((resolve) => {
    const start = performance.now();
    let next = 0;
    const timer = setInterval(() => {
      const due = Math.min(
        tokens.length,
        (Math.floor((performance.now() - start) / pieceEveryMs) + 1) * tokensPerPiece,
      );
      for (; next < due; next += tokensPerPiece)
        response.write(piece(tokens.slice(next, next + tokensPerPiece).join('')));
      if (next < tokens.length && !response.destroyed) return;
      clearInterval(timer);
      resolve();
    }, pieceEveryMs);
  });
}
