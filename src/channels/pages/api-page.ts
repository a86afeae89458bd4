import { escaped } from '../shared/own-page.ts';
import { described, inline, membersOf, type Schema, typeOf } from './api-schema.ts';

/** The part of an OpenAPI document that the page shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface ApiOperation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Contents };
  readonly responses?: Readonly<Record<string, { readonly description?: string; readonly content?: Contents }>>;
}

interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

type Contents = Readonly<Record<string, { readonly schema?: Schema }>>;

interface ListedOperation extends ApiOperation {
  readonly method: string;
  readonly path: string;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** The inside of a page that shows every operation of the document. `documentPath`: its address, as HTML. */
export function apiPage(document: ApiDocument, documentPath: string): string {
  const { info, tags = [], components = {} } = document;
  const operations = operationsIn(document);
  const groups = tags.map(({ name, description }) => {
    const own = operations.filter((operation) => operation.tags?.includes(name) === true);
    const shown = own.map((operation) => operationHtml(operation, components.schemas ?? {}));
    return `<section><h2 id="${idOf(name)}">${escaped(name)}</h2>${described(description)}${shown.join('')}</section>`;
  });
  const contents = tags.map(({ name }) => `<li><a href="#${idOf(name)}">${escaped(name)}</a></li>`);
  return [
    `<div class="api"><p class="eyebrow">Version ${escaped(info.version)}</p><h1>API</h1>${described(info.description)}`,
    `<p><a href="${documentPath}">The same as an OpenAPI document</a></p>`,
    `<nav aria-label="Groups"><ul>${contents.join('')}</ul></nav>${groups.join('')}</div>`,
  ].join('');
}

function operationsIn({ paths = {} }: ApiDocument): readonly ListedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ ...operation, method, path }];
    }),
  );
}

function operationHtml(operation: ListedOperation, shared: Readonly<Record<string, Schema>>): string {
  const { method, path, summary = '', description, parameters = [], requestBody, responses = {} } = operation;
  const head = `<span class="method">${method.toUpperCase()}</span><code>${escaped(path)}</code><span>${inline(summary)}</span>`;
  const answers = Object.entries(responses).map(
    ([status, { description: told, content = {} }]) =>
      `<div class="answer"><strong>${escaped(status)}</strong>${described(told)}${contentsHtml(content, shared)}</div>`,
  );
  return [
    `<details id="${idOf(operation.operationId ?? `${method} ${path}`)}"><summary>${head}</summary>`,
    described(description),
    `<p class="small">${signInText(operation)}</p>`,
    parameters.length === 0 ? '' : `<h3>Parameters</h3>${parametersHtml(parameters, shared)}`,
    requestBody === undefined ? '' : `<h3>Body</h3><div>${contentsHtml(requestBody.content, shared)}</div>`,
    `<h3>Answers</h3><div>${answers.join('')}</div></details>`,
  ].join('');
}

function parametersHtml(parameters: readonly ApiParameter[], shared: Readonly<Record<string, Schema>>): string {
  const items = parameters.map(({ name, in: place, required = false, description, schema = {} }) => {
    const facts = [place, typeOf(schema, shared), ...(required ? ['required'] : [])].join(', ');
    return `<li><code>${escaped(name)}</code> <span class="type">${escaped(facts)}</span>${described(description)}</li>`;
  });
  return `<ul class="members">${items.join('')}</ul>`;
}

function contentsHtml(contents: Contents, shared: Readonly<Record<string, Schema>>): string {
  return Object.entries(contents)
    .map(([type, { schema = {} }]) => {
      const facts = `<span class="type">${escaped(typeOf(schema, shared))}</span>`;
      return `<p><code>${escaped(type)}</code> ${facts}</p>${membersOf(schema, shared)}`;
    })
    .join('');
}

/** Who may ask. Any one of the named ways suffices; an empty one means nobody needs to sign in. */
function signInText({ security = [] }: ApiOperation): string {
  const ways = [...new Set(security.flatMap((one) => Object.keys(one)))].map((way) => `<code>${escaped(way)}</code>`);
  if (ways.length === 0) return 'Open to everyone.';
  const isOptional = security.some((one) => Object.keys(one).length === 0);
  return `${isOptional ? 'Open to everyone; signs in by' : 'Signs in by'} ${ways.join(' or ')}.`;
}

function idOf(text: string): string {
  return escaped(text.replaceAll(' ', '-'));
}
