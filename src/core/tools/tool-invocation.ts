import type { AskUserServices } from '../confirmations/ask-user.ts';
import type { Principal } from '../identity/principal.ts';
import type { ServerTexts } from '../language/server-texts.ts';
import type { Page } from '../pages/page.ts';
import type { LiveTurn } from '../turn/live-turn.ts';
import type { ChannelName, TurnEvent } from '../turn/turn-event.ts';
import type { ExceptionTexts } from './exception-rules.ts';
import type { CurrentPage, Tool, ToolContext } from './tool.ts';
import type { ToolPolicy } from './tool-policy.ts';
import type { Toolbox } from './toolbox.ts';
import { toolUser } from './tool-user.ts';

/** What tool calls need of the server: the same for every turn. */
export interface ToolServices extends AskUserServices {
  readonly policy: ToolPolicy;
  readonly pages: readonly Page[];
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
  readonly channel: ChannelName;
  readonly #page: CurrentPage | undefined;

  constructor(options: {
    readonly turn: LiveTurn;
    readonly principal: Principal;
    readonly channel: ChannelName;
    readonly page: CurrentPage | undefined;
    readonly agent: string;
    readonly toolbox: Toolbox;
    readonly services: ToolServices;
  }) {
    this.turn = options.turn;
    this.principal = options.principal;
    this.agent = options.agent;
    this.toolbox = options.toolbox;
    this.services = options.services;
    this.channel = options.channel;
    this.#page = options.page;
  }

  /** The feedback events, unless `enableActionFeedback` is off (wire.md 2). Nothing follows the end of the turn. */
  emitAction(event: ActionEvent): void {
    if (this.services.enableActionFeedback && this.turn.running) this.turn.events.emit(event);
  }

  /** Tells the user that an action went wrong; the turn goes on. */
  actionFailed(message: string): void {
    this.turn.events.emit({ type: 'error-occurred', code: 'action_failed', message, retryable: false });
  }

  callContext(call: { readonly callId: string; readonly tool: Tool }): Omit<ToolContext, 'signal' | 'progress'> {
    return {
      user: toolUser(this.principal),
      callId: call.callId,
      turnId: this.turn.id,
      conversationId: this.turn.conversationId,
      channel: this.channel,
      page: this.#page,
      log: this.services.log.child({ tool: call.tool.name, callId: call.callId, turnId: this.turn.id }),
    };
  }
}
