import type { Requirement } from './requirement.ts';
import { budgetRequirements, repeatedCallRequirements } from './requirements/budgets.ts';
import { deployedReplicaRequirements } from './requirements/deployed-replicas.ts';
import { guardrailRequirements } from './requirements/guardrails.ts';
import { provenanceRequirements } from './requirements/provenance.ts';
import { wireSection1 } from './requirements/wire-1.ts';
import { wireSection2 } from './requirements/wire-2.ts';
import { wireSection3 } from './requirements/wire-3.ts';
import { wireSection3Connections } from './requirements/wire-3-connections.ts';
import { wireSection4 } from './requirements/wire-4.ts';
import { wireSection5 } from './requirements/wire-5.ts';
import { wireSection5Sessions } from './requirements/wire-5-sessions.ts';
import { wireSection5Faults } from './requirements/wire-5-faults.ts';
import { wireSection6 } from './requirements/wire-6.ts';
import { wireSection7 } from './requirements/wire-7.ts';
import { wireSection8 } from './requirements/wire-8.ts';
import { wireSection9 } from './requirements/wire-9.ts';
import { wireSection10 } from './requirements/wire-10.ts';
import { receiptRequirements } from './requirements/receipts.ts';
import { uiActionRequirements } from './requirements/ui-actions.ts';
import { conversationRequirements } from './requirements/conversations.ts';
import { publishedActionRequirements } from './requirements/mcp-server.ts';
import { hostedToolRequirements } from './requirements/hosted-tools.ts';
import { a2aServerRequirements } from './requirements/a2a-server.ts';
import { agUiRequirements } from './requirements/ag-ui.ts';
import { openAiRequirements } from './requirements/openai.ts';
import { mcpServerRequirements } from './requirements/mcp-servers.ts';
import { dashboardRequirements } from './requirements/dashboard.ts';
import { doorRequirements } from './requirements/doors.ts';
import { serviceSection1 } from './requirements/service-1.ts';
import { agentsAtWorkRequirements } from './requirements/agents-at-work.ts';
import { answeringAgentRequirements } from './requirements/answering-agents.ts';
import { remoteAgentRequirements } from './requirements/service-2-18.ts';
import { serviceSection2Point2 } from './requirements/service-2-2.ts';
import { serviceSection2Point3 } from './requirements/service-2-3.ts';
import { serviceSection2Point4 } from './requirements/service-2-4.ts';
import { serviceSection2Point5 } from './requirements/service-2-5.ts';
import { serviceSection2Point6 } from './requirements/service-2-6.ts';
import { serviceSection2Point7 } from './requirements/service-2-7.ts';
import { serviceSection2Point8 } from './requirements/service-2-8.ts';
import { serviceSection2Point9 } from './requirements/service-2-9.ts';
import { memoryRequirements } from './requirements/service-2-10.ts';
import { knowledgeRequirements } from './requirements/service-2-11.ts';
import { vectorRequirements } from './requirements/documents-by-meaning.ts';
import { routingRequirements, serviceSection2Point14 } from './requirements/service-2-14.ts';
import { serviceSection2Point20 } from './requirements/service-2-20.ts';
import { serviceSection2Point22 } from './requirements/service-2-22.ts';
import { serviceSection3 } from './requirements/service-3.ts';
import { serviceSection4Point2 } from './requirements/service-4-2.ts';
import { serviceSection5 } from './requirements/service-5.ts';
import { serviceSection7 } from './requirements/service-7.ts';
import { serviceSection8 } from './requirements/service-8.ts';
import { serviceSection9 } from './requirements/service-9.ts';
import { configurationSection1 } from './requirements/configuration-1.ts';
import { configurationSection3 } from './requirements/configuration-3.ts';
import { extendingSection1 } from './requirements/extending-1.ts';
import { extendingSection2 } from './requirements/extending-2.ts';
import { importedOperationRequirements } from './requirements/imported-operations.ts';
import { agentDefinitionRequirements } from './requirements/extending-4.ts';
import { configurationSection7 } from './requirements/configuration-7.ts';
import { documentFolderRequirements } from './requirements/document-folders.ts';
import { skillRequirements } from './requirements/skills.ts';
import { widgetAgents } from './requirements/widget-agents.ts';
import { widgetTrust } from './requirements/widget-trust.ts';
import { rotationRequirements } from './requirements/secret-rotation.ts';
import { tenancyRequirements } from './requirements/tenancy.ts';
import { modelLayerRequirements } from './requirements/model-layers.ts';
import { tableRequirements } from './requirements/tables.ts';
import { toolFilterRequirements } from './requirements/tool-filter.ts';
import { replicaFaultRequirements } from './requirements/replica-faults.ts';
import { replicaRequirements } from './requirements/replicas.ts';
import { turnsOfReplicasRequirements } from './requirements/turns-of-replicas.ts';
import { restartRequirements } from './requirements/restarts.ts';

/** Every statement of `docs/contract`, with the tests that prove it. */
export const requirements: readonly Requirement[] = [
  ...tableRequirements,
  ...provenanceRequirements,
  ...budgetRequirements,
  ...repeatedCallRequirements,
  ...publishedActionRequirements,
  ...wireSection1,
  ...wireSection2,
  ...wireSection3,
  ...wireSection3Connections,
  ...wireSection4,
  ...wireSection5,
  ...wireSection5Sessions,
  ...wireSection5Faults,
  ...wireSection6,
  ...wireSection7,
  ...widgetAgents,
  ...widgetTrust,
  ...wireSection8,
  ...wireSection9,
  ...wireSection10,
  ...receiptRequirements,
  ...uiActionRequirements,
  ...doorRequirements,
  ...hostedToolRequirements,
  ...mcpServerRequirements,
  ...a2aServerRequirements,
  ...agUiRequirements,
  ...openAiRequirements,
  ...serviceSection1,
  ...serviceSection2Point2,
  ...serviceSection2Point3,
  ...serviceSection2Point4,
  ...serviceSection2Point5,
  ...serviceSection2Point6,
  ...serviceSection2Point7,
  ...serviceSection2Point8,
  ...serviceSection2Point9,
  ...memoryRequirements,
  ...knowledgeRequirements,
  ...vectorRequirements,
  ...serviceSection2Point14,
  ...routingRequirements,
  ...agentsAtWorkRequirements,
  ...remoteAgentRequirements,
  ...answeringAgentRequirements,
  ...serviceSection2Point20,
  ...serviceSection2Point22,
  ...serviceSection3,
  ...serviceSection4Point2,
  ...serviceSection5,
  ...serviceSection7,
  ...serviceSection8,
  ...serviceSection9,
  ...configurationSection1,
  ...configurationSection3,
  ...extendingSection1,
  ...extendingSection2,
  ...importedOperationRequirements,
  ...agentDefinitionRequirements,
  ...configurationSection7,
  ...dashboardRequirements,
  ...skillRequirements,
  ...toolFilterRequirements,
  ...modelLayerRequirements,
  ...rotationRequirements,
  ...replicaRequirements,
  ...turnsOfReplicasRequirements,
  ...replicaFaultRequirements,
  ...deployedReplicaRequirements,
  ...restartRequirements,
  ...tenancyRequirements,
  ...documentFolderRequirements,
  ...conversationRequirements,
  ...guardrailRequirements,
];
