import type { TurnHubEvent } from '../conversation/apply-event.ts';
import type { ConversationState } from '../conversation/conversation-state.ts';

/** Tells the page what happens, as DOM events `helper:NAME` on the element; they bubble out of any shadow root. */
export class HostEvents {
  readonly #element: HTMLElement;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** False when the page has taken a cancelable event over. */
  dispatch(name: string, detail: unknown, cancelable = false): boolean {
    return this.#element.dispatchEvent(
      new CustomEvent(`helper:${name}`, { detail, bubbles: true, composed: true, cancelable }),
    );
  }

  /** The page may want to send its user to where people sign in. */
  tellSignedOut(before: ConversationState, after: ConversationState, message: string): void {
    const last = after.entries.at(-1);
    if (last === before.entries.at(-1) || last?.kind !== 'notice' || last.notice.type !== 'signed-out') return;
    this.dispatch('error', { code: 'unauthenticated', message });
  }

  /** What a page may want to know of a turn: what was done, shown, asked and answered. */
  tell({ name, fields }: TurnHubEvent): void {
    switch (name) {
      case 'ActionCompleted':
        this.dispatch('action', { action: fields.action, status: fields.status, callId: fields.callId });
        break;
      case 'CardReady':
        this.dispatch('card', { cardId: fields.cardId, card: fields.card });
        break;
      case 'ConfirmationRequested':
        this.dispatch('confirmation', { actionId: fields.actionId, action: fields.action, outcome: null });
        break;
      case 'ConfirmationResolved':
        this.dispatch('confirmation', { actionId: fields.actionId, outcome: fields.outcome });
        break;
      case 'ErrorOccurred':
        this.dispatch('error', { code: fields.code, message: fields.message });
        break;
      case 'TurnCompleted':
        this.dispatch('reply', { text: fields.text, status: fields.status });
        break;
      case 'TurnStarted':
      case 'TextDelta':
      case 'TextReplaced':
      case 'ActionExecuting':
      case 'ActionProgress':
      case 'NavigationRequested':
        break;
    }
  }
}
