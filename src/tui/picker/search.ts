import {go, snapshot} from 'fuzzysort';
import type {PickerEntry} from './entry.ts';

/** A list of entries in the order in which it was given, and what of it fits a query. */
export type Catalogue = {
	readonly entries: readonly PickerEntry[];
	/**
	Every word of the query must be in first words, id or directory. The best first, of equals the earlier in the list;
	all for a blank query.
	*/
	readonly find: (query: string) => readonly PickerEntry[];
};

export function createCatalogue(entries: readonly PickerEntry[]): Catalogue {
	const targets = entries.map((entry, index) => ({
		entry,
		index,
		words: entry.words,
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

/** The end of a path is what people know it by. */
const searchedPath = 256;
