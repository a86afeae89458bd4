import type { CurrentPage } from '../../core/request/turn-request.ts';
import type { UiAction } from '../../core/request/ui-actions.ts';
import { pageSchemaFault } from '../../core/ui-actions/page-schema.ts';
import { readMessage, type ReadMessage, readPage } from '../shared/read-message.ts';
import {
  bounded,
  boundedJson,
  flag,
  id,
  list,
  object,
  optional,
  text,
  breaksRule,
  ValueFault,
  wrong,
} from '../shared/read-values.ts';
import { HubArgumentError, HubError } from './protocol/hub-errors.ts';

const maxUiActions = 32;
/** The form of an action's name. The name of its tool is `page_` and this name. */
const uiActionName = /^[a-z][a-z0-9_]{0,58}$/;
const maxUiActionDescription = 500;
const maxUiActionSchemaBytes = 4_096;

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

function readUiActions(value: unknown, name: string): readonly UiAction[] {
  const entries = list(value, name);
  if (entries.length > maxUiActions) throw breaksRule(`${name} has more than ${String(maxUiActions)} entries.`);
  const actions = entries.map((entry, index) => readUiAction(entry, `${name}[${String(index)}]`));
  const twice = actions.find((action, index) => actions.findIndex((other) => other.name === action.name) < index);
  if (twice !== undefined) throw breaksRule(`${name} has ${twice.name} twice.`);
  return actions;
}

function readUiAction(value: unknown, path: string): UiAction {
  const fields = object(value, path);
  const name = text(fields['name'], `${path}.name`);
  if (!uiActionName.test(name)) throw breaksRule(`${path}.name must match ${uiActionName.source}.`);
  const given = object(fields['parameters'], `${path}.parameters`);
  boundedJson(maxUiActionSchemaBytes)(given, `${path}.parameters`);
  // MessagePack has values that JSON does not have. The JSON form is checked here, because the model reads the JSON form.
  const parameters = object(JSON.parse(JSON.stringify(given)), `${path}.parameters`);
  const fault = pageSchemaFault(parameters);
  if (fault !== undefined) throw breaksRule(`${path}.parameters ${fault}.`);
  const readOnly = optional(fields['readOnly'], `${path}.readOnly`, flag) ?? false;
  const destructive = optional(fields['destructive'], `${path}.destructive`, flag) ?? false;
  if (readOnly && destructive) throw breaksRule(`${path} is both readOnly and destructive.`);
  return {
    name,
    description: bounded(maxUiActionDescription)(fields['description'], `${path}.description`),
    parameters,
    readOnly,
    ...(destructive ? { destructive } : {}),
  };
}
