import type { ComposedTools } from '../compose-tools.ts';

/** The present tools, which a reload replaces. A turn keeps the members that it has read at its start. */
export class LiveTools implements ComposedTools {
  #current: ComposedTools;

  constructor(first: ComposedTools) {
    this.#current = first;
  }

  replace(next: ComposedTools): void {
    this.#current = next;
  }

  get toolbox(): ComposedTools['toolbox'] {
    return this.#current.toolbox;
  }

  get policy(): ComposedTools['policy'] {
    return this.#current.policy;
  }

  get autoApproval(): ComposedTools['autoApproval'] {
    return this.#current.autoApproval;
  }

  get transformResult(): ComposedTools['transformResult'] {
    return this.#current.transformResult;
  }

  get checks(): ComposedTools['checks'] {
    return this.#current.checks;
  }

  get routingHooks(): ComposedTools['routingHooks'] {
    return this.#current.routingHooks;
  }

  get exceptionTexts(): ComposedTools['exceptionTexts'] {
    return this.#current.exceptionTexts;
  }
}
