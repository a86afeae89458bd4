import type { Tool } from '../../core/tools/tool.ts';
import { declaredPolicy } from '../shared/declared-policy.ts';
import { titleOf } from '../shared/title-of.ts';
import type { CallbackClient } from './callback-client.ts';
import type { CallbackSettings } from './callback-settings.ts';
import type { ManifestAction } from './read-manifest.ts';
import { readResult } from './read-result.ts';

/** Makes an action of a manifest a tool. A call is one signed request, or its retries (contract/plugins.md#callbacks). */
export function callbackTool(action: ManifestAction, settings: CallbackSettings, client: CallbackClient): Tool {
  const { name, description, schema, timeoutSeconds } = action;
  const declared = declaredPolicy(action);
  return {
    name,
    title: action.title ?? titleOf(name),
    description,
    examples: action.examples ?? [],
    parameters: schema.schema,
    source: 'action',
    ...declared,
    editable: false,
    ...(action.trusted === true ? { trusted: true } : {}),
    requiredRoles: action.requiredRoles ?? [],
    tenants: action.tenants ?? [],
    timeoutMs: timeoutSeconds === undefined ? settings.timeout : timeoutSeconds * 1000,
    owner: `callback:${settings.name}`,
    // The user's token is never kept, and a request without the token would be another request.
    repeatable: !settings.forwardAuthorization,
    checkArguments: schema.check,
    async execute(argumentsValue, context) {
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
    },
  };
}
