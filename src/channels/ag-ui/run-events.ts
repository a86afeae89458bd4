import { randomId } from '../../core/base/random-id.ts';
import { isPartError } from '../../core/errors/part-errors.ts';
import type { ConfirmationRequest, RecordedEvent, TurnEvent } from '../../core/events/turn-event.ts';
import { uiActionPrefix } from '../../core/tools/tool-name.ts';
import { hubEventNames } from '../shared/hub-event-names.ts';
import type { ClientCall } from './client-calls.ts';
import type { ClientTools } from './client-tools.ts';
import type { RunIds } from './run-ids.ts';

type Fields<Type extends TurnEvent['type']> = Omit<Extract<TurnEvent, { readonly type: Type }>, 'type'>;

/** An event of the protocol (AG-UI 1.0). Its members are those of `@ag-ui/core`, which the tests check. */
export type RunEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** How a turn came to its end. */
export type RunEnd = Fields<'turn-completed'> & { readonly message: string };

/**
 * Translates the events of one turn (contract/ag-ui.md#events). Text is in messages that never overlap a call, and a call is told once. It
 * holds over the runs that a turn takes.
 */
export class RunEvents {
  readonly #withdrawn: string;
  readonly #tools: Pick<ClientTools, 'has'>;
  readonly #questions = new Map<string, ConfirmationRequest>();
  readonly #asked = new Set<string>();
  readonly #toldCalls = new Set<string>();
  #messageId: string | undefined;
  /** What the user was told of the reply. */
  #reply = '';
  #message = '';
  #end: RunEnd | undefined;

  /** `withdrawn`: the sentence, in the configured language, that takes back what stands above it. */
  constructor(withdrawn: string, tools: Pick<ClientTools, 'has'>) {
    this.#withdrawn = withdrawn;
    this.#tools = tools;
  }

  /** Undefined while the turn runs. */
  get end(): RunEnd | undefined {
    return this.#end;
  }

  /** The questions that wait for the user. */
  get questions(): readonly ConfirmationRequest[] {
    return [...this.#questions.values()];
  }

  /** What a client is told of one event of the turn. A client of a version before 1.0 (`isOlder`) may not know spans of reasoning. */
  read({ type, json }: RecordedEvent, isOlder = false): readonly RunEvent[] {
    switch (type) {
      case 'text-delta': {
        const { text } = JSON.parse(json) as Fields<'text-delta'>; // as this server has written it
        return this.#said(text);
      }
      case 'thought-ready': {
        const { text } = JSON.parse(json) as Fields<'thought-ready'>; // likewise
        return isOlder ? [customOf(type, json)] : [...this.closed(), ...thoughtEvents(text)];
      }
      case 'text-replaced': {
        const { text } = JSON.parse(json) as Fields<'text-replaced'>; // likewise
        return this.#replaced(text);
      }
      case 'action-executing': {
        const { callId, action, arguments: value } = JSON.parse(json) as Fields<'action-executing'>; // likewise
        return this.#calledHere(callId, action, value);
      }
      case 'action-completed': {
        const { callId, action, status, message } = JSON.parse(json) as Fields<'action-completed'>; // likewise
        return this.#ended(callId, action, { status, ...(message === undefined ? {} : { message }) });
      }
      case 'confirmation-requested': {
        const request = JSON.parse(json) as Fields<'confirmation-requested'>; // likewise
        this.#questions.set(request.actionId, request);
        this.#asked.add(request.actionId);
        return this.#calledHere(request.callId, request.action, valuesOf(request));
      }
      case 'confirmation-resolved': {
        const { actionId } = JSON.parse(json) as Fields<'confirmation-resolved'>; // likewise
        this.#questions.delete(actionId);
        return [customOf(type, json)];
      }
      case 'turn-completed': {
        const ended = JSON.parse(json) as Fields<'turn-completed'>; // likewise
        this.#end = { ...ended, message: this.#message };
        const isFault = ended.status === 'failed' || ended.status === 'refused';
        // `RUN_ERROR` has no place for receipts.
        return isFault && ended.receipts !== undefined ? [...this.closed(), customOf(type, json)] : this.closed();
      }
      case 'error-occurred': {
        const { code, message } = JSON.parse(json) as Fields<'error-occurred'>; // likewise
        if (!isPartError(code)) this.#message = message;
        return [customOf(type, json)];
      }
      default:
        return [customOf(type, json)];
    }
  }

  /** Whether this question was asked in the turn. */
  hasAsked(actionId: string): boolean {
    return this.#asked.has(actionId);
  }

  /** A question that is answered asks no more, also before the turn says so. */
  answered(actionId: string): void {
    this.#questions.delete(actionId);
  }

  /** A call that the client itself is to run. TanStack AI runs what the second event tells, other clients the call itself. */
  called({ callId, name, arguments: values }: ClientCall): readonly RunEvent[] {
    const told = this.#called(callId, name, values);
    const input = { toolCallId: callId, toolName: name, input: values };
    return told.length === 0 ? [] : [...told, customEvent('tool-input-available', input)];
  }

  /** Ends the message that is open. */
  closed(): readonly RunEvent[] {
    const messageId = this.#messageId;
    this.#messageId = undefined;
    return messageId === undefined ? [] : [{ type: 'TEXT_MESSAGE_END', messageId }];
  }

  #said(delta: string): readonly RunEvent[] {
    if (delta === '') return [];
    this.#reply += delta;
    const opening = this.#messageId === undefined;
    const messageId = (this.#messageId ??= randomId());
    return [
      ...(opening ? [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }] : []),
      { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
    ];
  }

  /** What a client has read cannot be taken back, so it is told that it does not hold. */
  #replaced(text: string): readonly RunEvent[] {
    const before = this.#reply;
    const piece = text.startsWith(before) ? text.slice(before.length) : `\n\n[${this.#withdrawn}]\n\n${text}`;
    const told = this.#said(piece);
    this.#reply = text;
    return told;
  }

