import { PictureField } from './images/image-field.ts';
import type { ImagesModule } from './images/image-contract.ts';
import imagesCss from './images/images.css';
import buttonCss from './nodes/composer-button.css';

/** The pictures of the next message. */
export const openField: ImagesModule['openField'] = (options) => new PictureField(options);

/** Added to the panel's shadow root with it. */
export const styles: string = buttonCss + imagesCss;
