import type { CurrentPage } from '../../core/request/turn-request.ts';
import type { UiAction } from '../../core/request/ui-actions.ts';
import { readMessage, type ReadMessage, readPage } from '../shared/read-message.ts';
import { readUiActions } from '../shared/read-ui-actions.ts';
import { id, object, optional, ValueFault, wrong } from '../shared/read-values.ts';
import { HubArgumentError, HubError } from './protocol/hub-errors.ts';

/** Reads what a message method was called with. @throws HubArgumentError for a wrong type, HubError for what is too long */
export function readMessageArguments(given: readonly unknown[]): ReadMessage {
  return inWordsOfTheHub(() => readMessage(given[0], given[1]));
}

/** Reads the argument of `SetPage`. @throws HubArgumentError for a wrong type, HubError for what is over a limit */
export function readPageArgument(given: readonly unknown[]): {
  readonly page: CurrentPage;
  readonly actions: readonly UiAction[];
} {
  return inWordsOfTheHub(() => {
    const { actions, ...page } = object(given[0], 'page');
    return { page: readPage(page, 'page'), actions: optional(actions, 'page.actions', readUiActions) ?? [] };
  });
}

/** Reads the argument of `Resume`. @throws HubArgumentError */
export function readResumeArgument(given: readonly unknown[]): { readonly turnId: string; readonly afterSeq: number } {
  return inWordsOfTheHub(() => {
    const { turnId, afterSeq } = object(given[0], 'the argument');
    if (typeof afterSeq !== 'number' || !Number.isSafeInteger(afterSeq) || afterSeq < 0) {
      throw wrong('afterSeq is not a sequence number');
    }
    return { turnId: id(turnId, 'turnId'), afterSeq };
  });
}

/** Reads the argument of `OpenConversation`. @throws HubArgumentError */
export function readConversationArgument(given: readonly unknown[]): string {
  return inWordsOfTheHub(() => id(given[0], 'id'));
}

function inWordsOfTheHub<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    throw error.kind === 'type' ? new HubArgumentError(error.message) : new HubError(error.message);
  }
}
