/** Puts a text on the clipboard. False when the browser forbids it. */
export async function copyText(text: string, root: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, root);
  }
}

/** Copies through a selection. This also works on a page without TLS, and in a frame without the permission for the clipboard. */
function copySelected(text: string, root: HTMLElement): boolean {
  const { activeElement } = root.getRootNode() as ShadowRoot; // the panel stands in a shadow root
  const field = document.createElement('textarea');
  field.className = 'visually-hidden';
  field.value = text;
  root.append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else works there
  const isCopied = document.execCommand('copy');
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus();
  return isCopied;
}
