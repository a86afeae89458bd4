import { ArgumentsEditor } from './edit/arguments-editor.ts';
import editCss from './edit/edit.css';
import type { EditModule } from './edit/edit-contract.ts';

/** Makes the fields for a question's arguments. */
export const editArguments: EditModule['editArguments'] = (options) => new ArgumentsEditor(options);

/** The panel adds these styles to its shadow root with the first fields. */
export const styles: string = editCss;
