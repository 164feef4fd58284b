import {createField, editField, fieldText, type Field, type FieldEdit} from '../field-state.ts';
import type {PickerEntry} from './entry.ts';

/** An export for which you choose the file. */
export type Exporting = {
	readonly entry: PickerEntry;
	readonly file: Field;
	/** The existing file that the next Enter replaces. */
	readonly replaces?: string;
};

/** Begins with the name that `/export` uses. */
export function beginExport(entry: PickerEntry): Exporting {
	return {entry, file: createField(`inkpod-${entry.id}.md`, nameLimit)};
}

/** Returns the export after an edit of the file's name. Another name needs another approval. */
export function editFile(exporting: Exporting, edit: FieldEdit): Exporting {
	return {entry: exporting.entry, file: editField(exporting.file, edit, nameLimit)};
}

export function fileOf({file}: Exporting): string {
	return fieldText(file).trim();
}

/** The maximum number of graphemes in a file's name. */
const nameLimit = 1000;
