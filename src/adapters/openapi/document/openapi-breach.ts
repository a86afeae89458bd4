import { Validator } from '@seriousme/openapi-schema-validator';
import { hasMembers } from '../../shared/members.ts';
import { placeOf } from './operation-parts.ts';
import type { OperationRead } from './read-operation.ts';

/** Checks operations against the schema of OpenAPI itself. It is built once for a document, because building it is slow. */
export class BreachFinder {
  readonly #version: string;
  readonly #validator = new Validator({ allErrors: false });

  /** `version`: as the document gives it, such as `3.1.0`. */
  constructor(version: string) {
    this.#version = version;
  }

  /**
   * Where the parameters and the body of an operation break OpenAPI. Undefined where they keep to it. References stay as they are: what they
   * lead to is not checked.
   */
  async find({ operation, declared }: OperationRead): Promise<string | undefined> {
    const { method, path, id } = operation;
    const { parameters, body } = declared;
    const checked = {
      parameters,
      ...(body === undefined ? {} : { requestBody: body }),
      responses: { default: { description: 'not checked' } },
    };
    const document = {
      openapi: this.#version,
      info: { title: 'not checked', version: '1' },
      paths: { [path]: { [method]: checked } },
    };
    const { errors } = await this.#validator.validate(document).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      return { errors: undefined };
    });
    // A text is about references, which lead out of the part that is checked.
    if (!Array.isArray(errors)) return undefined;
    // The first words of nested rules say what is wrong; the last ones say that the whole is.
    const [first] = errors;
    if (!hasMembers(first)) return undefined;
    const { instancePath, message } = first;
    const at = instancePath.split('/').slice(4).join('.');
    return `${placeOf(operation)} (${id}) at ${at.slice(0, 200) || 'its beginning'}: ${String(message).slice(0, 200)}`;
  }
}
