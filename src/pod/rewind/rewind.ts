import {HistoryError, stamp, type Clock, type History} from '../../worker/index.ts';
import {resumableCalls} from '../history/reader.ts';
import type {Refusal} from '../protocol.ts';

export type Rewound = {readonly ok: true} | {readonly ok: false; readonly code: Refusal; readonly sentence: string};

/**
Goes back to what the context was right after the item `to` (docs/rewind.md): commits one rewind, and nothing else.
Refused where it would change nothing, and where it would leave calls without their results: what is in the midst of an
answer is no place to go on from.
*/
export async function rewindTo(history: History, clock: Clock, to: string): Promise<Rewound> {
	const {items} = history;
	const at = items.findLastIndex(({id}) => id === to);
	if (at === -1) return {ok: false, code: 'no_such_item', sentence: `This session has no item ${to.slice(0, 40)}.`};
	if (at === items.length - 1) return {ok: false, code: 'empty', sentence: 'Nothing came after that.'};
	const rewind = stamp(clock, {type: 'rewind', to});
	if (resumableCalls([...items, rewind]).length > 0)
		return {
			ok: false,
			code: 'no_such_item',
			sentence: 'Calls without their results would be left there: go back to before a message of yours.',
		};
	try {
		await history.append([rewind]);
		return {ok: true};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, code: 'io', sentence: error.message};
		throw error;
	}
}
