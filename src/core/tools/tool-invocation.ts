import type { AskUserServices } from '../confirmations/ask-user.ts';
import { type AutoApproval, AutoApprovedRounds } from '../confirmations/auto-approval.ts';
import { coordinatorName } from '../coordinator/coordinator-name.ts';
import type { ActionErrorCode } from '../errors/error-codes.ts';
import type { Principal } from '../identity/principal.ts';
import type { ServerTexts } from '../language/server-texts.ts';
import type { Conversation } from '../sessions/conversation.ts';
import type { LiveTurn } from '../turn/live-turn.ts';
import type { ChannelName, TurnEvent } from '../turn/turn-event.ts';
import type { TurnSuspension } from '../turn/turn-suspension.ts';
import type { ExceptionTexts } from './exception-rules.ts';
import type { KeptContext } from './kept-call.ts';
import type { CurrentPage, Tool, ToolContext } from './tool.ts';
import type { ToolPolicy } from './tool-policy.ts';
import type { Toolbox } from './toolbox.ts';
import { toolUser } from './tool-user.ts';

/** What tool calls need of the server: the same for every turn. */
export interface ToolServices extends AskUserServices {
  readonly policy: ToolPolicy;
  /** Undefined with `hitlMode: Blocking`, where every question is put to the user (service.md 2.6). */
  readonly autoApproval: AutoApproval | undefined;
  readonly texts: ServerTexts;
  readonly enableActionFeedback: boolean;
  readonly enableGenerativeCards: boolean;
  readonly cardImageHosts: readonly string[];
  /** `onToolResult` of all sources in order; throws what they throw. */
  readonly transformResult: (toolName: string, result: unknown) => Promise<unknown>;
  /** `onException` (service.md 2.8). */
  readonly exceptionTexts: (error: Error, toolName: string) => Promise<ExceptionTexts>;
}

type ActionEvent = Extract<TurnEvent, { readonly type: `action-${string}` }>;

/** The tool calls of one turn: who calls, on which channel, and where events go. */
export class ToolInvocation {
  readonly turn: LiveTurn;
  readonly principal: Principal;
  readonly agent: string;
  readonly toolbox: Toolbox;
  readonly services: ToolServices;
  readonly suspension: TurnSuspension | undefined;
  readonly channel: ChannelName;
  readonly #page: CurrentPage | undefined;
  readonly #authorization: string | undefined;
  readonly #traceparent: string | undefined;
  readonly #remembered: Set<string>;
  readonly #autoApprovedRounds: AutoApprovedRounds;
  /** The round of model and tools that runs. */
  round = 0;

  constructor(options: {
    readonly turn: LiveTurn;
    readonly principal: Principal;
    readonly channel: ChannelName;
    readonly page: CurrentPage | undefined;
    readonly conversation: Conversation;
    readonly agent: string;
    readonly toolbox: Toolbox;
    readonly services: ToolServices;
    readonly authorization?: string | undefined;
    readonly traceparent?: string | undefined;
    /** With `hitlMode: Native`. */
    readonly suspension?: TurnSuspension | undefined;
    /** Those of the turn. */
    readonly autoApprovedRounds?: AutoApprovedRounds;
  }) {
    this.turn = options.turn;
    this.principal = options.principal;
    this.agent = options.agent;
    this.toolbox = options.toolbox;
    this.services = options.services;
    this.suspension = options.suspension;
    this.channel = options.channel;
    this.#page = options.page;
    this.#authorization = options.authorization;
    this.#traceparent = options.traceparent;
    this.#remembered = options.conversation.remembered;
    this.#autoApprovedRounds = options.autoApprovedRounds ?? new AutoApprovedRounds();
  }

  /** Whether the user may choose not to be asked about a tool again (wire.md 5): the coordinator's actions, on the hub. */
  mayRemember(tool: Tool): boolean {
    const offered = this.services.autoApproval?.offersRemember === true;
    return offered && this.channel === 'hub' && tool.source === 'action' && this.agent === coordinatorName;
  }

  remember(tool: Tool): void {
    this.#remembered.add(tool.name);
  }

  /** Whether a rule, or what the user chose earlier, stands in for the answer. Not for specialists, teams and pages. */
  async approvesByRule(tool: Tool, argumentsValue: Readonly<Record<string, unknown>>): Promise<boolean> {
    const { autoApproval } = this.services;
    if (autoApproval === undefined || this.agent !== coordinatorName || tool.source === 'page') return false;
    const call = { tool: tool.name, arguments: argumentsValue, user: toolUser(this.principal) };
    if (!this.#remembered.has(tool.name) && !(await autoApproval.approves(call))) return false;
    return this.#autoApprovedRounds.admit(this.round, autoApproval.maxIterations);
  }

  /** The feedback events, unless `enableActionFeedback` is off (wire.md 2). Nothing follows the end of the turn. */
  emitAction(event: ActionEvent): void {
    if (this.services.enableActionFeedback && this.turn.running) this.turn.events.emit(event);
  }

  /** Tells the user that an action went wrong; the turn goes on. */
  actionFailed(message: string, code: ActionErrorCode = 'action_failed'): void {
    this.turn.events.emit({ type: 'error-occurred', code, message, retryable: false });
  }

  callContext(call: {
    readonly callId: string;
    readonly tool: Tool;
    readonly principal?: Principal;
    readonly again?: KeptContext;
  }): Omit<ToolContext, 'signal' | 'progress'> {
    return {
      user: toolUser(call.principal ?? this.principal),
      callId: call.callId,
      turnId: this.turn.id,
      conversationId: this.turn.conversationId,
      channel: this.channel,
      page: this.#page,
      ...call.again,
      ...(this.#authorization === undefined ? {} : { authorization: this.#authorization }),
      ...(this.#traceparent === undefined ? {} : { traceparent: this.#traceparent }),
      log: this.services.log.child({ tool: call.tool.name, callId: call.callId, turnId: this.turn.id }),
    };
  }
}
