import { TurnError } from '../errors/turn-error.ts';
import type { ChatMessage, ChatModel, ModelReply, ModelToolCall, ReplySink } from '../ports/chat-model.ts';
import { invokeTool, newCallId } from '../tools/invoke-tool.ts';
import type { ToolInvocation } from '../tools/tool-invocation.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';
import type { RoundCall } from '../turn/turn-suspension.ts';

export interface AnswerOptions {
  readonly model: ChatModel;
  readonly instructions: string;
  /** History and the user's message as they are sent. */
  readonly messages: readonly ChatMessage[];
  readonly invocation: ToolInvocation;
  /** Rounds of model and tools; then the model answers without tools (configuration.md 2). */
  readonly maxToolRounds: number;
  /** Gets every message of the turn as soon as it is certain, so that what happened is kept whatever comes next. */
  readonly record: (message: ChatMessage) => void;
  readonly addUsage: (usage: ModelReply['usage'], model: string) => void;
  /** A turn that waited in another process or conversation goes on with the calls of this round. */
  readonly resumed?:
    { readonly round: number; readonly calls: readonly RoundCall[]; readonly run: typeof invokeTool } | undefined;
}

/**
 * The coordinator's loop (architecture.md 3, step 9): model → tool calls → outcomes → model … → reply. Calls of one round
 * run side by side; the model goes on when all of them have an outcome.
 * @throws ModelError from the model; TurnError `model_refused` and `tool_loop_limit`; the signal's reason after a stop.
 */
export async function answer(options: AnswerOptions): Promise<void> {
  const { turn } = options.invocation;
  const messages = [...options.messages];
  const add = (message: ChatMessage): void => {
    messages.push(message);
    options.record(message);
  };
  const { resumed } = options;
  if (resumed !== undefined) await runCalls(resumed.calls, { ...resumed, options, add });
  for (let round = (resumed?.round ?? -1) + 1; ; round += 1) {
    const isLastRound = round >= options.maxToolRounds;
    const shownBefore = turn.events.shownText().length;
    const reply = await askModel(options, messages, isLastRound).catch((error: unknown) => {
      const partial = turn.events.shownText().slice(shownBefore).trim();
      if (partial !== '') add({ role: 'assistant', text: partial, toolCalls: [] });
      throw error;
    });
    const calls = isLastRound ? [] : reply.toolCalls.map((call) => ({ ...call, callId: newCallId() }));
    checkReply(reply, calls.length);
    // Providers refuse a history that holds an empty message.
    if (reply.text.trim() !== '' || calls.length > 0) add(assistantMessage(reply.text, calls));
    if (calls.length === 0) return;
    options.invocation.suspension?.beginRound(round, calls);
    await runCalls(calls, { options, add, round, run: invokeTool });
  }
}

/** Runs the calls of one round side by side, and adds what they came to once all have ended. */
async function runCalls(
  calls: readonly RoundCall[],
  {
    options,
    add,
    round,
    run,
  }: {
    readonly options: AnswerOptions;
    readonly add: (message: ChatMessage) => void;
    readonly round: number;
    readonly run: typeof invokeTool;
  },
): Promise<void> {
  const { invocation } = options;
  const { suspension, turn } = invocation;
  invocation.round = round;
  const outcomes = await Promise.all(
    calls.map(async (call) => {
      const outcome = suspension?.outcomeOf(call.callId) ?? (await run(call, invocation));
      await suspension?.finished(call.callId, outcome);
      return { call, outcome };
    }),
  );
  for (const { call, outcome } of outcomes) add(toolMessage(call, outcome));
  await suspension?.end();
  turn.signal.throwIfAborted();
}

/** What the model is told of a call. */
export function toolMessage({ callId, name }: RoundCall, { status, text }: ToolOutcome): ChatMessage {
  return { role: 'tool', callId, name: keptName(name), text: `[${status}] ${text}` };
}

async function askModel(
  options: AnswerOptions,
  messages: readonly ChatMessage[],
  isLastRound: boolean,
): Promise<ModelReply> {
  const { turn, toolbox } = options.invocation;
  const reply = await options.model.run(
    {
      instructions: options.instructions,
      messages,
      tools: toolbox.declarations,
      toolChoice: isLastRound ? 'none' : 'auto',
      signal: turn.signal,
      flow: turn.flow,
    },
    roundSink(options.invocation),
  );
  options.addUsage(reply.usage, reply.model);
  return reply;
}

/** Text of a later round begins a new paragraph of the same reply. */
function roundSink(invocation: ToolInvocation): ReplySink {
  const { events } = invocation.turn;
  let needsBreak = events.hasText;
  return {
    text(escaped) {
      if (needsBreak) {
        needsBreak = false;
        events.text('\\n\\n');
      }
      events.text(escaped);
    },
  };
}

function checkReply(reply: ModelReply, callCount: number): void {
  if (reply.finish === 'content-filter' && reply.text === '') {
    throw new TurnError('failed', 'model_refused', 'the provider withheld the reply');
  }
  if (callCount === 0 && reply.text === '' && reply.toolCalls.length > 0) {
    throw new TurnError('failed', 'tool_loop_limit', 'the model kept calling tools after its last round');
  }
}

/** Calls are kept under our own ids, unique whatever the model wrote. */
function assistantMessage(
  text: string,
  calls: readonly (ModelToolCall & { readonly callId: string })[],
): Extract<ChatMessage, { readonly role: 'assistant' }> {
  return {
    role: 'assistant',
    text: text.trim() === '' ? '' : text,
    toolCalls: calls.map(({ callId, name, arguments: written }) => ({
      id: callId,
      name: keptName(name),
      arguments: written,
    })),
  };
}

/** Providers refuse a history with a name that is no tool name at all, which a model may well make up. */
function keptName(name: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : 'unknown_tool';
}
