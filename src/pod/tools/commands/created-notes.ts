import {relative} from 'node:path';
import type {Confinement} from '../../permissions/confine/confinement.ts';
import type {NewExecutables} from '../../permissions/confine/new-executables.ts';
import type {RunLater} from '../../permissions/confine/folder-list.ts';
import {confineTexts} from '../../permissions/confine/texts.ts';
import type {Watch} from '../processes/background.ts';
import {closed} from '../../ground/text/one-line.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';

type NotesOptions = Pick<Confinement, 'createdSince'> & {
	/** Tells the user what a command created. */
	readonly onCreated: (sentence: string) => void;
};

/** Returns sentences about the files of a confined command that other programs run, and shows them to the user. */
export async function createdNotes(
	present: RunLater | undefined,
	confine: NotesOptions | undefined,
	pwd: string,
): Promise<readonly string[]> {
	return present === undefined || confine === undefined ? [] : createReporter(present, confine, pwd)();
}

/** Checks repeatedly what a running command creates. `stop` checks a last time, and returns all sentences. */
export function watchCreated(present: RunLater, confine: NotesOptions, pwd: string, everyMs = 1000): Watch {
	const report = createReporter(present, confine, pwd);
	let isOver = false;
	let looking: Promise<unknown> = Promise.resolve();
	let timer: NodeJS.Timeout | undefined;
	const later = () => {
		if (isOver) return;
		timer = setTimeout(() => {
			looking = report().finally(later);
		}, everyMs).unref();
	};
	later();
	return {
		async stop() {
			isOver = true;
			clearTimeout(timer);
			await looking;
			return report();
		},
	};
}

/**
Returns a function that reports each path to the user once. The function returns the sentences about all reported paths.
*/
function createReporter(present: RunLater, confine: NotesOptions, pwd: string): () => Promise<readonly string[]> {
	const known = new Set<string>();
	const notes: string[] = [];
	const isNew = (path: string) => known.size < maxKnown && known.size < known.add(path).size;
	return async () => {
		const {created, setAside} = await confine.createdSince(present);
		const fresh = {created: created.filter(isNew), setAside: setAside.filter(([from]) => isNew(from))};
		for (const note of notesOf(fresh, pwd)) {
			confine.onCreated(note);
			notes.push(note);
		}
		return notes;
	};
}

/** The maximum number of reported paths, because a command may create any number of files. */
const maxKnown = 1000;

function notesOf({created, setAside}: NewExecutables, pwd: string): readonly string[] {
	const nameOf = (path: string) => quoteUntrusted(relative(pwd, path) || '.');
	return [
		...(created.length === 0 ? [] : [confineTexts.created(listOf(created.map(nameOf)))]),
		...(setAside.length === 0
			? []
			: [confineTexts.setAside(listOf(setAside.map(([from, to]) => `${nameOf(from)} → ${nameOf(to)}`)))]),
	];
}

/** Adds sentences to the output of a command. */
export function withNotes(content: string, notes: readonly string[]): string {
	return notes.length === 0 ? content : `${closed(content)}${notes.map(note => `[${note}]`).join('\n')}`;
}

/** Returns a list of names for a sentence: the first names, and the number of the others. */
export function listOf(names: readonly string[]): string {
	const more = names.length - maxNames;
	return `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const maxNames = 20;
