import type {PickerEntry, TextHit} from './entry.ts';

type TextSearchOptions = {
	readonly findText: (entry: PickerEntry, text: string, signal: AbortSignal) => Promise<TextHit | undefined>;
	readonly dispatch: (action: SearchAction) => void;
};

/** A session that contains the text of a query, or the end of the search. */
export type SearchAction =
	| {readonly type: 'hit'; readonly query: string; readonly entry: PickerEntry}
	| {readonly type: 'searched'; readonly query: string};

type TextSearch = {
	/** Searches for this text in these sessions. An empty text stops the search. */
	readonly want: (text: string, entries: readonly PickerEntry[] | undefined) => void;
};

/** Searches sessions one after another, the last changed one first, and reports each hit at once. */
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

/** Typing goes on for a moment before a search begins. */
const restMs = 60;
/** A list with more sessions is no help. */
const maxHits = 500;
