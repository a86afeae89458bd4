import type { ChatModel, ModelReply, ModelRequest, ReplySink } from './chat-model.ts';

/** For whom a model is asked, as budgets count it (contract/limits.md#budgets). */
export interface Spender {
  readonly userKey: string;
  readonly roles: ReadonlySet<string>;
  /** Undefined without one. */
  readonly tenant: string | undefined;
  readonly conversationId: string;
}

/** One call of a model. */
export interface ModelCall {
  readonly model: ChatModel;
  readonly request: ModelRequest;
  readonly sink: ReplySink;
}

/** Makes the small questions of the server out of the budgets of somebody. */
export interface Payer {
  /**
   * Makes the call, and counts what it takes.
   * @throws TurnError `budget_exceeded` before the model is asked where a budget is used up; what the model throws.
   */
  pay(spender: Spender, call: ModelCall): Promise<ModelReply>;
}
