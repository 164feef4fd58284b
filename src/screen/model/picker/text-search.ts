import {go, snapshot} from 'fuzzysort';
import {createField, editField, fieldText, type Field, type FieldEdit} from '../field-state.ts';

type TextSearchOptions = {
	readonly findText: (entry: PickerEntry, text: string, signal: AbortSignal) => Promise<TextHit | undefined>;
	readonly dispatch: (action: SearchAction) => void;
};

/** The search found a session with the text of the query, or has finished. */
export type SearchAction =
	| {readonly type: 'hit'; readonly query: string; readonly entry: PickerEntry}
	| {readonly type: 'searched'; readonly query: string};

type TextSearch = {
	/** Searches for this text in these sessions. An empty text stops the search. */
	readonly want: (text: string, entries: readonly PickerEntry[] | undefined) => void;
};

/** Creates a search that reads one session after another, in the given order, and reports each hit at once. */
export function createTextSearch({findText, dispatch}: TextSearchOptions): TextSearch {
	let current: {readonly text: string; readonly stop: () => void} | undefined;

	async function run(text: string, entries: readonly PickerEntry[], signal: AbortSignal): Promise<void> {
		let hits = 0;
		for (const entry of entries) {
			const hit = entry.problem === undefined ? await findText(entry, text, signal) : undefined;
			if (signal.aborted) return;
			if (hit !== undefined) dispatch({type: 'hit', query: text, entry: {...entry, hit}});
			if (hit !== undefined && ++hits === maxHits) break;
		}
		dispatch({type: 'searched', query: text});
	}

	return {
		want(text, entries) {
			if (text === (current?.text ?? '') || (text.trim() !== '' && entries === undefined)) return;
			current?.stop();
			current = undefined;
			if (text.trim() === '' || entries === undefined) return;
			const controller = new AbortController();
			const timer = setTimeout(() => void run(text, entries, controller.signal), restMs);
			current = {
				text,
				stop() {
					clearTimeout(timer);
					controller.abort();
				},
			};
		},
	};
}

/** A session as the picker shows it. All its texts are untrusted. */
export type PickerEntry = {
	readonly id: string;
	/** The session's folder, which identifies the session. */
	readonly dir: string;
	/** The time of the last write, in ISO format. */
	readonly changed: string;
	/** The size of its history in bytes. */
	readonly bytes: number;
	/** The beginning of the user's first message, or an empty text if it is unknown. */
	readonly words: string;
	/** The title that you gave the session. */
	readonly title?: string;
	/** Whether the session is pinned. Pinned sessions are at the top of the list. */
	readonly pinned?: true;
	/** The facts about the session at the end of its last turn. */
	readonly facts?: TurnFacts;
	/** Whether the session has changed after these facts were saved, for example because its process was killed. */
	readonly factsAreOld?: true;
	/** The directory in which the session started. */
	readonly cwd?: string;
	/** The session of which this one is a fork. */
	readonly forkOf?: string;
	/** The first place in the session with the searched text. */
	readonly hit?: TextHit;
	/** The reason why the session cannot be opened. */
	readonly problem?: string;
};

/**
The facts of a session that inkpod has read. `isHeld`: a process had the session open at that time. `areOld`: the facts
are outdated, so inkpod reads them again.
*/
export type EntryFacts = {readonly facts?: TurnFacts; readonly isHeld?: true; readonly areOld?: true};

/**
The first place in a session where a text occurs, with the text around it. All parts are untrusted and have no line
breaks.
*/
export type TextHit = {readonly before: string; readonly match: string; readonly after: string};

/** The writer of a text, and the beginning of that text. The text is untrusted. */
export type PreviewPart = {readonly speaker: 'user' | 'model' | 'notice'; readonly text: string};

/**
The sessions that the picker lists: the sessions of this directory, all sessions, or the sessions that contain a text.
*/
export type PickerScope = 'here' | 'all' | 'text';

/** Entries in a given order, with a function that finds the entries for a query. */
export type Catalogue = {
	readonly entries: readonly PickerEntry[];
	/**
	Each word of the query must match the title, the first words, the id or the directory. Returns the best matches
	first, and keeps the order of equal matches. A blank query returns all entries.
	*/
	readonly find: (query: string) => readonly PickerEntry[];
};

/** Creates a catalogue of the entries in their order, but with the pinned sessions first. */
export function createCatalogue(listed: readonly PickerEntry[]): Catalogue {
	const isPinned = ({pinned}: PickerEntry) => pinned === true;
	const entries = [...listed.filter(isPinned), ...listed.filter(entry => !isPinned(entry))];
	const targets = entries.map((entry, index) => ({
		entry,
		index,
		words: entry.title === undefined ? entry.words : `${entry.title} ${entry.words}`,
		id: entry.id,
		cwd: (entry.cwd ?? '').slice(-searchedPath),
	}));
	const searched = snapshot(targets, {keys: ['words', 'id', 'cwd']});
	return {
		entries,
		find(query) {
			if (query.trim() === '') return entries;
			const found = go(query, searched, {limit: 0});
			return found
				.toSorted((one, other) => other.score - one.score || one.obj.index - other.obj.index)
				.map(({obj}) => obj.entry);
		},
	};
}

/** An export for which you are choosing the file. */
export type Exporting = {
	readonly entry: PickerEntry;
	readonly file: Field;
	/** The existing file that the next Enter replaces. */
	readonly replaces?: string;
};

/** Starts with the same file name that `/export` uses. */
export function beginExport(entry: PickerEntry): Exporting {
	return {entry, file: createField(`inkpod-${entry.id}.md`, nameLimit)};
}

/**
Returns the export after an edit of the file's name. If the name changes, `replaces` is reset, so an existing file needs
a new confirmation.
*/
export function editFile(exporting: Exporting, edit: FieldEdit): Exporting {
	return {entry: exporting.entry, file: editField(exporting.file, edit, nameLimit)};
}

export function fileOf({file}: Exporting): string {
	return fieldText(file).trim();
}

/** A search begins this number of milliseconds after the last change of the query. */
const restMs = 60;

/** The maximum number of hits. A longer list would not help the user. */
const maxHits = 500;

type TurnFacts = {
	readonly turns: number;
	readonly model: string;
	readonly usd?: number | undefined;
	readonly branch?: string | undefined;
	/** Whether the last turn was interrupted and can be continued. */
	readonly interrupted?: true | undefined;
};

/**
A query is matched only against this number of characters at the end of a path, because users recognise a path by its
end.
*/
const searchedPath = 256;

/** The maximum number of graphemes in a file's name. */
const nameLimit = 1000;
