import type {Item} from '../pod/protocol.ts';
import {maxNamed} from './fold-context.ts';

/**
Returns the longest end of these items whose blocks do not depend on earlier items. The result is empty if there is no
such end. The end begins after a run_end or at a rewind. It does not begin with a setup or instructions, because these
have another row at the beginning of a session. No result in it belongs to an earlier call, and no item refers to an
earlier item. The items of an invocation are always in a single run.
*/
export function sessionTail(items: readonly Item[]): readonly Item[] {
	let start: number | undefined;
	const own: Own = {ids: new Set(), calls: new Set(), children: new Set()};
	for (const [index, item] of items.entries()) {
		if (start !== undefined && (looksBack(item, own) || (start === index && opensSession(item)))) start = undefined;
		if (start === undefined) {
			if (item.type !== 'run_end' && item.type !== 'rewind') continue;
			start = index + 1;
			own.ids.clear();
			own.calls.clear();
			own.children.clear();
		} else {
			own.ids.add(item.id);
			if (item.type === 'tool_call') own.calls.add(item.callId);
			if (item.type === 'child_started') own.children.add(item.child);
		}
	}
	return start === undefined ? [] : items.slice(start);
}

function opensSession(item: Item): boolean {
	return item.type === 'setup' || (item.type === 'message' && item.origin?.kind === 'instructions');
}

/** The ids of the items, calls and child sessions after a place. */
type Own = {readonly ids: Set<string>; readonly calls: Set<string>; readonly children: Set<string>};

function looksBack(item: Item, {ids, calls, children}: Own): boolean {
	if (item.type === 'tool_result')
		return item.partialOf === undefined ? !calls.has(item.callId) : !ids.has(item.partialOf);
	if (item.type === 'child_started') return item.call !== undefined && !ids.has(item.call);
	if (item.type === 'child_ended') return !children.has(item.child);
	if (item.type === 'request_end') return !ids.has(item.request);
	if (item.type === 'message') return typeof item.origin?.['start'] === 'string' && !ids.has(item.origin['start']);
	if (item.type === 'rewind') return !ids.has(item.to);
	if (item.type === 'context') return item.ids.slice(0, maxNamed).some(id => !ids.has(id));
	if (item.type !== 'compaction') return false;
	return [item.firstKept, ...item.keptIds.slice(0, maxNamed)].some(id => !ids.has(id) && id !== item.id);
}
