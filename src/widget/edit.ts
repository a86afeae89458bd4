import { ArgumentsEditor } from './edit/arguments-editor.ts';
import editCss from './edit/edit.css';
import type { EditModule } from './edit/edit-contract.ts';

/** The fields of a question's arguments, as they were asked. */
export const editArguments: EditModule['editArguments'] = (options) => new ArgumentsEditor(options);

/** Added to the panel's shadow root with the first fields. */
export const styles: string = editCss;
