import { hasMembers, type Members } from '../../shared/members.ts';

interface ZodIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

type ZodOutcome =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly ZodIssue[] } };

/** What Zod 3 and Zod 4 have in common. The plugin brings its own Zod; this server never loads one for it. */
export interface ZodSchema {
  safeParse(value: unknown): ZodOutcome;
  safeParseAsync(value: unknown): Promise<ZodOutcome>;
}

/** Whether a `parameters` member is a Zod schema rather than JSON Schema. */
export function isZodSchema(value: unknown): value is ZodSchema {
  // A JSON Schema is data: nothing but a Zod schema has these two functions.
  return hasMembers(value) && typeof value['safeParse'] === 'function' && typeof value['safeParseAsync'] === 'function';
}

/**
 * The JSON Schema of what a Zod schema takes in.
 * @throws Error when Zod knows no JSON Schema for a part of it, such as a date.
 */
export async function jsonSchemaOfZod(schema: ZodSchema): Promise<Members> {
  // Loaded here, and only for plugins that use Zod: it would cost every other start about 80 ms.
  const { toJsonSchema } = await import('@langchain/core/utils/json_schema');
  // `isZodSchema` saw it; what it does not know it answers with an error.
  const converted: unknown = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], { io: 'input' });
  if (!hasMembers(converted)) throw new Error('it has no JSON Schema');
  return converted;
}

/** One line per issue, naming the argument. Empty when the value is valid, or when only `parseWithZod` can tell. */
export function zodFaults(schema: ZodSchema, value: unknown): readonly string[] {
  try {
    const outcome = schema.safeParse(value);
    return outcome.success ? [] : outcome.error.issues.map(issueText);
  } catch {
    return []; // Asynchronous refinements cannot be asked here; they are when the action runs.
  }
}

/**
 * What the action's `execute` receives: defaults, transforms and refinements of the schema applied.
 * @throws Error naming every issue.
 */
export async function parseWithZod(schema: ZodSchema, value: unknown): Promise<unknown> {
  const outcome = await schema.safeParseAsync(value);
  if (outcome.success) return outcome.data;
  throw new Error(outcome.error.issues.map(issueText).join('; '));
}

function issueText(issue: ZodIssue): string {
  return `${issue.path.length === 0 ? 'arguments' : issue.path.map(String).join('.')}: ${issue.message}`;
}
