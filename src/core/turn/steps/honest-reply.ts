import type { Agent } from '../../agents/agent.ts';
import { coordinatorName } from '../../agents/coordinator-name.ts';
import { replyKey } from '../../agents/recorded-reply.ts';
import { spokenRounds } from '../../agents/spoken-rounds.ts';
import { replacedKey } from '../../agents/replaced-reply.ts';
import type { AgentRun, AskedAgain } from '../../agents/run-agent.ts';
import { hasRead, hasReadElsewhere, receiptsOf, resultsOf } from '../../calls/receipts.ts';
import { readsData } from '../../calls/what-it-did.ts';
import { joined } from '../../base/joined.ts';
import { untilStopped } from '../../base/until-stopped.ts';
import {
  asksForChange,
  asksForRecords,
  claimsUndone,
  isUnsupported,
  type Asking,
  type Honesty,
} from '../../guardrails/honest-questions.ts';
import { isHeld } from '../../guardrails/held-reply.ts';
import { documentTexts } from '../../knowledge/documents-key.ts';
import { tenantOf } from '../../identity/principal.ts';
import { changeNotMade, recordNotLookedUp, replyNotSupported } from '../../guardrails/honest-texts.ts';
import { mayRun } from '../../tools/tool-policy.ts';
import { factTexts } from './facts-beside.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

/** Recorded as JSON. `none` means that the classifier gave no verdict. */
type Verdict = 'yes' | 'no' | 'none';

const keys = {
  change: 'honest/change',
  records: 'honest/records',
  again: 'honest/again',
  claim: 'honest/claim',
  grounding: 'honest/grounding',
} as const;

/** Whether the reply lacks a look-up, and the tools that can do the look-up. Recorded as JSON. */
interface Lacking {
  readonly isLacking: boolean;
  readonly tools: readonly string[];
}

const nothingLacking: Lacking = { isLacking: false, tools: [] };

/**
 * Keeps the reply of a turn true (contract/guardrails.md#true-replies). The questions about the kind of message are asked at the same time
 * as the other work. Their answers are read when the reply is complete.
 */
export class HonestReply {
  readonly #turn: LiveTurn;
  readonly #services: TurnServices;
  /** Aborts once the reply is there. Undefined until something is asked. */
  #over: AbortController | undefined;
  #change: Promise<Verdict> | undefined;
  #records: Promise<Verdict> | undefined;

  constructor(turn: LiveTurn, services: TurnServices) {
    this.#turn = turn;
    this.#services = services;
  }

