/**
 * Results that do more than pass data to the model (contract/plugins.md#results). They are recognised by identity and not by shape: data
 * that only looks like such a result stays data.
 */

export interface CardResult {
  readonly kind: 'card';
  readonly value: unknown;
  readonly card: unknown;
}

export interface NavigationResult {
  readonly kind: 'navigate';
  readonly page: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface UiActionResult {
  readonly kind: 'ui-action';
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A part of a result in the form of the Model Context Protocol. `data` and `blob` are base64. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly mimeType?: string } & (
        { readonly text: string } | { readonly blob: string }
      );
    };

export interface ContentResult {
  readonly kind: 'content';
  readonly parts: readonly ContentPart[];
}

/**
 * The set of all branded results of the process, found by a registered symbol. A plugin's `helper` and the server's own copy of this module
 * can be two instances, for example in a test runner, and a brand must be valid in both. Only code can reach the set, and the code of
 * plugins is trusted. Text of a model or a user is data and never gets a brand.
 */
const registryKey = Symbol.for('helper.brandedResults');
const registered: unknown = Reflect.get(globalThis, registryKey);
const branded: WeakSet<object> = registered instanceof WeakSet ? registered : new WeakSet();
Reflect.set(globalThis, registryKey, branded);

function brand<T extends object>(result: T): T {
  branded.add(result);
  return Object.freeze(result);
}

/** Shows an Adaptive Card beside the result. With `enableGenerativeCards: false` the model gets only the data. */
export function card(value: unknown, adaptiveCard: unknown): CardResult {
  return brand({ kind: 'card', value, card: adaptiveCard });
}

/** Sends the user to a page. `params` fill `{name}` in the page's `url`, encoded. Other `params` become the query. */
export function navigate(page: string, params: Readonly<Record<string, unknown>> = {}): NavigationResult {
  return brand({ kind: 'navigate', page, params });
}

/**
 * Asks the user's page to do something that it offers (`SetPage.actions` of the hub). The answer of the page becomes the result. When there
 * is no such page, as over SSE, the model is told so.
 */
export function uiAction(name: string, args: Readonly<Record<string, unknown>> = {}): UiActionResult {
  return brand({ kind: 'ui-action', name, arguments: args });
}

/**
 * A result of several parts: texts, images, sounds and files. Callers over MCP get them as they are. The model of a turn reads the texts, and
 * is told that there is something else. At most 100 parts, and 8 Mi characters in all.
 */
export function content(parts: readonly ContentPart[]): ContentResult {
  return brand({ kind: 'content', parts });
}

/** Whether `value` was made by `card`, `content`, `navigate` or `uiAction`, whichever instance of this module made it. */
export function isBrandedResult(
  value: unknown,
): value is CardResult | ContentResult | NavigationResult | UiActionResult {
  return typeof value === 'object' && value !== null && branded.has(value);
}
