import { oneLine } from '../../base/one-line.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import type { ChatMessage, ChatModel } from '../../ports/chat-model.ts';
import type { Standing } from '../../ports/remote-agent.ts';
import { mayRead, readerOf } from '../../identity/may-read.ts';
import { joinInfluences, influencedMember, influencesOf } from '../../provenance/influences.ts';
import type { Agent } from '../agent.ts';
import type { TeamDefinition, TeamOptions } from '../agent-definition.ts';
import { leaderOf } from '../agent-words.ts';
import { askModel } from '../ask-model.ts';
import { lastThread } from '../ask-remote.ts';
import { joinStanding, type MemberReply, outputTokensBelow, partsOf } from '../member-reply.ts';
import type { RecordedReply } from '../recorded-reply.ts';
import { sayAll, type Unsaid } from '../say-for.ts';
import type { HandOffTarget, MemberScope } from '../staff.ts';

/** A team, with the model that writes what no member writes. */
export interface Team {
  readonly definition: TeamDefinition;
  readonly model: ChatModel;
}

/** How a team answers. `given` is the conversation, with the request to the team as its last message. */
export type Mode = (given: readonly ChatMessage[], work: TeamWork) => Promise<MemberReply>;

/** How a member is asked. */
interface Asking {
  /** The number of the question, from 0. It tells the rounds of a team apart. */
  readonly round: number;
  /** The user is not shown the reply while it is read. */
  readonly isSilent?: boolean;
  readonly mayHandOffTo?: readonly HandOffTarget[];
}

/** Who leads a team, or the team itself, and what it is told to do. */
interface Leading {
  /** A specialist that the user may reach. Anybody else: the model of the team. */
  readonly leader?: string | undefined;
  readonly task: string;
  readonly at: string;
}

const noTools = new Toolbox([]);

/**
 * What a team does while it works: asks members, lets its leader decide, and shows what was said. Each mode of contract/agents.md#teams is
 * a function over it. The order of the work depends only on what the record holds, so a team goes on after a restart where it was.
 */
export class TeamWork {
  readonly name: string;
  readonly members: readonly string[];
  readonly options: TeamOptions;
  readonly #model: Team['model'];
  readonly #scope: MemberScope;
  /** What each question has left, by its number. Members that work side by side end in any order. */
  readonly #standings: (Standing | undefined)[] = [];
  /** The output tokens of the replies that the team has waited for. */
  #tokens = 0;
  /** What the user would have been shown by now, if somebody else did not show what this team says. */
  readonly #parts = new Map<MemberReply, readonly Unsaid[]>();

  constructor({ definition, model }: Team, scope: MemberScope) {
    this.name = definition.name;
    this.members = definition.members;
    this.options = definition.options;
    this.#model = model;
    this.#scope = scope;
  }

  /** Asks a member. A member that cannot answer says why. */
  async ask(member: string, messages: readonly ChatMessage[], { round, ...asking }: Asking): Promise<MemberReply> {
    const scope = this.#scope;
    const path = `${scope.path}/${String(round)}/${member}`;
    const reply = await scope.runMember(member, messages, {
      ...scope,
      path,
      depth: scope.depth + 1,
      isSilent: scope.isSilent || asking.isSilent === true,
      round: round + 1,
      mayHandOffTo: asking.mayHandOffTo,
    });
    this.#standings[round] = reply.standing;
    if (asking.isSilent !== true) this.#keep(member, reply);
    // Only a limit needs the sum, which is taken from the whole record.
    if (this.options.maxTokens !== undefined) this.#tokens += outputTokensBelow(scope.turn.record, path);
    return reply;
  }

  /** A choice that stays as it was first made, in every process of the turn. */
  fixed(at: string, choose: () => string): string {
    return this.#scope.turn.record.now(`${this.#scope.path}/${at}`, choose);
  }

  /** Asks for a decision, as a JSON object. An answer that is no JSON object is an empty one. */
  async decide(messages: readonly ChatMessage[], leading: Leading): Promise<Readonly<Record<string, unknown>>> {
    const { text } = await this.#lead(messages, leading, { isSilent: true, format: 'json' });
    try {
      const value: unknown = JSON.parse(text.replace(/^```(?:json)?|```$/g, ''));
      return typeof value === 'object' && value !== null ? { ...value } : {};
    } catch {
      return {};
    }
  }

