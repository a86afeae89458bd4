import { atMost } from '../base/at-most.ts';
import { joined } from '../base/joined.ts';
import { untilStopped } from '../base/until-stopped.ts';
import { randomId } from '../base/random-id.ts';
import { readerOf } from '../identity/may-read.ts';
import { type Principal, tenantOf } from '../identity/principal.ts';
import type { MessageRate } from '../limits/message-rate.ts';
import { TurnError } from '../errors/turn-error.ts';
import type { ActionStatus } from '../events/turn-event.ts';
import { checkArguments } from '../tools/check-arguments.ts';
import { maxResultLength, modelText } from '../tools/model-text.ts';
import { runTool, type ToolRun } from '../tools/run-tool.ts';
import { hasSinks, withoutSinks } from '../tools/sink-values.ts';
import type { DirectChannelName, Tool } from '../tools/tool.ts';
import { outcomeText } from '../tools/tool-outcome.ts';
import { mayRun, type ToolVerdict } from '../tools/tool-policy.ts';
import { toolUser } from '../tools/tool-user.ts';
import { meteredName } from '../tools/tool-name.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { CallServices } from '../calls/call-scope.ts';
import { maxProgressLength } from '../calls/run-call.ts';
import { type FailedRun, faultOfRun } from '../calls/run-fault.ts';

/** What direct calls need from the server. It is asked for each call, because a reload changes it. */
export interface DirectServices {
  readonly toolbox: () => Toolbox;
  /** Counts direct calls, apart from messages (contract/mcp-server.md#calls). */
  readonly directRate: MessageRate;
  readonly calls: CallServices;
}

/** An action that a caller may call without a turn. */
export interface OfferedAction {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of type object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
}

/** Who calls, and how. */
export interface DirectCaller {
  readonly channel: DirectChannelName;
  /** The user whose roles decide, and whom the action sees. */
  readonly principal: Principal;
  /** For whom calls are counted. */
  readonly counted: Principal;
  /** The caller's own `Authorization` header, for callbacks that pass it on. Never kept, never logged. */
  readonly authorization?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** One call of an action by its caller's own model. */
export interface DirectCall {
  readonly name: string;
  readonly argumentsValue: unknown;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

/**
 * What came of a call: the result after `onToolResult`, as text and, where it is an object, as data; or what the model is told in its
 * place.
 */
export type DirectOutcome =
  | {
      readonly status: 'succeeded';
      readonly text: string;
      readonly data?: Readonly<Record<string, unknown>> | undefined;
    }
  | { readonly status: ActionStatus; readonly told: string };

const tooMany = 'There are too many calls of this caller. Nothing was changed. Wait a while before you call again.';

const needsPage =
  'This action needs the page of the user, and there is none here. What it did before that stays done. Do not call it again.';

/**
 * Calls of actions that come without a turn, because the model of the caller has chosen them (contract/mcp-server.md). Actions that ask
 * are not offered: there is nobody to ask. All other rules are those of every channel.
 */
export class DirectCalls {
  readonly #services: () => DirectServices;
  readonly #running = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();

  constructor(services: () => DirectServices) {
    this.#services = services;
  }

  /** Waits for the calls that run. After `graceMs` milliseconds those that still run are stopped. */
  async drain(graceMs: number): Promise<void> {
    await atMost(graceMs, this.settled());
    this.#ending.abort(new Error('the server is shutting down'));
    await this.settled();
  }

  /** Resolves once the calls that run now have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** The actions that this caller may call now, in the order of the toolbox. */
  async offered(principal: Principal): Promise<readonly OfferedAction[]> {
    const services = this.#services();
    const tools = services.toolbox().of(readerOf(principal)).tools.filter(isOfHost);
    const judged = await joined(
      tools.map(async (tool) => ({ tool, verdict: await services.calls.policy.judge(tool) })),
    );
    return judged
      .filter(({ tool, verdict }) => isOffered(tool, verdict, services.calls) && mayRun(tool, principal))
      .map(({ tool, verdict }) => ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        parameters: withoutSinks(tool.parameters),
        readOnly: verdict.readOnly,
      }));
  }

  /** Calls an action. Undefined when the caller is offered no action of this name. Never rejects. */
  async call(call: DirectCall, caller: DirectCaller): Promise<DirectOutcome | undefined> {
    const running = this.#called(call, caller);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** A call keeps the services that it began with, as a turn does: a reload must not change what is taken out of its result. */
  async #called(call: DirectCall, caller: DirectCaller): Promise<DirectOutcome | undefined> {
    const services = this.#services();
    const { clock, log, metrics, policy } = services.calls;
    const tool = services.toolbox().of(readerOf(caller.principal)).find(call.name);
    if (tool === undefined || !isOfHost(tool)) return undefined;
    const stop = AbortSignal.any([call.signal, this.#ending.signal]);
    // The policy asks hooks of plugins, and catches what they throw. So this fails after a stop alone.
    const verdict = await untilStopped(policy.judge(tool), stop).catch(() => undefined);
    if (verdict === undefined) return { status: 'cancelled', told: outcomeText.cancelled };
    if (!isOffered(tool, verdict, services.calls) || !mayRun(tool, caller.principal)) return undefined;
    const [callId, startedAt] = [randomId(), clock.elapsed()];
    const chosen = { tool, readOnly: verdict.readOnly, callId, services, stop };
    const outcome = await this.#admitted(chosen, call, caller).catch((error: unknown): DirectOutcome => {
      log.error({ error, tool: tool.name, callId }, 'a call without a turn failed');
      return { status: 'failed', told: outcomeText.serverFault };
    });
    const durationMs = Math.round(clock.elapsed() - startedAt);
    const { channel, principal } = caller;
    metrics.of(tenantOf(principal)).toolCalled({ action: meteredName(tool.name), status: outcome.status, durationMs });
    const who = principal.kind === 'signed-in' ? { user: principal.id } : {};
    log.info({ channel, tool: tool.name, callId, status: outcome.status, durationMs, ...who }, 'a call without a turn');
    return outcome;
  }

