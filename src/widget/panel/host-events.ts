import type { TurnHubEvent } from '../conversation/apply-event.ts';
import type { ConversationState } from '../conversation/conversation-state.ts';

/** Tells the page what happens, as DOM events `helper:NAME` on the element. The events bubble out of any shadow root. */
export class HostEvents {
  readonly #element: HTMLElement;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Returns false when the page has prevented the default of a cancelable event. */
  dispatch(name: string, detail: unknown, cancelable = false): boolean {
    return this.#element.dispatchEvent(
      new CustomEvent(`helper:${name}`, { detail, bubbles: true, composed: true, cancelable }),
    );
  }

  /** Lets the page send its user to its sign-in. */
  tellSignedOut(before: ConversationState, after: ConversationState, message: string): void {
    const last = after.entries.at(-1);
    if (last === before.entries.at(-1) || last?.kind !== 'notice' || last.notice.type !== 'signed-out') return;
    this.dispatch('error', { code: 'unauthenticated', message });
  }

  /** Tells the page about actions, cards, questions and answers of a turn. */
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
      case 'ThoughtReady':
      case 'ActionExecuting':
      case 'ActionProgress':
      case 'AgentActivity':
      case 'NavigationRequested':
      case 'RagSourcesReady':
        break;
    }
  }
}
