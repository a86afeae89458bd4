import { hostedMcpPrefix } from './hosted-name.ts';

const toolNamePattern = /^[a-z][a-z0-9_]{0,63}$/;
/** The tool that sends the user to a page (contract/plugins.md#results). */
export const navigateToPageName = 'navigate_to_page';
/** The tool that gives the instructions of a skill (contract/skills.md#tools). */
export const loadSkillName = 'load_skill';
/** The tool that gives the text of a file of a skill. */
export const readSkillResourceName = 'read_skill_resource';
/** The tool that finds tools which the model was not sent (contract/tool-filter.md#finding-others). */
export const findToolsName = 'find_tools';
/** The tool by which the coordinator hands over to another agent (contract/agents.md#handing-over). */
export const routeToSpecialistName = 'route_to_specialist';
/** The tool by which a member of a team gives the conversation to another member (contract/agents.md#teams). */
export const handOffName = 'hand_off';
const reservedNames = new Set([
  handOffName,
  routeToSpecialistName,
  navigateToPageName,
  'remember',
  loadSkillName,
  readSkillResourceName,
  findToolsName,
]);
/** The beginning of the names of the tools that pages offer (contract/ui-actions.md). */
export const uiActionPrefix = 'page_';

/**
 * The name of an action in metrics. All actions of pages share one name, and so do all tools of hosted MCP servers, because no label
 * comes from a page or a server (contract/operations.md#metrics).
 */
export function meteredName(action: string): string {
  if (action.startsWith(hostedMcpPrefix)) return `${hostedMcpPrefix}*`;
  return action.startsWith(uiActionPrefix) ? `${uiActionPrefix}*` : action;
}

/** Whether a name belongs to a tool of the server itself, of a page, or of a hosted MCP server. */
export function isReservedName(name: string): boolean {
  return reservedNames.has(name) || name.startsWith(uiActionPrefix) || name.startsWith(hostedMcpPrefix);
}

/** Why a host may not give this name to an action or tool (contract/plugins.md#actions); undefined when it may. */
export function toolNameFault(name: string): string | undefined {
  if (!toolNamePattern.test(name)) {
    return 'must be lower case letters, digits and underscores, begin with a letter and have at most 64 characters';
  }
  if (isReservedName(name)) {
    return 'is reserved for a tool of the server; choose another name';
  }
  return undefined;
}
