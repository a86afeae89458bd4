import { actionSourcesRule, callbacksRule, guardrailRule, pageNamesRule, toolResultRule } from './action-rules.ts';
import { authorizationRule, sharedUsersRule, tokenCookieRule, tokenIssuerRule, tokenKeyRule } from './auth-rules.ts';
import { budgetsRule } from './budget-rules.ts';
import { agentDisplaysRule, hubUrlRule } from './client-rules.ts';
import { certificateFilesRule, rootFilesRule } from './certificate-rules.ts';
import { fileBytesRule } from './file-rules.ts';
import { hostedToolsRule } from './hosted-rules.ts';
import { ragSourcesRule } from './knowledge-rules.ts';
import { mcpServersRule } from './mcp-rules.ts';
import { a2aConfirmationsRule, a2aEndpointRule, signingKeyRule } from './a2a-server-rules.ts';
import { mcpConfirmationsRule, mcpCorsRule, mcpEndpointRule } from './mcp-server-rules.ts';
import { answererRule, modelFieldsRule, modelNamesRule, serviceHistoryRule } from './model-rules.ts';
import { openapiRule } from './openapi-rules.ts';
import { otlpEndpointRule } from './observability-rules.ts';
import type { Rule } from './rule.ts';
import { anyOriginRule, metricsPortRule, serverPathsRule, webhooksRule } from './server-rules.ts';
import { redisAddressRule, replicasRule } from './scale-out-rules.ts';
import { skillFoldersRule } from './skill-rules.ts';
import { retentionRule, storageUrlRule } from './storage-rules.ts';

/** The cross-field rules of contract/configuration.md#faults, in the order of the file. */
export const allRules: readonly Rule[] = [
  answererRule,
  modelNamesRule,
  modelFieldsRule,
  serviceHistoryRule,
  actionSourcesRule,
  callbacksRule,
  openapiRule,
  guardrailRule,
  pageNamesRule,
  toolResultRule,
  mcpServersRule,
  hostedToolsRule,
  mcpEndpointRule,
  a2aEndpointRule,
  a2aConfirmationsRule,
  signingKeyRule,
  mcpConfirmationsRule,
  mcpCorsRule,
  ragSourcesRule,
  skillFoldersRule,
  budgetsRule,
  fileBytesRule,
  hubUrlRule,
  agentDisplaysRule,
  serverPathsRule,
  webhooksRule,
  metricsPortRule,
  certificateFilesRule,
  tokenKeyRule,
  tokenIssuerRule,
  sharedUsersRule,
  tokenCookieRule,
  authorizationRule,
  anyOriginRule,
  rootFilesRule,
  storageUrlRule,
  redisAddressRule,
  replicasRule,
  retentionRule,
  otlpEndpointRule,
];
