import { a2aServerSection } from './a2a-server.schema.ts';
import { actionsSection } from './actions.schema.ts';
import { agentsSection } from './agents.schema.ts';
import { authSection } from './auth.schema.ts';
import { budgetsSection } from './budgets.schema.ts';
import { cardsSection } from './cards.schema.ts';
import { clientSection } from './client.schema.ts';
import { confirmationSection } from './confirmation.schema.ts';
import { coreSection } from './core.schema.ts';
import { corsSection } from './cors.schema.ts';
import { dashboardSection } from './dashboard.schema.ts';
import { dataProtectionSection } from './data-protection.schema.ts';
import { endpointsSection } from './endpoints.schema.ts';
import { guardrailsSection } from './guardrails.schema.ts';
import { historySection } from './history.schema.ts';
import { hostedSection } from './hosted.schema.ts';
import { filesSection } from './files.schema.ts';
import { imagesSection } from './images.schema.ts';
import { knowledgeSection } from './knowledge.schema.ts';
import { limitsSection } from './limits.schema.ts';
import { loggingSection } from './logging.schema.ts';
import { mcpSection } from './mcp.schema.ts';
import { mcpServerSection } from './mcp-server.schema.ts';
import { memorySection } from './memory.schema.ts';
import { modelsSection } from './models.schema.ts';
import { networkSection } from './network.schema.ts';
import { observabilitySection } from './observability.schema.ts';
import { routingSection } from './routing.schema.ts';
import { resultsSection } from './results.schema.ts';
import { retentionSection } from './retention.schema.ts';
import { scaleOutSection } from './scale-out.schema.ts';
import { serverSection } from './server.schema.ts';
import type { SectionSchema, SettingSchema } from './setting-schema.ts';
import { skillsSection } from './skills.schema.ts';
import { storageSection } from './storage.schema.ts';
import { tenancySection } from './tenancy.schema.ts';
import { toolFilterSection } from './tool-filter.schema.ts';
import { widgetSection } from './widget.schema.ts';

/** Every section of `helper.yaml`, in the order of the reference page and of `helper.full.yaml`. */
export const sections: readonly SectionSchema[] = [
  coreSection,
  modelsSection,
  routingSection,
  actionsSection,
  toolFilterSection,
  mcpSection,
  hostedSection,
  mcpServerSection,
  a2aServerSection,
  agentsSection,
  knowledgeSection,
  memorySection,
  skillsSection,
  guardrailsSection,
  limitsSection,
  budgetsSection,
  historySection,
  imagesSection,
  filesSection,
  confirmationSection,
  resultsSection,
  widgetSection,
  cardsSection,
  clientSection,
  serverSection,
  authSection,
  tenancySection,
  endpointsSection,
  corsSection,
  networkSection,
  storageSection,
  scaleOutSection,
  dataProtectionSection,
  retentionSection,
  loggingSection,
  dashboardSection,
  observabilitySection,
];

/** The whole of `helper.yaml`: what it is checked against, and the source of everything generated. */
export const helperSchema: SettingSchema & { readonly properties: Readonly<Record<string, SettingSchema>> } = {
  type: 'object',
  additionalProperties: false,
  required: sections.flatMap((section) => section.required ?? []),
  properties: Object.fromEntries(sections.flatMap((section) => Object.entries(section.properties))),
};
