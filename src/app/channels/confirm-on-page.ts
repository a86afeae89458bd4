import type { HelperSettings } from '../../config/settings.ts';

/** Whether the users of MCP clients are asked on a page (contract/mcp-server.md#confirmations). */
export function mcpAsksOnPage({ mcpServerEnabled, endpoints }: HelperSettings): boolean {
  return mcpServerEnabled && endpoints.mcp?.confirmations === 'page';
}

/** Whether the users of other agents are (contract/a2a-server.md#confirmations). */
export function a2aAsksOnPage({ a2aServerEnabled, endpoints }: HelperSettings): boolean {
  return a2aServerEnabled && endpoints.a2a?.confirmations === 'page';
}

/** The path of the page of a question, below the address of the server. */
export function confirmPath({ server }: HelperSettings, actionId: string): string {
  return `${server.basePath}/helper/confirm/${actionId}`;
}

/** What a program shows its user beside the address of the page. */
export async function confirmMessage({ language }: HelperSettings): Promise<(title: string) => string> {
  const { confirmTexts, filled } = await import('../../channels/confirm/texts/texts-for.ts');
  return (title) => filled(confirmTexts[language].confirmHere, { action: title });
}
