import type { KeptPlan, KeptUser } from './kept-plan.ts';

/** A word that stands for one thing that is kept, and occurs nowhere else: `turn0q1q2`, `fact…`, `edit…`, `page…`, `paper…`. */
export type Mark = string;

/** All marks of a text, in order. */
export function marksIn(text: string): readonly Mark[] {
  return text.match(/\b(?:turn|reply|fact|edit|page|paper)\d+q\d+q\d+\b/g) ?? [];
}

/** A fact as its user was shown it. */
export interface SeenFact {
  readonly id: string;
  readonly text: string;
}

/** A conversation as its user was shown it. */
export interface SeenConversation {
  readonly id: string;
  readonly title: string;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
}

/** What a user has asked to be changed. `id` names a fact or a conversation. */
export type Change =
  | { readonly what: 'forget' | 'correct'; readonly id: string; readonly gone: readonly Mark[]; readonly comes?: Mark }
  | { readonly what: 'delete'; readonly id: string; readonly gone: readonly Mark[] }
  | { readonly what: 'forget all' | 'erase' };

/** Something that a user did or saw. A user does only one thing at a time. Times are those of clock.ts. */
export type KeptEvent =
  | {
      readonly kind: 'said';
      readonly turn: Mark;
      readonly fact?: Mark;
      readonly sentAt: number;
      /** The conversation's id, if the server has told it. */
      conversation?: string;
      status?: string;
    }
  | { readonly kind: 'changed'; readonly change: Change; readonly sentAt: number; status?: number; answeredAt?: number }
  | { readonly kind: 'saw facts'; readonly facts: readonly SeenFact[]; readonly at: number }
  | { readonly kind: 'saw conversations'; readonly conversations: readonly SeenConversation[]; readonly at: number };

/** A request that a model got. */
export interface KeptRequest {
  readonly model: 'main' | 'small';
  /** The turn whose message is in it. */
  readonly turn: Mark | undefined;
  readonly marks: readonly Mark[];
  readonly at: number;
}

/** What is on the disk after the last process has ended. */
export interface KeptRest {
  /** Every row of the storage, as text. */
  readonly rows: string;
  /** The number of parts of deleted conversations that are still in the storage. */
  readonly strayTurns: number;
  /** The mark of each file. */
  readonly files: readonly Mark[];
  /**
   * The marks of documents: `indexed` has those of the index, `worded` those of the index of words, and `found` those that questions found.
   */
  readonly indexed: readonly Mark[];
  readonly worded: readonly Mark[];
  readonly found: readonly Mark[];
  /** The number of all parts of documents, of parts with a vector, and of embedding models with vectors in the index. */
  readonly parts: { readonly all: number; readonly withVector: number; readonly models: number };
}

/** Everything that all processes of a plan told anybody. */
export interface KeptRecord {
  readonly plan: KeptPlan;
  readonly users: Readonly<Record<KeptUser, KeptEvent[]>>;
  readonly requests: KeptRequest[];
  /** Faults that a round itself found. */
  readonly troubles: string[];
  rest: KeptRest | undefined;
}
