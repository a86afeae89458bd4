/** Puts a text on the clipboard; false when the browser does not let it. */
export async function copyText(text: string, root: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, root);
  }
}

/** A page without TLS, or in a frame that was lent no clipboard, can still copy what is selected in it. */
function copySelected(text: string, root: HTMLElement): boolean {
  const { activeElement } = root.getRootNode() as ShadowRoot; // the panel is in one
  const field = document.createElement('textarea');
  field.className = 'visually-hidden';
  field.value = text;
  root.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else works there
  const isCopied = document.execCommand('copy');
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus();
  return isCopied;
}
