import type { UiAction } from '../../core/request/ui-actions.ts';
import { pageSchemaFault } from '../../core/ui-actions/page-schema.ts';
import { bounded, boundedJson, breaksRule, flag, list, object, optional, text } from './read-values.ts';

/** Most actions that a page may offer. */
export const maxActions = 32;
/** Most characters in an action's name. The name of its tool is `page_` and this name. */
export const maxNameLength = 59;
const actionName = /^[a-z][a-z0-9_]{0,58}$/;
const maxDescription = 500;
const maxSchemaBytes = 4_096;

/** Reads what a page offers to do (contract/ui-actions.md). @throws ValueFault */
export function readUiActions(value: unknown, name: string): readonly UiAction[] {
  const entries = list(value, name);
  if (entries.length > maxActions) throw breaksRule(`${name} has more than ${String(maxActions)} entries.`);
  const actions = entries.map((entry, index) => readUiAction(entry, `${name}[${String(index)}]`));
  const twice = actions.find((action, index) => actions.findIndex((other) => other.name === action.name) < index);
  if (twice !== undefined) throw breaksRule(`${name} has ${twice.name} twice.`);
  return actions;
}

/** Reads one of the actions that a page offers. @throws ValueFault */
export function readUiAction(value: unknown, path: string): UiAction {
  const fields = object(value, path);
  const name = text(fields['name'], `${path}.name`);
  if (!actionName.test(name)) throw breaksRule(`${path}.name must match ${actionName.source}.`);
  const given = object(fields['parameters'], `${path}.parameters`);
  boundedJson(maxSchemaBytes)(given, `${path}.parameters`);
  // MessagePack has values that JSON does not have. The JSON form is checked here, because the model reads the JSON form.
  const parameters = object(JSON.parse(JSON.stringify(given)), `${path}.parameters`);
  const fault = pageSchemaFault(parameters);
  if (fault !== undefined) throw breaksRule(`${path}.parameters ${fault}.`);
  const readOnly = optional(fields['readOnly'], `${path}.readOnly`, flag) ?? false;
  const destructive = optional(fields['destructive'], `${path}.destructive`, flag) ?? false;
  if (readOnly && destructive) throw breaksRule(`${path} is both readOnly and destructive.`);
  return {
    name,
    description: bounded(maxDescription)(fields['description'], `${path}.description`),
    parameters,
    readOnly,
    ...(destructive ? { destructive } : {}),
  };
}
