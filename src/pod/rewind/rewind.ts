import {HistoryError, stamp, type Clock, type History} from '../../worker/index.ts';
import {resumableCalls} from '../history/reader.ts';
import type {Refusal} from '../protocol.ts';
import {rewindTexts} from './texts.ts';

export type Rewound = {readonly ok: true} | {readonly ok: false; readonly code: Refusal; readonly sentence: string};

/**
Takes the context back to its state right after the item `to` (docs/rewind.md). It commits one rewind and nothing else.
It refuses a rewind that would have no effect, and one that would leave calls without results. A session cannot continue
from the middle of an answer.
*/
export async function rewindTo(history: History, clock: Clock, to: string): Promise<Rewound> {
	const {items} = history;
	const at = items.findLastIndex(({id}) => id === to);
	if (at === -1) return {ok: false, code: 'no_such_item', sentence: rewindTexts.noSuchItem(to)};
	if (at === items.length - 1) return {ok: false, code: 'empty', sentence: rewindTexts.nothingLater};
	const rewind = stamp(clock, {type: 'rewind', to});
	if (resumableCalls([...items, rewind]).length > 0)
		return {
			ok: false,
			code: 'no_such_item',
			sentence: rewindTexts.insideToolCall,
		};
	try {
		await history.append([rewind]);
		return {ok: true};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, code: 'io', sentence: error.message};
		throw error;
	}
}
