import {sessionDifferences, type TextHit} from '../../../pod/protocol.ts';
import {createField, editField, fieldText, type Field, type FieldEdit} from '../field-state.ts';

type TextSearchOptions = {
	readonly findText: (entry: PickerEntry, text: string, signal: AbortSignal) => Promise<TextHit | undefined>;
	readonly dispatch: (action: SearchAction) => void;
};

/** The search found the text of the query in a session, or has read all sessions of a scope. */
export type SearchAction =
	| {readonly type: 'hit'; readonly query: string; readonly dir: string; readonly hit: TextHit}
	| {readonly type: 'searched'; readonly query: string; readonly scope: PickerScope};

/** The text to search for, and the sessions to search. `entries` is absent until the sessions are listed. */
type WantedText = {
	readonly text: string;
	readonly scope: PickerScope;
	readonly entries: (() => readonly PickerEntry[]) | undefined;
};

type TextSearch = {
	/** Searches for this text, and stops the earlier search. A blank text only stops the earlier search. */
	readonly want: (wanted: WantedText) => void;
};

/**
Creates a search that reads one session after another, in the given order, and reports each hit immediately. For one
text, the search reads each session once, even if the scope changes. Another text stops the search.
*/
export function createTextSearch({findText, dispatch}: TextSearchOptions): TextSearch {
	let search: {readonly text: string; readonly read: Set<string>; hits: number} = {
		text: '',
		read: new Set(),
		hits: 0,
	};
	let running: {readonly scope: PickerScope; readonly stop: () => void} | undefined;

	async function run({text, scope}: WantedText, entries: readonly PickerEntry[], signal: AbortSignal): Promise<void> {
		const now = search;
		for (const entry of entries) {
			if (now.hits === maxHits) break;
			if (entry.problem !== undefined || now.read.has(entry.dir)) continue;
			const hit = await findText(entry, text, signal);
			if (signal.aborted) return;
			now.read.add(entry.dir);
			if (hit === undefined) continue;
			now.hits++;
			dispatch({type: 'hit', query: text, dir: entry.dir, hit});
		}
		dispatch({type: 'searched', query: text, scope});
	}

	function stop(): void {
		running?.stop();
		running = undefined;
	}

	return {
		want(wanted) {
			const {scope, entries} = wanted;
			const text = wanted.text.trim() === '' ? '' : wanted.text;
			const isNew = text !== search.text;
			if (!isNew && running?.scope === scope) return;
			stop();
			if (isNew) search = {text, read: new Set(), hits: 0};
			if (text === '' || entries === undefined) return;
			const controller = new AbortController();
			const timer = setTimeout(
				() => void run({...wanted, text}, entries(), controller.signal),
				isNew ? restMs : 0,
			);
			running = {
				scope,
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
	/** The size of the session's history in bytes. */
	readonly bytes: number;
	/** The name from the user's first message, or an empty text if it is unknown. */
	readonly words: string;
	/** The title that you gave the session. */
	readonly title?: string;
	/** Whether the session is pinned. Pinned sessions are at the top of the list. */
	readonly pinned?: true;
	/** The line that names the user's last message. */
	readonly last?: string;
	/** The time of creation, in ISO format. */
	readonly created?: string;
	/** The facts about the session at the end of its last turn. */
	readonly facts?: TurnFacts;
	/** Whether the session has changed since these facts were saved, for example because its process was killed. */
	readonly factsAreOld?: true;
	/** The directory in which the session started. */
	readonly cwd?: string;
	/** The session of which this one is a fork. */
	readonly forkOf?: string;
	/** The first place in the session with the searched text, if the title does not contain the text. */
	readonly hit?: TextHit;
	/** The reason why the session cannot be opened. */
	readonly problem?: string;
};

/**
The facts of a session that inkpod has read. `isHeld`: a process had the session open at that time. `areOld`: the facts
are outdated, so inkpod reads them again.
*/
export type EntryFacts = {readonly facts?: TurnFacts; readonly isHeld?: true; readonly areOld?: true};

/** The beginning of a message, and its writer. The text is untrusted. */
export type PreviewPart = {readonly speaker: 'user' | 'model' | 'notice'; readonly text: string};

/** The sessions that the picker lists: the sessions of this directory, or all sessions. */
export type PickerScope = 'here' | 'all';

/** Entries in a given order, with a function that finds the entries for a query. */
export type Catalogue = {
	readonly entries: readonly PickerEntry[];
	/** The texts that distinguish entries with equal names, by the folder of the session. */
	readonly differences: ReadonlyMap<string, string>;
	/**
	Finds the entries for a query. Each word of the query must occur in the title or the first words, or must begin the
	id. `placed` are the entries that match only together with their directory. Both lists keep the order. A blank query
	finds all entries.
	*/
	readonly find: (query: string) => {
		readonly titled: readonly PickerEntry[];
		readonly placed: readonly PickerEntry[];
	};
};

/** Creates a catalogue of the entries in their order, but with the pinned sessions first. */
export function createCatalogue(listed: readonly PickerEntry[]): Catalogue {
	const isPinned = ({pinned}: PickerEntry) => pinned === true;
	const entries = [...listed.filter(isPinned), ...listed.filter(entry => !isPinned(entry))];
	const targets = entries.map(entry => ({
		entry,
		words: folded(`${entry.title ?? ''} ${entry.words}`),
		id: folded(entry.id),
		cwd: folded((entry.cwd ?? '').slice(-searchedPath)),
	}));
	return {
		entries,
		differences: sessionDifferences(entries),
		find(query) {
			const wanted = folded(query)
				.split(/\s+/u)
				.filter(word => word !== '');
			if (wanted.length === 0) return {titled: entries, placed: []};
			const [titled, placed]: [PickerEntry[], PickerEntry[]] = [[], []];
			for (const {entry, words, id, cwd} of targets) {
				const left = wanted.filter(word => !words.includes(word) && !isIdStart(word, id));
				if (left.length === 0) titled.push(entry);
				else if (left.every(word => cwd.includes(word))) placed.push(entry);
			}
			return {titled, placed};
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

/** Begins an export with the same file name that `/export` uses. */
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

/** Returns `text` in the form for comparisons: in lower case and one Unicode normalization. */
function folded(text: string): string {
	return text.toLowerCase().normalize();
}

/**
Tells whether a word may be the beginning of an id. All ids of a year begin with the same characters, so a shorter word
does not count.
*/
function isIdStart(word: string, id: string): boolean {
	return word.length >= minId && id.startsWith(word);
}

const minId = 4;

/** The number of milliseconds between the last change of the query and the start of the search. */
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
	readonly files?: readonly string[] | undefined;
	readonly fileCount?: number | undefined;
};

/**
A query is matched only against this number of characters at the end of a path, because users recognise a path by its
end.
*/
const searchedPath = 256;

/** The maximum number of graphemes in a file's name. */
const nameLimit = 1000;
