import type { ArgumentCheck, Tool } from './tool.ts';
import type { Page } from '../pages/page.ts';
import { navigateToPageName } from './tool-name.ts';

/** The built-in tool that sends the user to a page (contract/plugins.md#results). It changes nothing, so it does not ask. */
export function navigateTool(pages: readonly Page[]): Tool {
  const list = pages.map(({ name, title, description }) => `- ${name}: ${title}. ${description}`).join('\n');
  return {
    name: navigateToPageName,
    title: 'Open a page',
    description: `Sends the user's browser to one of the application's pages. Use it only when the user wants to go there.\n${list}`,
    parameters: {
      type: 'object',
      properties: {
        page: { type: 'string', enum: pages.map(({ name }) => name), description: 'The name of the page' },
        params: {
          type: 'object',
          description: 'Values for the placeholders in the address, and for its query',
          additionalProperties: { type: ['string', 'number', 'boolean'] },
        },
      },
      required: ['page'],
      additionalProperties: false,
    },
    source: 'built-in',
    readOnly: true,
    requiresConfirmation: undefined,
    editable: false,
    requiredRoles: [],
    timeoutMs: 10_000,
    owner: 'helper',
    checkArguments: (value) => checkNavigation(value, pages),
    execute: (argumentsValue) => {
      const { page, params } = navigation(argumentsValue);
      return Promise.resolve({ value: `The user is being sent to the page ${page}.`, navigate: { page, params } });
    },
  };
}

function checkNavigation(value: unknown, pages: readonly Page[]): ArgumentCheck {
  const record = asRecord(value);
  if (record === undefined) return { ok: false, faults: ['the arguments must be an object'] };
  const faults: string[] = [];
  if (!pages.some(({ name }) => name === record['page'])) {
    faults.push(`page must be one of ${pages.map(({ name }) => name).join(', ')}`);
  }
  if (record['params'] !== undefined && asRecord(record['params']) === undefined)
    faults.push('params must be an object');
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: record };
}

function navigation(argumentsValue: Readonly<Record<string, unknown>>): {
  page: string;
  params: Readonly<Record<string, unknown>>;
} {
  return { page: String(argumentsValue['page']), params: asRecord(argumentsValue['params']) ?? {} };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}
