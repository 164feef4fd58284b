import {t} from '../../language/index.ts';
import {plural} from '../../text/formats.ts';
import {size} from '../texts.ts';

/** The texts of the commands that delete, restore and import sessions. */
export const trashIsEmpty = t`The trash is empty.`;

export function movedToTrash(id: string): string {
	return t`Session ${id} is in the trash. Restore it with: inkpod trash --restore ${id}`;
}

export function restored(id: string): string {
	return t`Session ${id} is back. Resume it with: inkpod -r ${id}`;
}

export function emptied(count: number, bytes: number): string {
	return t`Deleted ${plural(count, 'session')} for good, ${size(bytes)}.`;
}

export function notInTrash(id: string): string {
	return t`No session in the trash begins with "${id}". List them with: inkpod trash`;
}

export function severalInTrash(id: string, count: number): string {
	return t`${count} sessions in the trash begin with "${id}". Use more characters of the id.`;
}

export function imported(id: string, items: number): string {
	return t`Imported ${plural(items, 'item')} as session ${id}. Resume it with: inkpod -r ${id}`;
}

export function redactedCopy(count: number): string {
	return t`It is a redacted copy: ${plural(count, 'secret')} ${count === 1 ? t`was` : t`were`} left out before the
		export.`;
}

export const withoutMedia = t`Its images and documents are not in the file, so the next request leaves them out.`;
