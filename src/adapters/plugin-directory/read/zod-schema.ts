import { hasMembers, type Members } from '../../shared/members.ts';

interface ZodIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

type ZodOutcome =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly ZodIssue[] } };

/** The parts of a schema that Zod 3 and Zod 4 have in common. The plugin brings its own Zod; this server never loads one for it. */
export interface ZodSchema {
  safeParse(value: unknown): ZodOutcome;
  safeParseAsync(value: unknown): Promise<ZodOutcome>;
}

/** Whether a `parameters` member is a Zod schema rather than JSON Schema. */
export function isZodSchema(value: unknown): value is ZodSchema {
  // A JSON Schema is data. Only a Zod schema has these two functions.
  return hasMembers(value) && typeof value['safeParse'] === 'function' && typeof value['safeParseAsync'] === 'function';
}

/**
 * The JSON Schema of the values that a Zod schema accepts.
 * @throws Error when Zod has no JSON Schema for a part of it, such as a date.
 */
export async function jsonSchemaOfZod(schema: ZodSchema): Promise<Members> {
  // The module is loaded here, and only for plugins that use Zod. Every other start would take about 80 ms longer.
  const { toJsonSchema } = await import('@langchain/core/utils/json_schema');
  // `isZodSchema` has accepted the schema. For a part that it does not know, the function throws.
  const converted: unknown = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], { io: 'input' });
  if (!hasMembers(converted)) throw new Error('it has no JSON Schema');
  return converted;
}

/** One line for each issue, which names the argument. Empty when the value is valid, or when only `parseWithZod` can tell. */
export function zodFaults(schema: ZodSchema, value: unknown): readonly string[] {
  try {
    const outcome = schema.safeParse(value);
    return outcome.success ? [] : outcome.error.issues.map(issueText);
  } catch {
    return []; // Asynchronous refinements cannot run here. They run when the action runs.
  }
}

/**
 * The value that the action's `execute` gets, with the defaults, transforms and refinements of the schema applied.
 * @throws Error that names every issue.
 */
export async function parseWithZod(schema: ZodSchema, value: unknown): Promise<unknown> {
  const outcome = await schema.safeParseAsync(value);
  if (outcome.success) return outcome.data;
  throw new Error(outcome.error.issues.map(issueText).join('; '));
}

function issueText(issue: ZodIssue): string {
  return `${issue.path.length === 0 ? 'arguments' : issue.path.map(String).join('.')}: ${issue.message}`;
}
