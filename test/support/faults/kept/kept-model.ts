import { setTimeout as wait } from 'node:timers/promises';
import { type ModelScript, saying } from '../../scripted-model.ts';
import { clock } from '../clock.ts';
import type { Moments } from '../moments.ts';
import type { KeptSignal } from './kept-plan.ts';
import { type KeptRequest, marksIn } from './kept-record.ts';

/** The records into which the models write, and the time in milliseconds that the small model takes now. */
interface ModelWorld {
  readonly moments: Moments<KeptSignal>;
  readonly requests: KeptRequest[];
  readonly slowMs: () => number;
}

/**
 * Plays both models, which the model's name in the request tells apart. The main model replies to each message with the mark of its turn.
 * The small model finds the fact about the user in the message, or answers with a title.
 */
export function keptModel({ moments, requests, slowMs }: ModelWorld): ModelScript {
  return async (exchange) => {
    const messages = exchange.request.body['messages'] as readonly {
      readonly role: string;
      readonly content: unknown;
    }[]; // OpenAI's protocol has this shape
    const last = textOf(messages.findLast(({ role }) => role === 'user')?.content);
    const turn = marksIn(last).findLast((mark) => mark.startsWith('turn'));
    const model = exchange.model === 'small' ? 'small' : 'main';
    requests.push({ model, turn, marks: marksIn(textOf(messages)), at: clock() });
    if (model === 'main') {
      moments.note('the model is asked');
      await saying(`Well, ${(turn ?? 'nothing').replace('turn', 'reply')}.`)(exchange);
      return;
    }
    moments.note('facts are looked for');
    if (slowMs() > 0) await wait(slowMs());
    const isForFacts = textOf(messages).includes('You keep the memory');
    const told = /Remember (\d+q\d+q\d+)/.exec(last)?.[1];
    const add = told === undefined ? [] : [{ kind: 'fact', text: `Likes fact${told}.` }];
    const answer = isForFacts ? JSON.stringify({ add, update: [], delete: [] }) : `About ${turn ?? 'nothing'}`;
    await saying(answer)(exchange);
  };
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}
