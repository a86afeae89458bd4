import type { ModelRequest } from '../../core/ports/chat-model.ts';

/**
 * Whether a request lets the provider make a call that somebody has approved. Such a request is sent only once and only to one provider.
 * When it fails, nobody knows whether the call was made.
 */
export function givesApproval({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  return messages.some(
    (message) => message.role === 'assistant' && message.answered?.approvals.some(({ approve }) => approve) === true,
  );
}
