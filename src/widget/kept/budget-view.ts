import type { RemainingBudget } from '../../wire/hub-events.ts';
import { fill } from '../texts/widget-texts.ts';
import { type BudgetTexts, budgetTexts } from './budget-texts.ts';
import type { ListOptions } from './kept-contract.ts';
import { ListDialog, type ListEnds } from './list-dialog.ts';
import { listTexts } from './list-texts.ts';
import { create } from './make-node.ts';

/** Shows over the chat what the user may still spend, as the server last told it (contract/widget.md#budget). */
export class BudgetView {
  readonly #options: ListOptions;
  readonly #dialog: ListDialog;
  readonly #texts: BudgetTexts;

  constructor(options: ListOptions, ends: ListEnds) {
    const { locale } = options.texts();
    this.#options = options;
    this.#texts = budgetTexts(locale);
    this.#dialog = new ListDialog(options, { ...listTexts(locale), ...this.#texts }, ends);
  }

  open(): void {
    const { budget } = this.#options.conversation.state;
    const lines = budget === undefined ? [] : linesOf(budget, this.#texts, this.#options.texts().timeLocale);
    this.#dialog.rows.append(
      ...lines.map((line) => {
        const row = create('li', 'kept-fact');
        row.textContent = line;
        return row;
      }),
    );
    this.#dialog.open(create('div', 'kept-below'));
  }

  /** Closes the view because another user uses the page now. */
  leave(): void {
    this.#dialog.leave();
  }
}

function linesOf({ remaining, unit, resetsAt }: RemainingBudget, texts: BudgetTexts, locale: string): string[] {
  const resets = new Date(resetsAt);
  // The budget has been renewed since the server told the rest. The server tells the new rest with the next connection.
  if (resets.getTime() <= Date.now()) return [texts.renewed];
  const amount = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 }).format(remaining);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(resets);
  return [fill(texts[unit], { amount }), fill(texts.until, { time })];
}
