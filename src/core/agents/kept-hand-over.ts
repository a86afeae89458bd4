import type { ToolCall } from '../calls/tool-call.ts';
import { isHeld, releasedKey } from '../guardrails/held-reply.ts';
import type { Standing } from '../ports/remote-agent.ts';
import type { StepRecord } from '../record/step-record.ts';
import { routeToSpecialistName } from '../tools/tool-name.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';
import { reachedBy } from './broken-off.ts';
import type { MemberReply } from './member-reply.ts';
import { spokenRounds } from './spoken-rounds.ts';

/** What became of the words of a round: they stand, they were held and never shown, or something of the server stands in their place. */
export type Fate = 'said' | 'unsaid' | 'replaced';

type SpokenRecord = Pick<StepRecord, 'get' | 'has' | 'entries'>;

/**
 * The outcome of a call as the history has it. `at` is the key of the call. Where the call has handed over, and the user does not see what
 * the agents have said, the outcome says that in place of their words, with what came of their actions (contract/guardrails.md#replies).
 */
export function keptOutcome(
  outcome: ToolOutcome,
  { at, fate }: { readonly at: string; readonly fate: Fate },
  record: SpokenRecord,
): ToolOutcome {
  const reached = reachedBy(record, at);
  if (reached === undefined) return outcome;
  const { name, done } = reached;
  if (outcome.status !== 'succeeded') {
    // Only the words of a fault have an influence, and they may be words of a model.
    const hasWords = fate !== 'said' && outcome.influencedBy !== undefined;
    return hasWords ? unspoken(outcome, `${name} could not answer. ${done}`) : outcome;
  }
  const said = record.get(`${at}/${name}/said`) as MemberReply | undefined; // recorded by `runMember`
  if (said === undefined || isWordless(said) || isShown(at, record)) return outcome;
  // Its question was left to whoever has handed over, and what this agent has said to the user stands.
  if (said.text.trim() === '' && fate === 'said' && !isHeld(record)) return outcome;
  const [verb, noun] = said.asksBack === true ? ['asked the user something', 'question'] : ['answered', 'answer'];
  const lost = fate === 'replaced' ? 'taken back' : isHeld(record) ? 'withheld' : 'never shown';
  return unspoken(
    outcome,
    `${name} has ${verb}, but the ${noun} was ${lost}. The user does not see it, and it is not kept, so do not guess what it said. ${done}`,
  );
}

/** A call as the history has it, where the user does not see the words of its round. What agents say to each other is left out. */
export function keptCall(call: ToolCall, fate: Fate): ToolCall {
  if (fate === 'said' || call.name !== routeToSpecialistName) return call;
  return { ...call, arguments: JSON.stringify({ ...nameIn(call.arguments), request: '[not kept]' }) };
}

function nameIn(written: string): { readonly name?: string } {
  try {
    const { name } = JSON.parse(written) as { readonly name?: unknown }; // a model has written it: it is looked at below
    return typeof name === 'string' ? { name } : {};
  } catch {
    return {};
  }
}

/** Nothing of an agent stands in the outcome: neither an answer nor a question that the user has not read. */
function isWordless({ text, standing }: MemberReply): boolean {
  return text.trim() === '' && Object.values(standing?.threads ?? {}).every(({ question }) => question === undefined);
}

/** Whether the user was shown what the agents below a call have said, and still sees it. */
function isShown(at: string, record: SpokenRecord): boolean {
  const said = spokenRounds(record).filter((round) => `${round.at}/`.startsWith(`${at}/`) && round.text !== '');
  return said.length > 0 && (!isHeld(record) || said.every((round) => record.has(releasedKey(round.at))));
}

function unspoken({ status, influencedBy, standing }: ToolOutcome, text: string): ToolOutcome {
  return {
    status,
    text,
    origin: 'operator',
    ...(influencedBy === undefined ? {} : { influencedBy }),
    ...(standing === undefined ? {} : { standing: unasked(standing) }),
  };
}

/** The conversations with remote agents go on. The user was asked nothing, so no task waits for the next message. */
function unasked({ threads, ...standing }: Standing): Standing {
  if (threads === undefined) return standing;
  const open = Object.entries(threads).map(([agent, { contextId }]) => [agent, { contextId }] as const);
  return { ...standing, threads: Object.fromEntries(open) };
}
