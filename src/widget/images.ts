import type { ImagesModule } from './images/image-contract.ts';
import imagesCss from './images/images.css';
import { Tray } from './images/tray.ts';

/** The pictures of the next message. */
export const openTray: ImagesModule['openTray'] = (options) => new Tray(options);

/** Added to the panel's shadow root with the first picture. */
export const styles: string = imagesCss;
