import { fileTaker } from './files/file-taker.ts';
import { AttachmentField } from './images/attachment-field.ts';
import type { ImagesModule } from './images/image-contract.ts';
import filesCss from './files/files.css';
import imagesCss from './images/images.css';
import buttonCss from './nodes/composer-button.css';

/** Makes the field for the files of the next message, and for its pictures where the server takes those. */
export const openField: ImagesModule['openField'] = ({ limits, files, ...options }) => {
  if (files === undefined) throw new Error('no files are taken');
  return new AttachmentField(fileTaker(files, limits), options);
};

/** The panel adds these styles to its shadow root with the field. */
export const styles: string = buttonCss + imagesCss + filesCss;
