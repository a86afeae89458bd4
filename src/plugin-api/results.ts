/**
 * Results that do more than hand data to the model (contract/plugins.md#results). They are branded by identity, not by shape: data
 * that merely looks like one stays data.
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

/**
 * One set for the whole process, found by a registered symbol: a plugin's `helper` and the server's own copy of this
 * module can be two instances (a test runner, a bundle beside its sources), and a brand must hold in both. Only code
 * can reach it, and a plugin is trusted code; what a model or a user sends is data and never gets a brand.
 */
const registryKey = Symbol.for('helper.brandedResults');
const registered: unknown = Reflect.get(globalThis, registryKey);
const branded: WeakSet<object> = registered instanceof WeakSet ? registered : new WeakSet();
Reflect.set(globalThis, registryKey, branded);

function brand<T extends object>(result: T): T {
  branded.add(result);
  return Object.freeze(result);
}

/** Shows an Adaptive Card beside the result. With `enableGenerativeCards: false` the model gets the data alone. */
export function card(value: unknown, adaptiveCard: unknown): CardResult {
  return brand({ kind: 'card', value, card: adaptiveCard });
}

/** Sends the user to a page: `params` fill `{name}` in its `url`, encoded; the rest becomes its query. */
export function navigate(page: string, params: Readonly<Record<string, unknown>> = {}): NavigationResult {
  return brand({ kind: 'navigate', page, params });
}

/**
 * Asks the page the user is on to do something it offers (`SetPage.actions` of the hub); the page's answer becomes the
 * result. Where there is no such page, as over SSE, the model is told so.
 */
export function uiAction(name: string, args: Readonly<Record<string, unknown>> = {}): UiActionResult {
  return brand({ kind: 'ui-action', name, arguments: args });
}

/** Whether `value` was made by `card`, `navigate` or `uiAction`, whichever instance of this module made it. */
export function isBrandedResult(value: unknown): value is CardResult | NavigationResult | UiActionResult {
  return typeof value === 'object' && value !== null && branded.has(value);
}
