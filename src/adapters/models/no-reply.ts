import { ModelError } from '../../core/ports/chat-model.ts';
import { labelled } from './status-fault.ts';

/** What a model has sent. */
interface Sent {
  readonly text: string;
  /** The calls that the model began, also those that are dropped. */
  readonly hasCalls: boolean;
  /** The provider's own word for the end of the reply. */
  readonly reason: string | undefined;
  readonly isCut: boolean;
}

/**
 * Refuses a reply without text and calls, such as one that is thought only (contract/models.md). Another attempt may say something, unless
 * the length limit has ended this one: the thought of the same model would be too long again.
 * @throws ModelError `model_no_reply`.
 */
export function checkSaid({ text, hasCalls, reason, isCut }: Sent): void {
  if (hasCalls || text.trim() !== '') return;
  const message = `the model sent neither text nor a call${labelled(reason)}`;
  throw new ModelError('model_no_reply', message, { transient: !isCut });
}
