/** What a cell of a list shows. Whatever is no plain value has become a text. */
export type DemoCell = string | number | boolean | null;

export interface DemoProjectColumn {
  readonly title: string;
  /** With tones each value is shown as a label; one that is not named is neutral. */
  readonly tones?: Readonly<Record<string, string>>;
}

/** A list that a plugin shows. */
export interface DemoProjectList {
  readonly title: string;
  readonly description: string | null;
  readonly columns: readonly DemoProjectColumn[];
  /** Null when the plugin could not say. */
  readonly rows: readonly (readonly DemoCell[])[] | null;
  /** How many rows there are, of which `rows` may be the first. */
  readonly total: number;
}

export interface DemoProjectAction {
  readonly title: string;
  readonly description: string;
  /** Whether the user is asked before it runs. */
  readonly asks: boolean;
  /** What users say for it. */
  readonly examples: readonly string[];
}

/**
 * What the demo page gets to know of the project (`GET /helper/demo`). Anybody may read it: there is nothing in it that needs a
 * role, and of the configuration nothing but the name of the application.
 */
export interface DemoProject {
  readonly appName: string;
  readonly actions: readonly DemoProjectAction[];
  /** Titles of pages that need no further detail to go to. */
  readonly pages: readonly string[];
  readonly lists: readonly DemoProjectList[];
}

const texts = { type: 'array', items: { type: 'string' } } as const;

const columnSchema = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string' },
    tones: { type: 'object', additionalProperties: { type: 'string' } },
  },
} as const;

const cellSchema = { type: ['string', 'number', 'boolean', 'null'] } as const;

const listSchema = {
  type: 'object',
  required: ['title', 'description', 'columns', 'rows', 'total'],
  properties: {
    title: { type: 'string' },
    description: { type: ['string', 'null'] },
    columns: { type: 'array', items: columnSchema },
    rows: { type: ['array', 'null'], items: { type: 'array', items: cellSchema } },
    total: { type: 'integer' },
  },
} as const;

/** The same as a JSON Schema. */
export const demoProjectSchema = {
  type: 'object',
  required: ['appName', 'actions', 'pages', 'lists'],
  properties: {
    appName: { type: 'string' },
    actions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'description', 'asks', 'examples'],
        properties: {
          title: { type: 'string' },
          description: { type: 'string' },
          asks: { type: 'boolean' },
          examples: texts,
        },
      },
    },
    pages: texts,
    lists: { type: 'array', items: listSchema },
  },
} as const;
