import { HubSocket } from './hub-socket.ts';
import type { LoadConnection, LoadRun } from './load-run.ts';
import { ReplyCheck } from './reply-check.ts';
import { recordSeparator } from './verify-reply.ts';
import { clientTextFrame } from './web-socket-frames.ts';

const completionType = Buffer.from('"type":3');

function invocation(invocationId: string, target: string, values: readonly unknown[]): Buffer {
  return clientTextFrame(JSON.stringify({ type: 1, invocationId, target, arguments: values }) + recordSeparator);
}

const newConversation = invocation('c', 'NewConversation', []);

/**
 * One hub connection that sends message after message. Each message begins a new conversation, as each SSE request does,
 * or the growing history would be measured instead of the channel.
 */
export class HubLoadConnection implements LoadConnection {
  readonly #run: LoadRun;
  readonly #check: ReplyCheck;
  readonly #message: Buffer;
  #socket: HubSocket | undefined;
  #fresh = true;

  constructor(run: LoadRun, index: number) {
    this.#run = run;
    this.#check = new ReplyCheck(run, index);
    this.#message = invocation('m', 'SendMessage', [run.job.message]);
  }

  open(): Promise<void> {
    this.#socket = new HubSocket(this.#run.job, {
      records: (payload) => {
        this.#records(payload);
      },
      broken: (reason) => {
        this.#run.broken(reason);
      },
    });
    return this.#socket.opened();
  }

  send(): void {
    if (this.#fresh) this.#sendMessage();
    else this.#socket?.write(newConversation);
  }

  close(): void {
    this.#socket?.close();
  }

  #sendMessage(): void {
    this.#fresh = false;
    this.#check.begin();
    this.#socket?.write(this.#message);
  }

  #records(payload: Buffer): void {
    this.#check.take(payload);
    if (payload.includes(completionType)) this.#completions(payload.toString('utf8'));
  }

  #completions(records: string): void {
    for (const record of records.split(recordSeparator)) {
      if (!record.includes('"type":3')) continue;
      const completion: unknown = JSON.parse(record);
      if (!isCompletion(completion)) continue;
      if (completion.error !== undefined) this.#run.faults.push(`the hub answered ${completion.error}`);
      if (completion.invocationId === 'c') this.#sendMessage();
      else this.#replyEnded();
    }
  }

  #replyEnded(): void {
    this.#check.end((kept) => kept.toString('utf8'));
    this.#run.replyEnded(this);
  }
}

interface Completion {
  readonly type: 3;
  readonly invocationId: string;
  readonly error?: string;
}

function isCompletion(value: unknown): value is Completion {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 3 && 'invocationId' in value;
}
