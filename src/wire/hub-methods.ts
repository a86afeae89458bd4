import type { TurnHubEvents } from './hub-events.ts';

/** Arguments and results of the hub's methods (wire.md 3). Trailing arguments may be left out or null. */
export interface SendMessageOptions {
  readonly attachments?: readonly { readonly name?: string; readonly contentType: string; readonly data: string }[];
  readonly page?: PageContext;
  readonly cardSubmit?: { readonly cardId: string; readonly data: unknown };
}

export interface PageContext {
  readonly name: string;
  readonly title?: string;
  readonly url?: string;
  readonly data?: unknown;
}

export interface SendMessageResult {
  readonly turnId: string;
  readonly status: TurnHubEvents['TurnCompleted']['status'];
  readonly text: string;
  readonly code?: string;
}

export interface ResumeResult {
  readonly turnId: string;
  readonly lastSeq: number;
  readonly running: boolean;
}
