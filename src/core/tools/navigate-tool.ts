import type { ArgumentCheck, Tool } from './tool.ts';
import type { Page } from '../pages/page.ts';
import { parametersOf } from '../pages/resolve-page-url.ts';
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
          properties: Object.fromEntries(
            pages.flatMap(parametersOf).map((name) => [name, { type: ['string', 'number', 'boolean'] }]),
          ),
          additionalProperties: false,
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
  const params = asRecord(record['params'] ?? {});
  if (params === undefined) faults.push('params must be an object');
  const declared = pages.find(({ name }) => name === record['page']);
  if (declared !== undefined && params !== undefined) faults.push(...undeclared(declared, params));
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: record };
}

/** A model may have read somewhere what it wants to add to an address, so only what the page declares is added. */
function undeclared(page: Page, params: Readonly<Record<string, unknown>>): readonly string[] {
  const known = parametersOf(page);
  const [first, ...rest] = Object.keys(params).filter((name) => !known.includes(name));
  if (first === undefined) return [];
  const taken = known.length === 0 ? 'no parameters' : `only ${known.join(', ')}`;
  return [`the page ${page.name} takes ${taken}, so params must not have ${[first, ...rest].slice(0, 5).join(', ')}`];
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
