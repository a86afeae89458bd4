import { oneLine } from '../../../core/base/one-line.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { titleOf } from '../../shared/title-of.ts';
import type { OpenapiLimits } from '../openapi-limits.ts';
import { ArgumentNames } from './argument-names.ts';
import { DocumentFault } from './document-fault.ts';
import type { DocumentSet } from './document-set.ts';
import type { ImportedOperation, OperationArgument } from './imported-operation.ts';
import type { DeclaredOperation } from './operation-parts.ts';
import { readBody, type ReadBody } from './read-body.ts';
import { readParameters, type ReadParameter } from './read-parameters.ts';
import { textIn } from './schema-keywords.ts';
import { SchemaReader, SchemaTooLarge } from './schema-reader.ts';

/** What operations are read with. */
export interface OperationReading {
  readonly documents: DocumentSet;
  readonly limits: OpenapiLimits;
  /** Headers that the configuration sets, in lower case. */
  readonly configuredHeaders: ReadonlySet<string>;
}

/** An operation, and its parts as the document declares them. */
export interface OperationRead {
  readonly operation: ImportedOperation;
  readonly declared: { readonly parameters: readonly Members[]; readonly body: Members | undefined };
}

interface AddedArgument extends OperationArgument {
  readonly schema: Members;
  readonly isRequired: boolean;
}

interface Shape {
  readonly schema: Members;
  readonly arguments: readonly OperationArgument[];
}

/**
 * Reads an operation so that it can be called with one flat object of arguments (contract/openapi.md#arguments).
 * @throws DocumentFault that says why it cannot be imported.
 */
export async function readOperation(
  declared: DeclaredOperation & { readonly toolName: string },
  reading: OperationReading,
): Promise<OperationRead> {
  const { id, toolName, method, path, part } = declared;
  const { limits, documents } = reading;
  const parameters = await readParameters(documents, declared, reading.configuredHeaders);
  const body = await readBody(documents, declared);
  const shape = await shapeOf(parameters.shown, body, reading);
  const words = hasMembers(part.value) ? part.value : {};
  const summary = oneLine(textIn(words['summary'], limits.titleLength));
  const told = [summary, textIn(words['description'], limits.descriptionLength)].filter((text) => text !== '');
  return {
    operation: {
      id,
      toolName,
      method,
      path,
      title: summary === '' ? titleOf(toolName) : summary,
      description: (told.join('\n') || `${method.toUpperCase()} ${path}`).slice(0, limits.descriptionLength),
      parameters: shape.schema,
      arguments: shape.arguments,
      bodyType: body?.type,
      ...(body === undefined || body.kind === 'json' ? {} : { bodyKind: body.kind }),
      bodyRequired: body?.required ?? false,
      keyHeader: parameters.keyHeader,
    },
    declared: { parameters: parameters.declared, body: body?.declared },
  };
}

/**
 * The arguments with as many levels of their schemas as there is room for. Each character is sent to the model with each message, so what fits
 * barely is told with fewer levels.
 */
async function shapeOf(
  parameters: readonly ReadParameter[],
  body: ReadBody | undefined,
  { documents, limits }: OperationReading,
): Promise<Shape> {
  let fitting: Shape | undefined;
  for (const levels of limits.schemaLevels) {
    try {
      const shape = await flatShape(
        parameters,
        body,
        new SchemaReader(documents, { levels, parts: limits.schemaParts }),
      );
      const { length } = JSON.stringify(shape.schema);
      if (length <= limits.schemaGoal) return shape;
      if (length <= limits.schemaLength) fitting = shape;
    } catch (error) {
      if (!(error instanceof SchemaTooLarge)) throw error;
    }
  }
  if (fitting !== undefined) return fitting;
  throw new DocumentFault('has parameters that are too long for a model');
}

async function flatShape(
  parameters: readonly ReadParameter[],
  body: ReadBody | undefined,
  schemas: SchemaReader,
): Promise<Shape> {
  const names = new ArgumentNames();
  const properties = new Map<string, Members>();
  const required: string[] = [];
  const targets: OperationArgument[] = [];
  const add = ({ argument, target, schema, isRequired }: AddedArgument): void => {
    properties.set(argument, schema);
    targets.push({ argument, target });
    if (isRequired) required.push(argument);
  };
  const order = { path: 0, query: 1, header: 2 };
  for (const parameter of parameters.toSorted((left, right) => order[left.in] - order[right.in])) {
    const { in: location, name, style, explode, description } = parameter;
    const schema = await schemas.read(parameter.schema);
    const described = description === '' ? schema : { ...schema, description };
    const target = { in: location, name, style, explode };
    add({ argument: names.give(name, location), target, schema: described, isRequired: parameter.required });
  }
  for (const member of body?.members ?? []) {
    const { name, required: isRequired, style: encoding } = member;
    const schema = await schemas.read(member.schema);
    const target = { in: 'member', name, ...(encoding === undefined ? {} : { encoding }) } as const;
    add({ argument: names.give(name, 'body'), target, schema, isRequired });
  }
  if (body !== undefined && body.members === undefined) {
    const schema = await schemas.read(body.schema);
    add({ argument: names.give('body', 'request'), target: { in: 'body' }, schema, isRequired: body.required });
  }
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    arguments: targets,
  };
}
