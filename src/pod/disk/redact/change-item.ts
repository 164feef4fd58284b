import {parseItem, type Item, type ItemOf} from '../../../worker/index.ts';
import {narrowOrigin} from '../../protocol.ts';
import {flatten} from '../../protocol/immutable.ts';
import {withText} from '../export/redact.ts';
import {changeValue, type Mark, type TextChange} from './change-value.ts';
import type {Remover} from './remover.ts';

/** An item without the removed texts, and all its marks, also those of earlier removals. */
export type ChangedItem = {readonly item: Item; readonly marks: readonly Mark[]; readonly added: number};

type Lines = ItemOf<'redaction'>['lines'];

type ItemChange = {
	readonly remover: Remover;
	/** Whether all texts of the item are removed. */
	readonly isWhole: boolean;
	/** The marks of earlier removals. */
	readonly earlier: readonly Mark[];
};

/** Removes texts from an item. Returns `undefined` if the item has none of them. */
export function changeItem(item: Item, {remover, isWhole, earlier}: ItemChange): ChangedItem | undefined {
	const remove = isWhole ? remover.removeAll : remover.remove;
	// A `redaction` item contains none of the removed texts, and its lines count only as long as it is unchanged.
	if (item.type === 'redaction') return undefined;
	const changed = changeValue(item, {remove, removeName: remover.remove, isKept});
	if (changed === undefined) return undefined;
	const next = parseItem(changed.value);
	if (next === undefined) throw new Error(`item ${item.id} is not an item without the removed text`);
	const kept = earlier.flatMap(mark => shifted(mark, changed.texts.get(mark.path)));
	return {...fittingItem(next, [...kept, ...changed.marks], remover), added: changed.marks.length};
}

/**
Returns an item without the provider's data: signatures, and encrypted thoughts that may contain the removed text.
Returns `undefined` if it has none.
*/
export function withoutProvider(item: Item): ChangedItem | undefined {
	if (!('provider' in item) || item.provider === undefined) return undefined;
	const {provider, ...rest} = item;
	const bytes = Buffer.byteLength(JSON.stringify(provider));
	return {item: rest, marks: [{path: '/provider', from: 0, bytes}], added: 1};
}

/** Returns the marks of earlier removals by the id of their item. */
export function earlierMarks(items: readonly Item[]): ReadonlyMap<string, readonly Mark[]> {
	const lines: Lines = items.flatMap(item => (item.type === 'redaction' ? item.lines : []));
	return new Map(lines.map(({id, marks}) => [id, marks]));
}

/** Returns an earlier mark at its new place, or nothing if a removed text contained it. */
function shifted(mark: Mark, change: TextChange | undefined): readonly Mark[] {
	if (change === undefined) return [mark];
	const at = Buffer.from(change.before).subarray(0, mark.from).toString().length;
	let from = mark.from;
	for (const {start, end, mark: text} of change.removed.pieces) {
		if (start > at) break;
		if (end > at) return [];
		from += text.length - Buffer.byteLength(change.before.slice(start, end));
	}
	return [{...mark, from}];
}

/**
Shortens a title that is too long with its marks, and joins the parts of a message if a removed text begins in one part
and ends in the next one.
*/
function fittingItem(
	item: Item,
	marks: readonly Mark[],
	{remove, removeAll}: Remover,
): {readonly item: Item; readonly marks: readonly Mark[]} {
	if (item.type === 'title' && item.title.length > maxTitle) {
		const whole = removeAll(item.title);
		const own = (whole?.marks ?? []).map(mark => ({...mark, path: '/title'}));
		return {item: {...item, title: whole?.text ?? ''}, marks: own};
	}
	const origin = item.type === 'message' ? narrowOrigin(item.origin) : undefined;
	if (item.type !== 'message' || origin?.kind !== 'submit' || remove(flatten(origin.segments)) === undefined)
		return {item, marks};
	const own = marks.filter(({path}) => !path.startsWith('/origin/segments/'));
	const inText = own.filter(({path}) => path === '/text').map(mark => ({...mark, path: '/origin/segments/0/text'}));
	return {item: withText(item, item.text), marks: [...own, ...inText]};
}

/** Tells whether a text of an item stays, because other items, other records or the code refer to it. */
function isKept(path: readonly string[], text: string): boolean {
	const name = path.findLast(part => !/^\d+$/.test(part)) ?? '';
	if (path[0] === name) return keptFields.has(name);
	return keptMembers.has(name) && /^[\w./:-]{1,64}$/.test(text);
}

/** Fields of an item that stay. */
const keptFields: ReadonlySet<string> = new Set([
	...['id', 'at', 'type', 'role', 'callId', 'name', 'request', 'requestHash', 'startedAt', 'endedAt', 'stop'],
	...['firstKept', 'keptIds', 'to', 'child', 'call', 'partialOf', 'outcome', 'context', 'op', 'ids', 'model'],
	...['rewrites', 'approval'],
]);

/** Members of the values in an item that stay if they are a single word. */
const keptMembers: ReadonlySet<string> = new Set([
	...['kind', 'type', 'id', 'sha256', 'item', 'about', 'state', 'mode', 'cause', 'outcome', 'mime', 'failed'],
	...['before', 'after', 'server', 'wire', 'dialect', 'chain', 'rule', 'where', 'name', 'parent', 'compaction'],
	...['start', 'child', 'newHash', 'hash', 'reason', 'by', 'status', 'slug', 'signal'],
]);

const maxTitle = 200;
