import type { ChatModel, ModelReply, ModelRequest, ReplySink } from './chat-model.ts';

/** For whom a model is asked, as budgets count it (contract/limits.md#budgets). */
export interface Spender {
  readonly userKey: string;
  readonly roles: ReadonlySet<string>;
  /** Undefined for a user without a tenant. */
  readonly tenant: string | undefined;
  readonly conversationId: string;
}

/** One call of a model. */
export interface ModelCall {
  readonly model: ChatModel;
  readonly request: ModelRequest;
  readonly sink: ReplySink;
}

/** Pays the small questions of the server to a model from somebody's budgets. */
export interface Payer {
  /**
   * Makes the call, and counts what it uses.
   * @throws TurnError `budget_exceeded` before the model is asked, when a budget is used up.
   * @throws what the model throws.
   */
  pay(spender: Spender, call: ModelCall): Promise<ModelReply>;
}