  /** A client runs each call that bears the name of a tool of its own, so such a call is not told before it may run. */
  #calledHere(callId: string, action: string, value: unknown): readonly RunEvent[] {
    if (action.startsWith(uiActionPrefix)) return [];
    let name = action;
    while (this.#tools.has(name)) name = `server_${name}`;
    return this.#called(callId, name, value);
  }

  #called(toolCallId: string, toolCallName: string, value: unknown): readonly RunEvent[] {
    if (this.#toldCalls.has(toolCallId)) return [];
    this.#toldCalls.add(toolCallId);
    const delta = JSON.stringify(value ?? {});
    return [
      ...this.closed(),
      { type: 'TOOL_CALL_START', toolCallId, toolCallName },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta },
      { type: 'TOOL_CALL_END', toolCallId },
    ];
  }

  #ended(toolCallId: string, action: string, result: object): readonly RunEvent[] {
    // The client knows the result of what it ran itself.
    if (action.startsWith(uiActionPrefix) || !this.#toldCalls.has(toolCallId)) return [];
    const content = JSON.stringify(result);
    return [...this.closed(), { type: 'TOOL_CALL_RESULT', messageId: randomId(), toolCallId, content, role: 'tool' }];
  }
}

function valuesOf({ arguments: shown }: ConfirmationRequest): Readonly<Record<string, unknown>> {
  return Object.fromEntries(shown.map(({ name, value }) => [name, value]));
}

/** What the model has thought, as a span of its own. */
function thoughtEvents(delta: string): readonly RunEvent[] {
  const messageId = randomId();
  return [
    { type: 'REASONING_START', messageId },
    { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
    { type: 'REASONING_MESSAGE_CONTENT', messageId, delta },
    { type: 'REASONING_MESSAGE_END', messageId },
    { type: 'REASONING_END', messageId },
  ];
}

/** An event that the protocol has no form for. */
export function customEvent(name: string, value: unknown): RunEvent {
  return { type: 'CUSTOM', name, value };
}

/** An event of a turn under its name on the hub. */
function customOf(type: RecordedEvent['type'], json: string): RunEvent {
  return customEvent(hubEventNames[type], JSON.parse(json));
}

/** The questions of a turn as a client is asked them (contract/ag-ui.md#confirmations). */
export function interruptOf(request: ConfirmationRequest): object {
  const { actionId: id, callId, title, description, editable, expiresAt, ...more } = request;
  const toolCallId = request.action.startsWith(uiActionPrefix) ? {} : { toolCallId: callId };
  const edits = { arguments: { type: 'object', description: 'All arguments, where the user has changed some.' } };
  return {
    ...{ id, ...toolCallId, reason: 'confirmation' },
    message: request.confirm?.title ?? (description === '' ? title : `${title}: ${description}`),
    responseSchema: {
      type: 'object',
      properties: { approved: { type: 'boolean' }, ...(editable ? edits : {}) },
      required: ['approved'],
      additionalProperties: false,
    },
    ...(expiresAt === undefined ? {} : { expiresAt }),
    // The members before `title` are those by which TanStack AI knows a question that its user may answer.
    metadata: {
      kind: 'approval',
      toolName: request.action,
      input: valuesOf(request),
      title,
      description,
      editable,
      ...more,
    },
  };
}

/** How the end of a turn is told (contract/ag-ui.md#runs). */
export function endingOf(end: RunEnd, { threadId, runId, protocolVersion }: RunIds): RunEvent {
  const { status, code = 'internal', message, receipts } = end;
  const { model, inputTokens, outputTokens } = end.usage;
  const usage = [{ model, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }];
  const result = receipts === undefined ? {} : { result: { receipts } };
  // Versions before 1.0 do not know this outcome, and take none that they do not know.
  const cancelled = protocolVersion === undefined ? {} : { outcome: { type: 'cancelled' } };
  switch (status) {
    case 'completed':
      return { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'success' }, usage, ...result };
    case 'stopped':
      return { type: 'RUN_FINISHED', threadId, runId, ...cancelled, usage, ...result };
    case 'refused':
    case 'failed':
      return { ...faultOf(code, message), usage };
  }
}

/** Ends a run that cannot go on. */
export function faultOf(code: string, message: string): RunEvent {
  return { type: 'RUN_ERROR', code, message };
}
