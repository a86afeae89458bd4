import { atMost } from '../base/at-most.ts';
import { makerOf } from '../base/hinted-id.ts';
import { joined } from '../base/joined.ts';
import { randomId } from '../base/random-id.ts';
import { untilStopped } from '../base/until-stopped.ts';
import type { CallServices } from '../calls/call-scope.ts';
import type { OpenConfirmations } from '../confirmations/open-confirmations.ts';
import { TurnError } from '../errors/turn-error.ts';
import type { ConfirmationReason } from '../events/turn-event.ts';
import { readerOf } from '../identity/may-read.ts';
import { tenantOf } from '../identity/principal.ts';
import type { JournalRow } from '../ports/confirmation-journal.ts';
import type { Skill } from '../ports/skill-source.ts';
import { checkMended, mendedWords } from '../tools/mend-arguments.ts';
import { hasSinks, sinkValues, withoutSinks } from '../tools/sink-values.ts';
import { meteredName } from '../tools/tool-name.ts';
import { outcomeText } from '../tools/tool-outcome.ts';
import { mayRun, type ToolVerdict } from '../tools/tool-policy.ts';
import type { Tool } from '../tools/tool.ts';
import { keyOfCall } from './asked-call.ts';
import { AskedCalls } from './asked-calls.ts';
import { AskedQuestions } from './asked-questions.ts';
import type { DirectCall, DirectCaller, DirectOutcome, EndedOutcome, OfferedAction } from './direct-call.ts';
import { DirectSkills } from './direct-skills.ts';
import { type ChosenTool, type DirectServices, runDirect } from './run-direct.ts';

const tooMany = 'There are too many calls of this caller. Nothing was changed. Wait a while before you call again.';

/** How the answer begins to a call that was not run because of its arguments. */
const faultyArguments = 'The arguments do not fit:';

/**
 * Calls of actions that come without a turn, because the model of the caller has chosen them (contract/mcp-server.md). Actions that ask
 * are offered to callers whose user can be asked on a page, and to nobody else. All other rules are those of every channel.
 */
export class DirectCalls {
  readonly #services: () => DirectServices;
  readonly #running = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  readonly #asked: AskedCalls;
  readonly #skills = new DirectSkills();
  readonly #offerListeners = new Set<() => void>();
  /** The questions of calls, for the page on which they are answered. */
  readonly questions: AskedQuestions;

