import { Gone } from './ask-server.ts';
import { askRemoval } from './ask-in-place.ts';
import { createFactRequests, type Fact, type FactRequests } from './fact-requests.ts';
import { FactRow } from './fact-row.ts';
import { type FactTexts, factTexts } from './fact-texts.ts';
import type { ListOptions } from './kept-contract.ts';
import { ListDialog, type ListEnds } from './list-dialog.ts';
import { type ListTexts, listTexts } from './list-texts.ts';
import { create, textButton } from './make-node.ts';

interface FactListOptions extends ListOptions {
  /** Whether the server keeps conversations. If it does, the user can open the conversation of a fact. */
  readonly mayOpen: boolean;
}

/**
 * Shows over the chat which facts are remembered about the user. The user can correct and erase each fact, and can erase all facts at once
 * (contract/widget.md#memory).
 */
export class FactList {
  readonly #options: FactListOptions;
  readonly #dialog: ListDialog;
  readonly #requests: FactRequests;
  readonly #texts: ListTexts & FactTexts;
  readonly #below = create('div', 'kept-below');

  constructor(options: FactListOptions, ends: ListEnds) {
    const { locale } = options.texts();
    this.#options = options;
    this.#requests = createFactRequests(options);
    this.#texts = { ...listTexts(locale), ...factTexts(locale) };
    this.#dialog = new ListDialog(options, this.#texts, ends);
  }

  open(): void {
    this.#dialog.open(this.#below);
    void this.#load();
  }

  /** Closes the list because another user uses the page now. */
  leave(): void {
    this.#dialog.leave();
  }

  async #load(): Promise<void> {
    this.#dialog.tell(this.#texts.loading);
    await this.#dialog.try(async () => {
      const facts = await this.#requests.facts();
      this.#dialog.rows.replaceChildren(...facts.map((fact) => this.#row(fact)));
      this.#showEnd();
    });
  }

  #row(fact: Fact): HTMLElement {
    const { id, conversationId } = fact;
    const { mayOpen, texts } = this.#options;
    const row = new FactRow(fact, {
      texts: this.#texts,
      timeLocale: texts().timeLocale,
      open: mayOpen && conversationId !== undefined ? () => void this.#open(conversationId) : undefined,
      correct: (text) => this.#correct(id, text),
      erase: () => this.#dialog.try(() => this.#requests.erase(id)),
      erased: () => this.#erased(),
    });
    return row.element;
  }

  async #correct(id: string, text: string): Promise<boolean> {
    const isDone = await this.#dialog.try(
      () => this.#requests.correct(id, text),
      (error) => (error instanceof Gone ? this.#texts.gone : undefined),
    );
    if (isDone) this.#dialog.tell(this.#texts.corrected);
    return isDone;
  }

  /** Opens the conversation of a fact. First checks that it is still kept, because opening it ends the current conversation. */
  async #open(id: string): Promise<void> {
    const { conversation, focusComposer, announcer } = this.#options;
    const isOpen = await this.#dialog.try(
      async () => {
        await this.#requests.findConversation(id);
        await conversation.open(id);
      },
      (error) => (error instanceof Gone ? this.#texts.conversationGone : undefined),
    );
    if (!isOpen) return;
    this.#dialog.close();
    focusComposer();
    announcer.say(this.#texts.opened);
  }

  #erased(): void {
    const { rows, heading } = this.#dialog;
    this.#options.announcer.say(this.#texts.gone);
    this.#showEnd();
    (rows.querySelector('button') ?? heading).focus();
  }

  /** Shows the button that erases all facts below the list. If there are no facts, the list says so instead. */
  #showEnd(isFocused = false): void {
    const isEmpty = this.#dialog.rows.childElementCount === 0;
    this.#dialog.tell(isEmpty ? this.#texts.empty : '');
    const all = textButton(this.#texts.all, 'button danger', () => this.#askAll());
    this.#below.replaceChildren(...(isEmpty ? [] : [all]));
    if (isFocused) all.focus();
  }

  #askAll(): void {
    askRemoval(this.#below, {
      texts: this.#texts,
      question: this.#texts.sureAll,
      takeBack: () => this.#showEnd(true),
      remove: () => void this.#eraseAll(),
    });
  }

  async #eraseAll(): Promise<void> {
    if (!(await this.#dialog.try(() => this.#requests.eraseAll()))) return;
    this.#dialog.rows.replaceChildren();
    this.#showEnd();
    this.#dialog.heading.focus();
  }
}
