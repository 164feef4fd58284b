import {HistoryError, stamp, type Clock, type History} from '../../../worker/index.ts';
import type {Refusal} from '../../protocol.ts';
import {failureOf, failureSentence} from '../files.ts';
import {changeLabel} from './label.ts';

type Renamed = {readonly ok: true} | {readonly ok: false; readonly code: Refusal; readonly sentence: string};

/** Names a session by an item of its history, and by its label for the list of sessions. */
export async function renameSession(
	{history, clock, dir}: {readonly history: History; readonly clock: Clock; readonly dir: string},
	title: string,
): Promise<Renamed> {
	const name = title.replaceAll(/\s+/g, ' ').trim();
	try {
		await history.append([stamp(clock, {type: 'title', title: name})]);
		await changeLabel(dir, {title: name === '' ? undefined : name});
		return {ok: true};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, code: 'io', sentence: error.message};
		return {ok: false, code: 'io', sentence: failureSentence(failureOf(error), dir, error)};
	}
}
