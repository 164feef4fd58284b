import type {Item} from '../../../pod/protocol.ts';
import {maxNamed} from './fold-context.ts';

/**
Of some of the last items of a session as many, from the end, as the fold makes the same blocks of alone as after all
that was before them; empty where there is no such place. They begin after the end of a run, or where somebody went
back, and from there on no result is of an earlier call, and nothing speaks of an earlier item by its name. What one
invocation brings lies in one run.
*/
export function sessionTail(items: readonly Item[]): readonly Item[] {
	let start: number | undefined;
	const own: Own = {ids: new Set(), calls: new Set()};
	for (const [index, item] of items.entries()) {
		if (start !== undefined && looksBack(item, own)) start = undefined;
		if (start === undefined) {
			if (item.type !== 'run_end' && item.type !== 'rewind') continue;
			start = index + 1;
			own.ids.clear();
			own.calls.clear();
		} else {
			own.ids.add(item.id);
			if (item.type === 'tool_call') own.calls.add(item.callId);
		}
	}
	return start === undefined ? [] : items.slice(start);
}

/** What is known of the items from the place on. */
type Own = {readonly ids: Set<string>; readonly calls: Set<string>};

function looksBack(item: Item, {ids, calls}: Own): boolean {
	if (item.type === 'tool_result')
		return item.partialOf === undefined ? !calls.has(item.callId) : !ids.has(item.partialOf);
	if (item.type === 'rewind') return !ids.has(item.to);
	if (item.type === 'context') return item.ids.slice(0, maxNamed).some(id => !ids.has(id));
	if (item.type !== 'compaction') return false;
	return [item.firstKept, ...item.keptIds.slice(0, maxNamed)].some(id => !ids.has(id) && id !== item.id);
}
