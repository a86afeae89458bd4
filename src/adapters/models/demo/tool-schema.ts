import type { ToolDeclaration } from '../../../core/ports/chat-model.ts';
import { listOf, objectOf, textOf } from '../json-values.ts';
import { isVerb, termsOf, type Verb } from './lexicon.ts';
import { labelOf, wordsOf, wordsOfName } from './words.ts';

/** A parameter as the demo model sees it. */
export interface DemoParameter {
  readonly name: string;
  readonly label: string;
  readonly kind: 'integer' | 'number' | 'money' | 'choice' | 'code' | 'date' | 'text' | 'other';
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  readonly terms: ReadonlySet<string>;
}

/** A tool as the demo model sees it: the meanings in its name and description, and its parameters. */
export interface DemoTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly nameTerms: ReadonlySet<string>;
  readonly descriptionTerms: ReadonlySet<string>;
  readonly verbs: readonly Verb[];
  /** The meaning of the first word of the name. In most tools that word is the action. */
  readonly firstTerm: string;
  readonly parameters: readonly DemoParameter[];
}

/** This prefix says where a tool runs, not what it does. */
const uiActionPrefix = /^page_/;
/** A text parameter with such a name is a sum with its currency. */
const moneyTerms: ReadonlySet<string> = termsOf(['amount', 'price', 'cost']);
const codeName = new Set(['id', 'number', 'no', 'code', 'key', 'reference', 'ref', 'sku']);
const cache = new WeakMap<ToolDeclaration, DemoTool>();

/** Reads the declaration of a tool. */
export function demoTool(declaration: ToolDeclaration): DemoTool {
  const known = cache.get(declaration);
  if (known !== undefined) return known;
  const name = declaration.name.replace(uiActionPrefix, '');
  const words = wordsOfName(name);
  const nameTerms = termsOf(words);
  const [firstTerm = ''] = termsOf(words.slice(0, 1));
  const tool: DemoTool = {
    name: declaration.name,
    label: labelOf(name),
    description: declaration.description,
    nameTerms,
    descriptionTerms: termsOf(wordsOf(declaration.description.slice(0, 1_000))),
    verbs: [...nameTerms].filter(isVerb),
    firstTerm,
    parameters: parametersOf(declaration),
  };
  cache.set(declaration, tool);
  return tool;
}

function parametersOf({ parameters }: ToolDeclaration): readonly DemoParameter[] {
  const required = new Set(listOf(parameters['required']));
  return Object.entries(objectOf(parameters['properties']) ?? {}).map(([name, value]) => {
    const schema = objectOf(value) ?? {};
    const choices = listOf(schema['enum']).filter((choice): choice is string => typeof choice === 'string');
    return {
      name,
      label: textOf(schema['title']) ?? labelOf(name),
      kind: kindOf(name, schema, choices),
      isRequired: required.has(name),
      choices,
      terms: termsOf(wordsOfName(name)),
    };
  });
}

function kindOf(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  choices: readonly string[],
): DemoParameter['kind'] {
  const types = [schema['type'], ...listOf(schema['type'])];
  if (choices.length > 0) return 'choice';
  if (types.includes('integer')) return 'integer';
  if (types.includes('number')) return 'number';
  if (!types.includes('string')) return 'other';
  if (schema['format'] === 'date') return 'date';
  const words = wordsOfName(name);
  if (codeName.has(words.at(-1) ?? '')) return 'code';
  return [...termsOf(words)].some((term) => moneyTerms.has(term)) ? 'money' : 'text';
}
