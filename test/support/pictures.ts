import type { Page } from 'playwright-core';

/** A picture as a file that the browser's file dialog returns. */
export interface PickedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A picture of the given size, drawn by the browser. Noise makes it hard to compress. */
export async function picture(
  page: Page,
  { name = 'cat.png', type = 'image/png', side = 40, isNoise = false } = {},
): Promise<PickedFile> {
  const data = await page.evaluate<string>(`new Promise((resolve) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${String(side)}, height: ${String(side)} });
    const context = canvas.getContext('2d');
    const pixels = context.createImageData(canvas.width, canvas.height);
    let seed = 1;
    for (let at = 0; at < pixels.data.length; at += 1) {
      seed = (seed * 16807) % 2147483647;
      pixels.data[at] = at % 4 === 3 ? 255 : ${String(isNoise)} ? seed % 256 : (at % 4) * 90;
    }
    context.putImageData(pixels, 0, 0);
    resolve(canvas.toDataURL('${type}'));
  })`);
  return { name, mimeType: type, buffer: Buffer.from(data.replace(/^[^,]*,/, ''), 'base64') };
}

/** Pastes or drops a file onto the composer. With a text, the clipboard has the file and the text, as after copying from a spreadsheet. */
export async function arrive(
  page: Page,
  how: 'paste' | 'drop',
  given: PickedFile | readonly PickedFile[],
  text = '',
): Promise<void> {
  await page.locator('helper-widget .composer input[type=file]').waitFor({ state: 'attached' });
  const files = [given]
    .flat()
    .map(({ name, mimeType, buffer }) => ({ name, mimeType, data: buffer.toString('base64') }));
  await page.evaluate(`{
    const transfer = new DataTransfer();
    for (const { name, mimeType, data } of ${JSON.stringify(files)}) {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: mimeType }));
    }
    const text = ${JSON.stringify(text)};
    if (text !== '') transfer.setData('text/plain', text);
    const init = { bubbles: true, cancelable: true, composed: true };
    document.querySelector('helper-widget').shadowRoot.querySelector('textarea').dispatchEvent(
      ${how === 'paste' ? "new ClipboardEvent('paste', { ...init, clipboardData: transfer })" : "new DragEvent('drop', { ...init, dataTransfer: transfer })"},
    );
  }`);
}