  /** Begins to ask what kind of message this is. Nothing waits for the answers before the reply is complete. */
  begin(text: string): void {
    const { honesty } = this.#services;
    const message = { text, earlier: this.#turn.options.recentWords };
    this.#change = this.#beside(keys.change, honesty?.needsAction === true, (one, asking) =>
      asksForChange(message, one, asking),
    );
    this.#records = this.#beside(keys.records, honesty?.needsLookup === true, (one, asking) =>
      asksForRecords(message, one, asking),
    );
  }

  /**
   * Resolves to whether the message asks for a change. If it does, no rule approves in place of the user. Undefined where the question is
   * not asked.
   */
  get asksForChange(): Promise<boolean> | undefined {
    return this.#change?.then(
      (verdict) => verdict === 'yes',
      () => false,
    );
  }

  /**
   * Runs the agent, and replaces a reply that is not true: one that lacks a look-up, or one that claims a change that was not made.
   * Resolves to whether the words of the model stand.
   * @throws what `run` throws; TurnStopped after a Stop.
   */
  async reply(agent: Agent, run: (again?: AskedAgain) => Promise<AgentRun>): Promise<boolean> {
    const { record } = this.#turn;
    const { texts } = this.#services.calls;
    let last = await run();
    const { isLacking, tools } =
      this.#records === undefined ? nothingLacking : await this.#lacking(agent, this.#records);
    if (isLacking) {
      if (tools.length > 0) {
        this.#replace(last, '');
        last = await run({ after: last, toolbox: agent.toolbox.only(tools) });
      }
      if (!hasRead(record)) {
        this.#replace(last, recordNotLookedUp(texts, receiptsOf(record)));
        return false;
      }
    }
    if (this.#change !== undefined && (await this.#claimsUndone(this.#change))) {
      this.#replace(last, changeNotMade(texts, receiptsOf(record)));
      return false;
    }
    if (!isGrounded(this.#turn, this.#services) || !(await this.#isUnsupported())) return true;
    this.#replace(last, replyNotSupported(texts, receiptsOf(record)));
    return false;
  }

  /**
   * Must be called when the turn has its reply or is over. Stops the questions that are still open, because their answers are of no use.
   * Undefined where nothing was asked.
   */
  end(): Promise<unknown> | undefined {
    if (this.#over === undefined) return undefined;
    this.#over.abort(new Error('the reply is there'));
    return Promise.allSettled([this.#change, this.#records]);
  }

  #beside(
    key: string,
    isOn: boolean,
    ask: (honesty: Honesty, asking: Asking) => Promise<boolean | undefined>,
  ): Promise<Verdict> | undefined {
    const { record } = this.#turn;
    if (!isOn && !record.has(key)) return undefined;
    this.#over ??= new AbortController();
    const signal = AbortSignal.any([this.#turn.signal, this.#over.signal]);
    const verdict = record.step(key, () => this.#verdict(ask, signal));
    // A caller that awaits the verdict later still gets the fault of a Stop. This handler only avoids an unhandled rejection.
    verdict.catch(() => undefined);
    return verdict;
  }

  async #verdict(
    ask: (honesty: Honesty, asking: Asking) => Promise<boolean | undefined>,
    signal: AbortSignal,
  ): Promise<Verdict> {
    const { honesty, calls } = this.#services;
    this.#turn.requireRunning();
    if (honesty === undefined) return 'none';
    try {
      const paid = { ...honesty, classifier: honesty.classifier.for(this.#turn.spender) };
      const answer = await ask(paid, { signal, tenant: tenantOf(this.#turn.principal) });
      if (answer !== undefined) return answer ? 'yes' : 'no';
      calls.log.warn(
        { turnId: this.#turn.id },
        'a check of a reply gave no verdict: its answer was neither yes nor no',
      );
    } catch (error) {
      signal.throwIfAborted();
      calls.log.warn({ turnId: this.#turn.id, error }, 'a check of a reply gave no verdict');
    }
    return 'none';
  }

  /** Whether the reply lacks a look-up. This is decided once: later look-ups must not change it. */
  #lacking(agent: Agent, asksForThem: Promise<Verdict>): Promise<Lacking> {
    const { record, signal } = this.#turn;
    return record.step(keys.again, async () => {
      this.#turn.requireRunning();
      if (hasRead(record) || (await asksForThem) !== 'yes') return nothingLacking;
      return {
        isLacking: true,
        tools: agent.maxRounds > 0 ? await untilStopped(this.#readingTools(agent), signal) : [],
      };
    });
  }

  /** The tools that only read. Only they may be required: the model must not be forced to change something. */
  async #readingTools({ toolbox }: Agent): Promise<readonly string[]> {
    const { policy } = this.#services.calls;
    const judged = await joined(
      toolbox.tools.map(async (tool) => {
        if (!mayRun(tool, this.#turn.principal)) return [];
        const { readOnly } = await policy.judge(tool);
        const isOffered = readOnly && readsData({ tool, readOnly }) && !policy.isSwitchedOff(tool, readOnly);
        return isOffered ? [tool.name] : [];
      }),
    );
    return judged.flat();
  }

  async #claimsUndone(asksForIt: Promise<Verdict>): Promise<boolean> {
    const { record, signal } = this.#turn;
    const verdict = await record.step(keys.claim, async (): Promise<Verdict> => {
      this.#turn.requireRunning();
      const receipts = receiptsOf(record);
      const isDone = receipts.length > 0 && receipts.every(({ status }) => status === 'succeeded');
      if (isDone || (await asksForIt) !== 'yes') return 'no';
      const reply = saidIn(record);
      if (reply === '') return 'no';
      return this.#verdict((honesty, asking) => claimsUndone({ reply, receipts }, honesty, asking), signal);
    });
    return verdict === 'yes';
  }

  /** Whether the reply states what nothing that was read supports. Asked once the reply is there. */
  async #isUnsupported(): Promise<boolean> {
    const { record, signal } = this.#turn;
    const verdict = await record.step(keys.grounding, async (): Promise<Verdict> => {
      this.#turn.requireRunning();
      const reply = saidIn(record);
      if (reply === '') return 'no';
      // What the provider's own tools have read is not known here, so nothing can be compared with it.
      if (hasReadElsewhere(record)) return 'none';
      const { text } = this.#turn.request.message;
      const said = `The user: ${text}`;
      const read = [said, ...factTexts(record), ...resultsOf(record), ...documentTexts(record)];
      return this.#verdict((honesty, asking) => isUnsupported({ reply, read }, honesty, asking), signal);
    });
    return verdict === 'yes';
  }

  #replace({ round }: AgentRun, text: string): void {
    const { record, events, id } = this.#turn;
    const key = replacedKey(replyKey(coordinatorName, round));
    if (!record.has(key)) this.#services.calls.log.info({ turnId: id }, 'a reply was not true, and was replaced');
    const said = record.now(key, () => text);
    // The user has not seen a held reply, so only a reply that is not held needs this event.
    if (!isHeld(record)) events.once(key, { type: 'text-replaced', text: said });
  }
}

/** Whether the reply of the turn is compared with what was read: it goes to another agent (contract/a2a-server.md#tasks). */
export function isGrounded(
  { request }: Pick<LiveTurn, 'request'>,
  { honesty }: Pick<TurnServices, 'honesty'>,
): boolean {
  return honesty?.needsGrounding === true && request.channel.isFromAgent === true;
}

/** All that was said to the user. */
function saidIn(record: LiveTurn['record']): string {
  return spokenRounds(record)
    .flatMap(({ text }) => (text === '' ? [] : [text]))
    .join('\n\n');
}
