import type { ModelRequest } from '../../core/ports/chat-model.ts';

/**
 * Whether a request lets the provider make a call that somebody has approved. Such a request is sent once and to one provider: nobody
 * knows whether the call was made where it fails.
 */
export function givesApproval({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  return messages.some(
    (message) => message.role === 'assistant' && message.answered?.approvals.some(({ approve }) => approve) === true,
  );
}