  constructor(services: () => DirectServices) {
    this.#services = services;
    this.#asked = new AskedCalls(services);
    this.questions = new AskedQuestions(this.#asked, services);
  }

  /** The questions that wait for an answer now, as `OpenConfirmations` has them. */
  get waiting(): OpenConfirmations['waiting'] {
    return this.#asked.open.waiting;
  }

  /**
   * Takes the rows of calls that were running when an earlier process ended (contract/mcp-server.md#confirmations). The next call of the
   * same user with the same arguments is told that nobody knows whether the action took effect.
   */
  interrupted(rows: readonly JournalRow[]): void {
    this.#asked.interrupted(rows);
  }

  /** As `AskedCalls.forget`. */
  forget(userKey: string, waitMs: number): Promise<boolean> {
    return this.#asked.forget(userKey, waitMs);
  }

  /** Ends the open questions, and waits for the calls that run. After `graceMs` milliseconds those that still run are stopped. */
  async drain(graceMs: number): Promise<void> {
    await atMost(graceMs, joined([this.#asked.close(), this.settled()]));
    this.#ending.abort(new Error('the server is shutting down'));
    await this.settled();
  }

  /** Resolves once the calls that run now have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** Calls `listener` after each change that may have changed what some caller is offered, until the returned function is called. */
  onOfferChange(listener: () => void): () => void {
    this.#offerListeners.add(listener);
    return () => {
      this.#offerListeners.delete(listener);
    };
  }

  /** MUST be called once other tools, or another policy, apply to the calls that begin from now on. */
  offerChanged(): void {
    for (const listener of this.#offerListeners) listener();
  }

  /** The skills that this caller may see now, by name. Undefined when skills are off. */
  skills({ principal }: Pick<DirectCaller, 'principal'>): (() => Promise<readonly Skill[]>) | undefined {
    const { skills, calls } = this.#services();
    return skills && (() => this.#skills.offeredTo(principal, { skills, clock: calls.clock }));
  }

  /** The actions that this caller may call now, in the order of the toolbox. */
  async offered(caller: Pick<DirectCaller, 'principal' | 'canConfirm'>): Promise<readonly OfferedAction[]> {
    const { principal } = caller;
    const services = this.#services();
    const tools = services.toolbox().of(readerOf(principal)).tools.filter(isOfHost);
    const judged = await joined(
      tools.map(async (tool) => ({ tool, verdict: await services.calls.policy.judge(tool) })),
    );
    return judged
      .map((found) => ({ ...found, asks: mayAsk(found.tool, found.verdict, services.calls) }))
      .filter(({ tool, asks }) => isOffered(asks, caller) && mayRun(tool, principal))
      .map(({ tool, verdict, asks }) => ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        parameters: {
          ...(tool.dialect === undefined ? {} : { $schema: tool.dialect }),
          ...withoutSinks(tool.parameters),
        },
        readOnly: verdict.readOnly,
        asks,
        destructive: tool.destructive === true,
      }));
  }

  /**
   * The other replica that has the question about a call, or is making the same call (contract/replicas.md#programs). Undefined: this one. `leave`
   * MUST be called once the call is over. Never rejects.
   */
  async placeOf(
    { name, argumentsValue, question, signal }: Pick<DirectCall, 'name' | 'argumentsValue' | 'question' | 'signal'>,
    caller: DirectCaller,
  ): Promise<{ readonly replica: string | undefined; readonly leave: () => void }> {
    const here = { replica: undefined, leave: () => undefined };
    const services = this.#services();
    const { policy, replica } = services.calls;
    if (replica === undefined || caller.principal.kind === 'anonymous') return here;
    if (question !== undefined) {
      const maker = this.#asked.find(question) === undefined ? makerOf(question) : undefined;
      return { ...here, replica: maker === replica ? undefined : maker };
    }
    const tool = services.toolbox().of(readerOf(caller.principal)).find(name);
    if (tool === undefined || !isOfHost(tool) || !mayRun(tool, caller.principal)) return here;
    const verdict = await untilStopped(policy.judge(tool), signal).catch(() => undefined);
    if (verdict === undefined) return here;
    const check = mayAsk(tool, verdict, services.calls) ? checkMended(tool, argumentsValue).check : undefined;
    if (check?.ok !== true || reasonToAsk({ tool, verdict, services }, check.value) === undefined) return here;
    const key = keyOfCall({ chosen: { tool }, call: { argumentsValue: check.value }, caller });
    if (this.#asked.isHeld(key)) return here;
    const { elsewhere } = this.#asked;
    return {
      replica: await elsewhere.enter(key),
      leave: () => {
        elsewhere.leave(key);
      },
    };
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
    const { policy } = services.calls;
    const tool = services.toolbox().of(readerOf(caller.principal)).find(call.name);
    if (tool === undefined || !isOfHost(tool)) return undefined;
    const stop = AbortSignal.any([call.signal, this.#ending.signal]);
    // The policy asks hooks of plugins, and catches what they throw. So this fails after a stop alone.
    const verdict = await untilStopped(policy.judge(tool), stop).catch(() => undefined);
    if (verdict === undefined) return { status: 'cancelled', told: outcomeText.cancelled };
    if (!isOffered(mayAsk(tool, verdict, services.calls), caller) || !mayRun(tool, caller.principal)) return undefined;
    const chosen: AdmittedTool = { tool, readOnly: verdict.readOnly, callId: randomId(), services, stop, verdict };
    return traced({ chosen, call, caller }, (followed) => this.#reported(chosen, call, followed));
  }

  /** Makes the call, counts it and writes its line in the log. */
  async #reported(chosen: AdmittedTool, call: DirectCall, caller: DirectCaller): Promise<DirectOutcome> {
    const { tool, callId, services } = chosen;
    const { clock, log, metrics, refusalLines } = services.calls;
    const startedAt = clock.elapsed();
    const outcome = await this.#admitted(chosen, call, caller).catch((error: unknown): DirectOutcome => {
      log.error({ error, tool: tool.name, callId }, 'a call without a turn failed');
      return { status: 'failed', told: outcomeText.serverFault };
    });
    const durationMs = Math.round(clock.elapsed() - startedAt);
    const { channel, principal } = caller;
    const { status } = outcome;
    if (isEnd(outcome)) {
      metrics
        .of(tenantOf(principal))
        .toolCalled({ action: meteredName(tool.name), status: outcome.status, durationMs });
    }
    const who = principal.kind === 'signed-in' ? { user: principal.id } : {};
    const isRefused = status === 'refused' || ('told' in outcome && outcome.told.startsWith(faultyArguments));
    const line = isRefused ? refusalLines.take({ what: 'call', who: principal.userKey }) : {};
    const known = { channel, tool: tool.name, callId, status, durationMs, ...who };
    if (line !== undefined) log.info({ ...known, ...line }, 'a call without a turn');
    return outcome;
  }

  /** The checks of a call whose tool the caller may call, and its run. */
  async #admitted(chosen: AdmittedTool, call: DirectCall, caller: DirectCaller): Promise<DirectOutcome> {
    const { tool, readOnly, services } = chosen;
    const { directRate, calls } = services;
    try {
      const counted = directRate.admit(caller.counted);
      if (counted !== undefined) await counted;
    } catch (error) {
      if (!(error instanceof TurnError)) throw error;
      return { status: 'refused', told: tooMany };
    }
    if (calls.policy.isSwitchedOff(tool, readOnly)) return { status: 'refused', told: outcomeText.switchedOff };
    const { check, mended } = checkMended(tool, call.argumentsValue);
    if (mended.length > 0) calls.log.debug({ tool: tool.name, mended }, mendedWords);
    if (!check.ok) {
      return { status: 'failed', told: `${faultyArguments}\n- ${check.faults.join('\n- ')}\nNothing was run.` };
    }
    const checked = { ...call, argumentsValue: check.value };
    const reason = reasonToAsk(chosen, check.value);
    // Whoever names a question gets its outcome, whatever the policy says by now: the action may have run already.
    if (reason === undefined && call.question === undefined) return runDirect(chosen, checked, caller);
    return this.#asked.outcomeOf({ chosen, call: checked, caller, reason: reason ?? 'policy' });
  }
}

/** Tools of the server itself, of pages, and of other servers are there for turns alone. */
function isOfHost({ source }: Tool): boolean {
  return source === 'action' || source === 'tool';
}

/** A tool that the caller may call, with what the policy says of it. */
interface AdmittedTool extends ChosenTool {
  readonly verdict: ToolVerdict;
}

/**
 * Whether a call of this tool may ask. A destination that no user has typed asks too, and the model of the caller writes all arguments
 * (contract/provenance.md#sinks).
 */
function mayAsk(tool: Tool, { need }: ToolVerdict, { policy, enforcesProvenance }: CallServices): boolean {
  return need.ask || (policy.mayAsk && enforcesProvenance && hasSinks(tool.parameters));
}

/** What asks is offered to a user who can be asked. */
function isOffered(asks: boolean, { principal, canConfirm }: Pick<DirectCaller, 'principal' | 'canConfirm'>): boolean {
  return !asks || (canConfirm && principal.kind === 'signed-in');
}

/** Why the user is asked about a call with these arguments. Undefined: nobody is asked. */
function reasonToAsk(
  { tool, verdict: { need }, services: { calls } }: Pick<AdmittedTool, 'tool' | 'verdict' | 'services'>,
  argumentsValue: Readonly<Record<string, unknown>>,
): ConfirmationReason | undefined {
  if (need.ask) return need.because;
  const { policy, enforcesProvenance } = calls;
  const isSent = policy.mayAsk && enforcesProvenance && sinkValues(tool.parameters, argumentsValue).length > 0;
  return isSent ? 'influenced' : undefined;
}

interface AdmittedCall {
  readonly chosen: AdmittedTool;
  readonly call: DirectCall;
  readonly caller: DirectCaller;
}

/** Runs a call in a span of its own, where calls are traced. `effect` gets the caller with that span. */
function traced(
  { chosen: { callId, services }, call, caller }: AdmittedCall,
  effect: (caller: DirectCaller) => Promise<DirectOutcome>,
): Promise<DirectOutcome> {
  const { tracing } = services;
  if (tracing === undefined) return effect(caller);
  const { name, argumentsValue } = call;
  const { channel, principal, traceparent } = caller;
  const who = { user: principal.userKey, tenant: tenantOf(principal) };
  return tracing.call({ callId, name, argumentsValue, channel, traceparent, ...who }, (span) =>
    effect({ ...caller, span }),
  );
}

function isEnd(outcome: DirectOutcome): outcome is EndedOutcome {
  return 'text' in outcome || 'told' in outcome;
}
