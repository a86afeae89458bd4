import type { CheckedDirection } from '../../core/guardrails/text-check.ts';
import type { FromSchema } from 'json-schema-to-ts';
import type { Page } from '../../core/pages/page.ts';
import { toolNameFault } from '../../core/tools/tool-name.ts';
import { confirmFaults, localizedSchema } from '../shared/action-words.ts';
import { destructiveFault } from '../shared/declared-policy.ts';
import { describeError } from '../shared/describe-error.ts';
import { compileSchemaCheck, type SchemaCheck } from '../shared/json-schema-check.ts';
import { pageUrlFault } from '../shared/page-url-fault.ts';
import { readToolSchema, type ToolSchema } from '../shared/tool-schema.ts';

const name = { type: 'string' } as const;
const title = { type: 'string', minLength: 1, maxLength: 200 } as const;
const description = { type: 'string', minLength: 1, maxLength: 10_000 } as const;
const examples = { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 500 } } as const;
const requiredRoles = { type: 'array', items: { type: 'string', minLength: 1 } } as const;

const tenants = { type: 'array', items: { type: 'string', minLength: 1, maxLength: 200 } } as const;

/** Unknown members are faults. A misspelt member may name roles or a confirmation, and must not be left out silently. */
const manifestSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['version'],
  properties: {
    version: { const: 1 },
    actions: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'description', 'parameters'],
        properties: {
          name,
          title: localizedSchema(200),
          description: localizedSchema(10_000),
          confirm: {
            type: 'object',
            additionalProperties: false,
            properties: { title: localizedSchema(200), approve: localizedSchema(60), decline: localizedSchema(60) },
          },
          parameters: { type: 'object' },
          readOnly: { type: 'boolean' },
          requiresConfirmation: { type: 'boolean' },
          destructive: { type: 'boolean' },
          trusted: { type: 'boolean' },
          requiredRoles,
          tenants,
          examples,
          timeoutSeconds: { type: 'number', exclusiveMinimum: 0, maximum: 86_400 },
        },
      },
    },
    pages: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'title', 'url', 'description'],
        properties: {
          name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$' },
          title,
          url: { type: 'string', minLength: 1 },
          description,
          query: { type: 'array', maxItems: 50, items: { type: 'string', minLength: 1, maxLength: 100 } },
          requiredRoles,
          selector: { type: 'string', minLength: 1, maxLength: 500 },
          placement: { enum: ['top', 'bottom', 'left', 'right'] },
        },
      },
    },
    hooks: { type: 'array', items: { enum: ['toolResult', 'inputGuardrail', 'outputGuardrail', 'search'] } },
  },
} as const;

type ManifestJson = FromSchema<typeof manifestSchema>;

/** An action as it was declared. `schema` checks its arguments. */
export type ManifestAction = Omit<NonNullable<ManifestJson['actions']>[number], 'parameters'> & {
  readonly schema: ToolSchema;
};

/** The checked content of a manifest (contract/plugins.md#callbacks). */
export interface Manifest {
  readonly actions: readonly ManifestAction[];
  readonly pages: readonly Page[];
  /** Whether every tool's result goes through the callback before the model reads it. */
  readonly transformsResults: boolean;
  /** Whether the callback is asked about each message, and about each reply. */
  readonly checks: Readonly<Record<CheckedDirection, boolean>>;
  /** Whether the callback is asked for documents. */
  readonly searches: boolean;
}

/** The most faults that the error names. These are enough to correct a manifest. */
const mostFaults = 5;

let check: SchemaCheck | undefined;

/** @throws Error that names the faults. */
export async function readManifest(text: string): Promise<Manifest> {
  check ??= compileSchemaCheck(manifestSchema, 'keepsValue');
  const json: unknown = JSON.parse(text);
  refuse(check(json).map(({ path, message }) => `${path || 'the manifest'} ${message}`));
  const { actions = [], pages = [], hooks = [] } = json as ManifestJson; // the schema has checked it
  const schemas: (ToolSchema | string)[] = [];
  for (const { parameters } of actions) schemas.push(await schemaOf(parameters));
  refuse([
    ...actions.flatMap((action, index) => {
      const schema = schemas[index];
      const nameFault = toolNameFault(action.name);
      const contradiction = destructiveFault(action);
      return [
        ...(nameFault === undefined ? [] : [`the name "${action.name.slice(0, 100)}" ${nameFault}`]),
        ...(contradiction === undefined ? [] : [`destructive: true of ${action.name} ${contradiction}`]),
        ...(typeof schema === 'object'
          ? confirmFaults(action, schema.schema).map((fault) => `confirm.title of ${action.name} ${fault}`)
          : []),
        ...(typeof schema === 'string' ? [`the parameters of ${action.name} cannot be used: ${schema}`] : []),
      ];
    }),
    ...pages.flatMap((page) => {
      const fault = pageUrlFault(page.url);
      return fault === undefined ? [] : [`the url of the page ${page.name} ${fault}`];
    }),
    ...repeated(actions).map((twice) => `the action ${twice} is there twice`),
    ...repeated(pages).map((twice) => `the page ${twice} is there twice`),
  ]);
  return {
    actions: actions.flatMap(({ parameters: _declared, ...action }, index) => {
      const schema = schemas[index];
      return typeof schema === 'object' ? [{ ...action, schema }] : [];
    }),
    pages: pages.map((page) => ({ ...page, requiredRoles: page.requiredRoles ?? [] })),
    transformsResults: hooks.includes('toolResult'),
    checks: { input: hooks.includes('inputGuardrail'), output: hooks.includes('outputGuardrail') },
    searches: hooks.includes('search'),
  };
}

/** The schema of `parameters`, or a text that says what is wrong with them. */
async function schemaOf(parameters: unknown): Promise<ToolSchema | string> {
  try {
    return await readToolSchema(parameters);
  } catch (error) {
    return describeError(error);
  }
}

function repeated(named: readonly { readonly name: string }[]): readonly string[] {
  const names = named.map((item) => item.name);
  return [...new Set(names.filter((item, index) => names.indexOf(item) !== index))];
}

function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const more = faults.length > mostFaults ? `; and ${String(faults.length - mostFaults)} more` : '';
  throw new Error(`the manifest is not valid: ${faults.slice(0, mostFaults).join('; ')}${more}`);
}
