import { PictureField } from './images/image-field.ts';
import type { ImagesModule } from './images/image-contract.ts';
import imagesCss from './images/images.css';
import buttonCss from './nodes/composer-button.css';

/** Makes the field for the pictures of the next message. */
export const openField: ImagesModule['openField'] = (options) => new PictureField(options);

/** The panel adds these styles to its shadow root with the field. */
export const styles: string = buttonCss + imagesCss;
