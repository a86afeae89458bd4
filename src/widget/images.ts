import { AttachmentField } from './images/attachment-field.ts';
import type { ImagesModule } from './images/image-contract.ts';
import imagesCss from './images/images.css';
import { pictureTaker } from './images/picture-taker.ts';
import buttonCss from './nodes/composer-button.css';

/** Makes the field for the pictures of the next message. */
export const openField: ImagesModule['openField'] = ({ limits, ...options }) => {
  if (limits === undefined) throw new Error('no pictures are taken');
  return new AttachmentField(pictureTaker(limits), options);
};

/** The panel adds these styles to its shadow root with the field. */
export const styles: string = buttonCss + imagesCss;
