import { hashArguments } from '../../core/base/canonical-json.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { wordsOf } from '../shared/action-words.ts';
import { declaredPolicy } from '../shared/declared-policy.ts';
import { titleOf } from '../shared/title-of.ts';
import type { CallbackClient } from './callback-client.ts';
import type { CallbackSettings } from './callback-settings.ts';
import type { ManifestAction } from './read-manifest.ts';
import { readResult } from './read-result.ts';

/** What an action of a manifest is called with. */
interface CallbackServices {
  readonly settings: CallbackSettings;
  readonly client: CallbackClient;
  /** The action of this name in the manifest that counts now. */
  readonly current: (name: string) => Tool | undefined;
}

/** Makes an action of a manifest a tool. A call is one signed request, or its retries (contract/plugins.md#callbacks). */
export function callbackTool(action: ManifestAction, services: CallbackServices): Tool {
  const { settings, current } = services;
  const { name, schema, timeoutSeconds } = action;
  const declared = declaredPolicy(action);
  const shown = {
    name,
    ...wordsOf(action, titleOf(name), schema.labels),
    parameters: schema.schema,
    ...(schema.dialect === undefined ? {} : { dialect: schema.dialect }),
    ...declared,
    ...(action.trusted === true ? { trusted: true as const } : {}),
    owner: `callback:${settings.name}`,
  };
  const { requiredRoles = [], tenants = [] } = action;
  // An approval is for what the user was shown. Who may run the action counts too: a turn judges by the manifest that it began with.
  const fingerprint = hashArguments({
    ...shown,
    requiredRoles: requiredRoles.toSorted(),
    tenants: tenants.toSorted(),
  });
  return {
    ...shown,
    examples: action.examples ?? [],
    source: 'action',
    editable: false,
    requiredRoles,
    tenants,
    timeoutMs: timeoutSeconds === undefined ? settings.timeout : timeoutSeconds * 1000,
    fingerprint,
    isCurrent: () => current(name)?.fingerprint === fingerprint,
    // The user's token is never kept, and a request without the token would be another request.
    repeatable: !settings.forwardAuthorization,
    checkArguments: schema.check,
    execute: executionOf(name, declared, services),
  };
}

function executionOf(
  name: string,
  declared: ReturnType<typeof declaredPolicy>,
  { settings, client }: CallbackServices,
): Tool['execute'] {
  return async (argumentsValue, context) => {
    const { callId, turnId, conversationId, channel, user, page } = context;
    const { result, card, navigate } = await client.ask({
      type: 'action',
      id: callId,
      trace: context.traceparent ?? turnId ?? callId,
      span: context.span,
      body: {
        type: 'action',
        id: callId,
        action: name,
        arguments: argumentsValue,
        user,
        conversationId,
        turnId,
        channel,
        page,
      },
      // An action that asks its user counts as a write, whatever it declares (contract/confirmations.md#which-actions-ask).
      readOnly: declared.readOnly === true && declared.requiresConfirmation !== true,
      authorization: settings.forwardAuthorization ? context.authorization : undefined,
      tenant: user.tenant,
      signal: context.signal,
      read: readResult,
    });
    return {
      value: result,
      ...(card === undefined ? {} : { card }),
      ...(navigate === undefined ? {} : { navigate: { page: navigate.page, params: navigate.params ?? {} } }),
    };
  };
}
