import { iconButton, nameButton } from '../nodes/icon-button.ts';
import { ConversationList } from './conversation-list.ts';
import type { ListModule } from './list-contract.ts';
import { listTexts } from './list-texts.ts';

/** A clock with an arrow that runs back. */
const path = 'M4 4v5h5M4.6 9a8 8 0 1 1-.6 5M12 8v5l3 2';

/** Adds the button that opens the list to the panel's header, unless it is there already. */
export const addList: ListModule['addList'] = (options) => {
  const { content, texts } = options;
  const header = content.querySelector('.header');
  if (header === null || header.querySelector('.kept-button') !== null) return;
  const button = iconButton('kept', path, () => {
    nameButton(button, listTexts(texts().locale).list);
    const list = new ConversationList(options, {
      closed: () => {
        button.setAttribute('aria-expanded', 'false');
        button.focus();
      },
      signedOut: () => button.remove(),
    });
    button.setAttribute('aria-expanded', 'true');
    list.open();
  });
  button.classList.add('kept-button');
  button.setAttribute('aria-haspopup', 'dialog');
  button.setAttribute('aria-expanded', 'false');
  nameButton(button, listTexts(texts().locale).list);
  header.insertBefore(button, header.querySelector(':scope > .icon-button'));
};
