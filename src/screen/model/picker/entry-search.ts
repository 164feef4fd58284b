import {go, snapshot} from 'fuzzysort';
import type {PickerEntry} from './entry.ts';

/** Entries in a given order, with a function that finds those that match a query. */
export type Catalogue = {
	readonly entries: readonly PickerEntry[];
	/**
	Each word of the query must match the title, the first words, the id or the directory. Returns the best matches
	first, and keeps the order of equal matches. A blank query returns all entries.
	*/
	readonly find: (query: string) => readonly PickerEntry[];
};

/** Pinned sessions come first. */
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

/** The number of characters at the end of a path that are searched, because people recognise a path by its end. */
const searchedPath = 256;
