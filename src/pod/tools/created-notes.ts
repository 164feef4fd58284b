import {relative} from 'node:path';
import type {Confinement} from '../confine/confinement.ts';
import type {RunLater} from '../confine/created.ts';
import {confineTexts} from '../confine/texts.ts';
import {closed} from '../text/closed.ts';
import {quoteUntrusted} from '../text/quote-untrusted.ts';

type NotesOptions = Pick<Confinement, 'createdSince'> & {
	/** Tells the user what a command created. */
	readonly onCreated: (sentence: string) => void;
};

/** Returns sentences about what a confined command created that other programs run, and tells the user. */
export async function createdNotes(
	present: RunLater | undefined,
	confine: NotesOptions | undefined,
	pwd: string,
): Promise<readonly string[]> {
	if (present === undefined || confine === undefined) return [];
	const {created, setAside, restored} = await confine.createdSince(present);
	const nameOf = (path: string) => quoteUntrusted(relative(pwd, path));
	const notes = [
		...(restored.length === 0 ? [] : [confineTexts.restored(listOf(restored.map(nameOf)))]),
		...(created.length === 0 ? [] : [confineTexts.created(listOf(created.map(nameOf)))]),
		...(setAside.length === 0
			? []
			: [confineTexts.setAside(listOf(setAside.map(([from, to]) => `${nameOf(from)} → ${nameOf(to)}`)))]),
	];
	for (const note of notes) confine.onCreated(note);
	return notes;
}

/** Adds sentences to the output of a command. */
export function withNotes(content: string, notes: readonly string[]): string {
	return notes.length === 0 ? content : `${closed(content)}${notes.map(note => `[${note}]`).join('\n')}`;
}

/** Returns names for a sentence, and the number of those that are too many. */
export function listOf(names: readonly string[]): string {
	const more = names.length - maxNames;
	return `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const maxNames = 20;
