/** The value of a cell. A value that is not plain has become a text. */
export type DemoCell = string | number | boolean | null;

export interface DemoProjectColumn {
  readonly title: string;
  /** The tones of values. Each value is shown as a label; a value that is not named here is neutral. */
  readonly tones?: Readonly<Record<string, string>>;
}

/** A list that a plugin shows. */
export interface DemoProjectList {
  readonly title: string;
  readonly description: string | null;
  readonly columns: readonly DemoProjectColumn[];
  /** Null when the plugin could not say. */
  readonly rows: readonly (readonly DemoCell[])[] | null;
  /** The number of all rows. `rows` may hold only the first ones. */
  readonly total: number;
}

export interface DemoProjectAction {
  readonly title: string;
  readonly description: string;
  /** Whether the user is asked before it runs. */
  readonly asks: boolean;
  /** Sentences in which users ask for the action. */
  readonly examples: readonly string[];
}

/**
 * What the demo page gets to know about the project (`GET /helper/demo`). Anybody may read it, so nothing in it needs a role. From the
 * configuration it has only the name of the application.
 */
export interface DemoProject {
  readonly appName: string;
  readonly actions: readonly DemoProjectAction[];
  /** The titles of pages that users can open without further details. */
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

/** `DemoProject` as a JSON Schema. */
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
