import {isDeepStrictEqual} from 'node:util';
import {stamp, type Clock, type History, type ItemOf} from '../../worker/index.ts';
import {recordedIn, type SessionMode} from './recorded.ts';

/** Returns the item that a history lacks if the user has set something since its last one. */
export function modeChange(
	{items}: Pick<History, 'items'>,
	now: SessionMode,
	clock: Clock,
): ReadonlyArray<ItemOf<'mode'>> {
	return isDeepStrictEqual(recordedIn(items).mode, now) ? [] : [stamp(clock, {type: 'mode', ...now})];
}
