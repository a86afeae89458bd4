import type { Influence } from '../events/turn-event.ts';
import { isHeld, releasedKey } from '../guardrails/held-reply.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { StepRecord } from '../record/step-record.ts';
import { outcomeOfServer, outcomeText, type ToolOutcome } from '../tools/tool-outcome.ts';
import { brokenOff } from './broken-off.ts';
import { hostedMessages } from './hosted/hosted-said.ts';
import { type Fate, keptCall, keptOutcome } from './kept-hand-over.ts';
import { assistantMessage, type RecordedReply, replyKey, toolMessage } from './recorded-reply.ts';
import { replacementAt, replacementMessages } from './replaced-reply.ts';

type SaidRecord = Pick<StepRecord, 'get' | 'has' | 'entries'>;

/** What an agent has said in one round. */
type SaidInRound = Pick<RecordedReply, 'text' | 'calls' | 'extras' | 'influencedBy'>;

/**
 * What an agent has said and done so far, by the record, or up to the round `last`. Open calls count as not run. Half a reply stands as far
 * as it was read. Held text that was never shown does not count as said. Replaced text does not either, but its calls stay, and a
 * replacement that was shown stands in its place. Words of other agents are in it only if the user sees them (`keptOutcome`).
 */
export function saidAndDone(record: SaidRecord, path: string, last = Infinity): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  const replacedTo = lastReplaced(record, path);
  for (let round = 0; round <= last; round += 1) {
    const at = replyKey(path, round);
    const reply = record.get(`${at}/model`) as RecordedReply | undefined; // recorded by `askModel`
    if (reply !== undefined) messages.push(...hostedMessages(reply));
    const said = reply ?? halfOf(record, at);
    const isUnsaid = isHeld(record) && !record.has(releasedKey(at));
    const fate = round <= replacedTo ? 'replaced' : isUnsaid ? 'unsaid' : 'said';
    const message = assistantMessage(fate === 'said' ? said : withoutWords(said, fate));
    if (message !== undefined) messages.push(message);
    const replacement = replacementAt(record, at);
    if (round === replacedTo && !isUnsaid) messages.push(...replacementMessages(replacement ?? '', said.influencedBy));
    if (reply === undefined || (reply.calls.length === 0 && replacement === undefined)) return messages;
    for (const call of reply.calls) {
      const callAt = `${at}/call/${call.callId}`;
      const outcome = record.get(callAt) as ToolOutcome | undefined; // recorded by `invokeTool`
      const ended = outcome ?? brokenOff(record, callAt) ?? notRun;
      messages.push(toolMessage(call, keptOutcome(ended, { at: callAt, fate }, record)));
    }
  }
  return messages;
}

/**
 * Keeps only the calls, what their provider wants back with them, and their influences. The mark of the provider is dropped, because the
 * provider keeps the unsaid text under it.
 */
function withoutWords({ calls, extras, influencedBy = [] }: SaidInRound, fate: Fate): SaidInRound {
  const ofCalls = calls.length > 0 && extras !== undefined ? { extras } : {};
  return { text: '', calls: calls.map((call) => keptCall(call, fate)), ...ofCalls, influencedBy };
}

/** The number of the last round up to which the reply was replaced; -1 where no reply was replaced. */
function lastReplaced(record: Pick<StepRecord, 'get'>, path: string): number {
  let last = -1;
  for (let round = 0; record.get(`${replyKey(path, round)}/model`) !== undefined; round += 1)
    if (replacementAt(record, replyKey(path, round)) !== undefined) last = round;
  return last;
}

/** What `putHalf` has recorded. */
function halfOf(record: Pick<StepRecord, 'get'>, at: string): SaidInRound {
  const text = record.get(`${at}/half`) as string | undefined; // recorded by `putHalf`
  const influencedBy = record.get(`${at}/half/influences`) as readonly Influence[] | undefined; // as well
  return { text: text ?? '', calls: [], influencedBy: influencedBy ?? [] };
}

const notRun = outcomeOfServer('cancelled', outcomeText.cancelled);
