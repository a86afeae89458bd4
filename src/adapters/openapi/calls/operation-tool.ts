import { hashArguments } from '../../../core/base/canonical-json.ts';
import type { Tool, ToolContext } from '../../../core/tools/tool.ts';
import { confirmFaults, wordsOf } from '../../shared/action-words.ts';
import { declaredPolicy } from '../../shared/declared-policy.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { readToolSchema } from '../../shared/tool-schema.ts';
import type { ImportedOperation } from '../document/imported-operation.ts';
import { placeNamed } from '../document/operation-parts.ts';
import type { OpenapiSettings, OperationSettings } from '../openapi-settings.ts';
import type { ApiClient } from './api-client.ts';
import { argumentFaults, buildRequest } from './build-request.ts';
import { valueOfAnswer } from './read-answer.ts';

/** What an operation is called with. */
export interface OperationServices {
  readonly settings: Pick<OpenapiSettings, 'name' | 'baseUrl' | 'timeout' | 'forwardAuthorization' | 'actions'>;
  readonly client: ApiClient;
  /** The present headers of the configuration. */
  readonly headers: () => Readonly<Record<string, string>>;
}

const nothingSaid: OperationSettings = { requiredRoles: [], tenants: [], examples: [], sinks: [] };

/**
 * Makes an operation a tool (contract/openapi.md#operations).
 * @throws Error where its parameters cannot be used, or the configuration names a sink, or an argument in a title, that is none of them.
 */
export async function operationTool(operation: ImportedOperation, services: OperationServices): Promise<Tool> {
  const { settings } = services;
  const { id, method, toolName } = operation;
  const key = [id, placeNamed(operation)].find((one) => Object.hasOwn(settings.actions, one));
  const said = key === undefined ? nothingSaid : (settings.actions[key] ?? nothingSaid);
  const onlyReads = method === 'get' || method === 'head';
  const isDestructive = said.destructive === true;
  const declared = declaredPolicy({
    ...said,
    readOnly: said.readOnly ?? (onlyReads && !isDestructive ? true : undefined),
  });
  const schema = await readToolSchema(withSinks(operation, said.sinks), (value) => argumentFaults(operation, value));
  const [fault] = confirmFaults(said, schema.schema);
  if (fault !== undefined) throw new Error(`actions.${id}.confirm.title ${fault}`);
  return {
    name: toolName,
    ...wordsOf({ ...said, description: said.description ?? operation.description }, operation.title),
    examples: said.examples,
    parameters: schema.schema,
    source: 'action',
    ...declared,
    editable: false,
    ...(said.trusted === true ? { trusted: true } : {}),
    requiredRoles: said.requiredRoles,
    tenants: said.tenants,
    timeoutMs: settings.timeout,
    owner: `openapi:${settings.name}`,
    // The document may change between two starts, and an approval is for what the user was shown.
    fingerprint: hashArguments({ ...operation, baseUrl: settings.baseUrl }),
    checkArguments: schema.check,
    execute: async (argumentsValue, context) => {
      // An action that asks its user counts as a write, whatever it declares (contract/confirmations.md#which-actions-ask).
      const readOnly = declared.readOnly === true && declared.requiresConfirmation !== true;
      return { value: await run(operation, { argumentsValue, context, readOnly }, services) };
    },
  };
}

async function run(
  operation: ImportedOperation,
  {
    argumentsValue,
    context,
    readOnly,
  }: { readonly argumentsValue: Members; readonly context: ToolContext; readonly readOnly: boolean },
  { settings, client, headers }: OperationServices,
): Promise<unknown> {
  const { callId, signal, authorization, span, traceparent } = context;
  const request = buildRequest(operation, argumentsValue, { baseUrl: settings.baseUrl, callId });
  const trace = span ?? traceparent;
  const answer = await client.call({
    request: {
      ...request,
      // The headers of the configuration come last: no argument replaces one.
      headers: {
        accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
        ...request.headers,
        ...(trace === undefined ? {} : { traceparent: trace }),
        ...(settings.forwardAuthorization && authorization !== undefined ? { authorization } : {}),
        ...headers(),
      },
    },
    operation: operation.id,
    callId,
    readOnly,
    signal,
  });
  return valueOfAnswer(answer);
}

function withSinks({ parameters, id }: ImportedOperation, sinks: readonly string[]): Members {
  if (sinks.length === 0) return parameters;
  const properties = parameters['properties'];
  if (!hasMembers(properties)) return parameters;
  const unknown = sinks.find((sink) => !Object.hasOwn(properties, sink));
  if (unknown !== undefined) {
    const known = Object.keys(properties).join(', ') || 'it has none';
    throw new Error(`actions.${id}.sinks names ${unknown}, which is no argument of the operation; there are: ${known}`);
  }
  const marked = Object.entries(properties).map(([name, schema]) => [
    name,
    sinks.includes(name) && hasMembers(schema) ? { ...schema, sink: true } : schema,
  ]);
  return { ...parameters, properties: Object.fromEntries(marked) };
}
