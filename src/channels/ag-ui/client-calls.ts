import { UiActionFault } from '../../core/ui-actions/ui-action-fault.ts';
import type { UiAction, UiActionRequest, UiActions } from '../../core/request/ui-actions.ts';
import { isCrowded } from '../shared/crowded-json.ts';
import type { ClientTools } from './client-tools.ts';

/** How long a client may take for its answer (contract/ui-actions.md). */
const timeoutMs = 30_000;

/** A call of a tool of the client, by the name that the client knows. */
export interface ClientCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a client says a tool of its own has come to. */
export interface ClientAnswer {
  readonly content: string;
  /** The words of a tool that has failed. */
  readonly error?: string | undefined;
}

export interface ClientCallsOptions {
  readonly tools: ClientTools;
  /** A call has come that the client is to be told. */
  readonly onCall: () => void;
  /** The client has not answered in time. */
  readonly onTimeout: () => void;
}

interface WaitingCall extends ClientCall {
  isTold: boolean;
  readonly take: (answer: ClientAnswer) => void;
}

/** The calls of one turn that its client runs. The answer comes with another request (contract/ag-ui.md#tools-of-the-client). */
export class ClientCalls implements UiActions {
  readonly #options: ClientCallsOptions;
  readonly #waiting = new Map<string, WaitingCall>();

  constructor(options: ClientCallsOptions) {
    this.#options = options;
  }

  get offered(): readonly UiAction[] {
    return this.#options.tools.offered;
  }

  /** The ids of the calls that wait for the client. */
  get waiting(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  async run({ callId, name, arguments: values }: UiActionRequest, signal: AbortSignal): Promise<unknown> {
    const { tools, onCall, onTimeout } = this.#options;
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<ClientAnswer>();
    const call: WaitingCall = { callId, name: tools.nameOf(name), arguments: values, isTold: false, take: resolve };
    const timeout = setTimeout(() => {
      this.#waiting.delete(callId);
      reject(new UiActionFault(call.isTold ? 'timed-out' : 'absent'));
      onTimeout();
    }, timeoutMs);
    const onStop = (): void => {
      reject(signal.reason);
    };
    signal.addEventListener('abort', onStop, { once: true });
    this.#waiting.set(callId, call);
    onCall();
    try {
      return readAnswer(await promise);
    } finally {
      this.#waiting.delete(callId);
      clearTimeout(timeout);
      signal.removeEventListener('abort', onStop);
    }
  }

  /** The calls that the client was not told yet. It is told them now. */
  tell(): readonly ClientCall[] {
    const untold = [...this.#waiting.values()].filter(({ isTold }) => !isTold);
    for (const call of untold) call.isTold = true;
    return untold;
  }

  /** Takes the answer to a call. False: no such call waits. */
  answer(callId: string, answer: ClientAnswer): boolean {
    this.#waiting.get(callId)?.take(answer);
    return this.#waiting.delete(callId);
  }
}

/** Clients write what a tool has returned as text, and objects as JSON. */
function readAnswer({ content, error }: ClientAnswer): unknown {
  if (error !== undefined) throw new UiActionFault('failed', error);
  // The body was looked at before, but not what stands in a text of it.
  if (isCrowded(content)) return content;
  try {
    const value: unknown = JSON.parse(content);
    return value;
  } catch {
    return content;
  }
}