  /** The checks of a call whose tool the caller may call, and its run. */
  async #admitted(chosen: ChosenTool, call: DirectCall, caller: DirectCaller): Promise<DirectOutcome> {
    const { tool, readOnly, services } = chosen;
    const { directRate, calls } = services;
    try {
      directRate.admit(caller.counted);
    } catch (error) {
      if (!(error instanceof TurnError)) throw error;
      return { status: 'refused', told: tooMany };
    }
    if (calls.policy.isSwitchedOff(tool, readOnly)) return { status: 'refused', told: outcomeText.switchedOff };
    const check = checkArguments(tool, call.argumentsValue);
    if (!check.ok) {
      return { status: 'failed', told: `The arguments do not fit:\n- ${check.faults.join('\n- ')}\nNothing was run.` };
    }
    const run = await this.#run(chosen, { ...call, argumentsValue: check.value }, caller);
    return run.kind === 'returned' ? delivered(chosen, run) : failed(chosen, run);
  }

  async #run(
    { tool, callId, services, stop }: ChosenTool,
    { argumentsValue, progress }: DirectCall & { readonly argumentsValue: Readonly<Record<string, unknown>> },
    { channel, principal, authorization, traceparent }: DirectCaller,
  ): Promise<ToolRun> {
    const { clock, log, metrics } = services.calls;
    const startedAt = clock.elapsed();
    let isSettled = false;
    const run = await runTool(tool, argumentsValue, {
      user: toolUser(principal),
      callId,
      // There is no turn, and no conversation (contract/mcp-server.md#calls).
      turnId: null,
      conversationId: null,
      channel,
      page: undefined,
      ...(authorization === undefined ? {} : { authorization }),
      ...(traceparent === undefined ? {} : { traceparent }),
      log: log.child({ tool: tool.name, callId }),
      progress: (text) => {
        if (!isSettled) progress(text.slice(0, maxProgressLength));
      },
      stop,
    });
    isSettled = true;
    metrics
      .of(tenantOf(principal))
      .toolRan({ action: meteredName(tool.name), durationMs: clock.elapsed() - startedAt });
    return run;
  }
}

/** Cards and navigation have nobody to be shown to. */
async function delivered(
  { tool, services, stop }: ChosenTool,
  { result }: Extract<ToolRun, { kind: 'returned' }>,
): Promise<DirectOutcome> {
  const { log, transformResult } = services.calls;
  if (result.uiAction !== undefined) return { status: 'failed', told: needsPage };
  try {
    const value = await untilStopped(transformResult(tool.name, result.value), stop);
    const text = modelText(value);
    // A hook may return what JSON writes in another way, so the data are read from the text.
    const read: unknown = typeof value === 'string' || text.length > maxResultLength ? undefined : JSON.parse(text);
    return { status: 'succeeded', text, ...(isObject(read) ? { data: read } : {}) };
  } catch (error) {
    if (!stop.aborted) log.error({ error, tool: tool.name }, 'a result could not be delivered and was withheld');
    return { status: 'failed', told: outcomeText.withheld };
  }
}

async function failed(chosen: ChosenTool, run: FailedRun): Promise<DirectOutcome> {
  const fault = faultOfRun(run, chosen);
  if (fault === 'unknown') return { status: 'unknown', told: outcomeText.unknown };
  if (fault === 'unavailable') return { status: 'failed', told: outcomeText.unavailable };
  if (fault === 'changed') return { status: 'cancelled', told: outcomeText.changed };
  if (fault === 'cancelled') return { status: 'cancelled', told: outcomeText.cancelled };
  if (run.kind === 'abandoned') return { status: 'failed', told: outcomeText.timedOut };
  const { tool, services, stop } = chosen;
  // A hook that never answers must not keep the call for ever.
  const texts = untilStopped(services.calls.exceptionTexts(run.error, tool.name), stop);
  const words = await texts.then(
    ({ forModel }) => forModel,
    () => run.error.message,
  );
  return { status: 'failed', told: `The action failed: ${modelText(words)}` };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A tool that the caller may call. */
interface ChosenTool {
  readonly tool: Tool;
  readonly readOnly: boolean;
  readonly callId: string;
  /** The services that the call began with. */
  readonly services: DirectServices;
  /** Aborted when the caller has gone, and at the end of a drain. */
  readonly stop: AbortSignal;
}

/** Tools of the server itself, of pages, and of other servers are there for turns alone. */
function isOfHost({ source }: Tool): boolean {
  return source === 'action' || source === 'tool';
}

/** A destination that no user has typed asks too, and the model of the caller writes all arguments (contract/provenance.md#sinks). */
function isOffered(tool: Tool, { need }: ToolVerdict, { policy, enforcesProvenance }: CallServices): boolean {
  return !need.ask && !(policy.mayAsk && enforcesProvenance && hasSinks(tool.parameters));
}