  /** Lets the leader write a text. With `isSilent` the user is not shown it. */
  async write(
    messages: readonly ChatMessage[],
    leading: Leading & { readonly isSilent?: boolean },
  ): Promise<MemberReply> {
    const isSilent = this.#scope.isSilent || leading.isSilent === true;
    const { text, influencedBy } = await this.#lead(messages, leading, { isSilent });
    const influences = joinInfluences(influencesOf(messages), influencedBy ?? []);
    const reply: MemberReply = {
      status: 'succeeded',
      text,
      ...influencedMember(influences),
      ...(isSilent ? { isUnsaid: true } : {}),
    };
    if (leading.isSilent !== true) this.#keep(this.#leader(leading.leader).name, reply);
    return reply;
  }

  /** Shows what a member has said, unless it was shown, or unless somebody else shows what this team says. */
  async say(member: string, reply: MemberReply, at: string): Promise<void> {
    const scope = this.#scope;
    this.#keep(member, reply);
    if (scope.isSilent || reply.isUnsaid !== true || reply.status !== 'succeeded') return;
    await sayAll(scope.turn, `${scope.path}/${at}`, partsOf(member, reply));
  }

  #keep(member: string, reply: MemberReply): void {
    if (!this.#scope.isSilent || reply.status !== 'succeeded') return;
    const parts = partsOf(member, reply).filter(({ text }) => text !== '');
    this.#parts.set(reply, parts);
  }

  /** Whether the replies of the team have used up its tokens. */
  get isSpent(): boolean {
    const { maxTokens } = this.options;
    return maxTokens !== undefined && this.#tokens >= maxTokens;
  }

  /** The reply of the team. The user has been shown it, or whoever handed over to the team shows it. */
  answer({ status, text, influencedBy }: MemberReply, holder?: string): MemberReply {
    const held = holder === undefined ? undefined : { holders: { [this.name]: holder } };
    const standing = [...this.#standings, held].reduce(joinStanding, undefined);
    return {
      status,
      text,
      ...(influencedBy === undefined ? {} : { influencedBy }),
      ...(this.#scope.isSilent ? { isUnsaid: true as const, parts: [...this.#parts.values()].flat() } : {}),
      ...(standing === undefined ? {} : { standing }),
    };
  }

  /** What an agent is for, as the operator has described it. */
  descriptionOf(member: string): string {
    return this.#scope.staff.roster.find(member)?.definition.description ?? '';
  }

  /** Whether the user of the turn may reach this agent. */
  mayReach(member: string): boolean {
    const { staff, turn } = this.#scope;
    const found = staff.roster.find(member);
    return found !== undefined && mayRead(found.definition, readerOf(turn.request.caller.principal));
  }

  /** The members whom the user may reach, a line each, for the leader. */
  get memberList(): string {
    const reachable = this.members.filter((member) => this.mayReach(member));
    return reachable.map((member) => `- ${member}: ${oneLine(this.descriptionOf(member))}`).join('\n');
  }

  /** The member that answered last in this conversation. */
  get lastHolder(): string | undefined {
    const { history } = this.#scope.turn.options;
    const last = history.findLast(({ message }) => message.role === 'tool' && this.#holderIn(message) !== undefined);
    return last === undefined ? undefined : this.#holderIn(last.message);
  }

  /** The member whose question to the user is open. */
  get askingMember(): string | undefined {
    return this.members.find((member) => lastThread(member, this.#scope)?.taskId !== undefined);
  }

  #holderIn(message: ChatMessage): string | undefined {
    return message.role === 'tool' ? message.standing?.holders?.[this.name] : undefined;
  }

  async #lead(
    messages: readonly ChatMessage[],
    { leader, task, at }: Leading,
    how: Pick<MemberScope, 'isSilent'> & { readonly format?: 'json' },
  ): Promise<RecordedReply> {
    const scope = this.#scope;
    const asking = { ...scope, ...how, path: `${scope.path}/${at}`, toolChoice: 'none' } as const;
    const reply = await askModel(this.#leader(leader), [...messages, instruction(task)], asking);
    this.#tokens += reply.usage.outputTokens;
    return reply;
  }

  #leader(name: string | undefined): Agent {
    const found = name === undefined || !this.mayReach(name) ? undefined : this.#scope.staff.roster.find(name);
    const isSpecialist = found !== undefined && 'model' in found && found.definition.kind === 'specialist';
    return {
      name: isSpecialist ? found.definition.name : this.name,
      model: isSpecialist ? found.model : this.#model,
      instructions: [
        ...(isSpecialist ? [found.definition.instructions] : []),
        leaderOf(this.name),
        this.#scope.staff.rules,
      ].join('\n\n'),
      toolbox: noTools,
      maxRounds: 0,
      mayApproveByRule: false,
    };
  }
}

function instruction(text: string): ChatMessage {
  return { role: 'user', text, origin: 'operator' };
}
