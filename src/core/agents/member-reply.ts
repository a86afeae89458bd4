import type { Influence } from '../events/turn-event.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import { influencedMember } from '../provenance/influences.ts';
import type { Standing } from '../ports/remote-agent.ts';
import type { StepRecord } from '../record/step-record.ts';
import type { RecordedReply } from './recorded-reply.ts';
import type { Unsaid } from './say-for.ts';

/** The member to whom a conversation was given, and what it needs to know. */
export interface HandedOff {
  readonly to: string;
  readonly reason: string;
}

/** What came of an agent that was handed over to. Recorded as JSON. */
export interface MemberReply {
  readonly status: 'succeeded' | 'failed' | 'refused';
  /** The last thing that the agent said, or why it said nothing. */
  readonly text: string;
  /** The untrusted texts that the agent had read; absent where there were none. */
  readonly influencedBy?: readonly Influence[];
  /** The user has not been shown the text yet. */
  readonly isUnsaid?: true;
  /** Who has said what, where the user has not been shown it yet and others than the agent itself have said it. */
  readonly parts?: readonly Unsaid[];
  /** The text is a question to the user, and the agent waits for the answer. */
  readonly asksBack?: true;
  /** Where the agent has given the conversation to another member of its team in place of an answer. */
  readonly handsOff?: HandedOff;
  /** Where the conversation with each remote agent stands, and with whom each team goes on. */
  readonly standing?: Standing;
}

/** An agent's reply, as other agents read it. */
export function spokenBy(name: string, { text, influencedBy = [] }: MemberReply): ChatMessage {
  return { role: 'user', text: `${name}: ${text}`, origin: 'model', ...influencedMember(influencedBy) };
}

/** Who has said what of a reply that the user has not been shown. */
export function partsOf(agent: string, { parts, text }: Pick<MemberReply, 'parts' | 'text'>): readonly Unsaid[] {
  return parts ?? [{ agent, text }];
}

/** The output tokens of all models that have replied below a path, by the record. */
export function outputTokensBelow(record: Pick<StepRecord, 'entries'>, path: string): number {
  let tokens = 0;
  for (const [key, value] of record.entries()) {
    if (!key.startsWith(`${path}/`) || !key.endsWith('/model')) continue;
    tokens += (value as RecordedReply).usage.outputTokens; // recorded by `askModel`
  }
  return tokens;
}

/** What two parts of a turn know of agents. What came later counts. */
export function joinStanding(one: Standing | undefined, other: Standing | undefined): Standing | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const threads = { ...one.threads, ...other.threads };
  const holders = { ...one.holders, ...other.holders };
  return {
    ...(Object.keys(threads).length === 0 ? {} : { threads }),
    ...(Object.keys(holders).length === 0 ? {} : { holders }),
  };
}
