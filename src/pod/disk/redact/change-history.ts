import type {Item, ItemOf} from '../../../worker/index.ts';
import {elementAt} from '../../ground/values/is-record.ts';
import type {Decoded} from '../format/decode.ts';
import {closing, encodeBatch, headerSum, lineHash, redactedLine, spanOf, type Span} from '../format/line.ts';
import {changeItem, earlierMarks, withoutProvider, type ChangedItem} from './change-item.ts';
import type {Remover} from './remover.ts';

type Entry = ItemOf<'redaction'>['lines'][number];

/** A history whose lines are all intact. */
export type WholeHistory = {readonly bytes: Buffer; readonly decoded: Decoded};

/** The changed items of a history. `old` and `next` have the same length. */
export type ChangedHistory = {
	readonly old: readonly Item[];
	readonly next: readonly Item[];
	/** The changes by index. */
	readonly changes: ReadonlyMap<number, ChangedItem>;
	/** The number of removed texts. It does not count the data of providers. */
	readonly count: number;
};

/** Returns the items of a history without the removed texts. `whole` is the id of an item whose texts all go. */
export function changeItems(items: readonly Item[], remover: Remover, whole?: string): ChangedHistory {
	const earlier = earlierMarks(items);
	const changes = new Map<number, ChangedItem>();
	for (const [index, item] of items.entries()) {
		const marks = earlier.get(item.id) ?? [];
		const changed = changeItem(item, {remover, isWhole: item.id === whole, earlier: marks});
		if (changed !== undefined) changes.set(index, changed);
	}
	const count = [...changes.values()].reduce((all, {added}) => all + added, 0);
	for (const index of turnsOf(items, changes.keys())) {
		const before = changes.get(index);
		const changed = withoutProvider(before?.item ?? elementAt(items, index));
		const kept = before?.marks ?? earlier.get(items[index]?.id ?? '') ?? [];
		if (changed !== undefined) changes.set(index, {...changed, marks: [...outside(kept), ...changed.marks]});
	}
	return {old: items, next: items.map((item, index) => changes.get(index)?.item ?? item), changes, count};
}

/** Returns the bytes of a changed history. `made` gets the changed lines, and returns the items at the end. */
export function changedBytes(
	{bytes, decoded}: WholeHistory,
	{changes}: Pick<ChangedHistory, 'changes'>,
	rule: string,
	made: (lines: readonly Entry[]) => readonly Item[],
): Buffer {
	const header = bytes.subarray(0, bytes.indexOf('\n'));
	const lines: Buffer[] = [];
	const entries: Entry[] = [];
	let sum = headerSum(withoutBom(header));
	for (const [index, {start, end}] of decoded.lines.entries()) {
		const span = spanIn(bytes, start, end);
		const change = changes.get(index);
		const line =
			change === undefined ? bytes.subarray(start, span.end) : Buffer.from(redactedLine(change.item, span.sum));
		if (change !== undefined) {
			const newHash = lineHash(line, spanIn(line, 0, line.length));
			entries.push({id: change.item.id, after: sum, rule, marks: [...change.marks], newHash});
		}
		lines.push(line);
		sum = span.sum;
	}
	lines.push(...encodeBatch(made(entries), sum).pieces.reduce(joinPieces, []));
	return Buffer.concat([header, ...lines.flatMap((line, n) => [n === 0 ? newline : separator, line]), closing]);
}

/** Joins the pieces of an encoded batch to one line. */
function joinPieces(lines: readonly Buffer[], piece: Buffer): Buffer[] {
	return [Buffer.concat([...lines, piece])];
}

function spanIn(bytes: Buffer, start: number, end: number): Span {
	const span = spanOf(bytes, start, end);
	if (span === undefined) throw new Error('an intact line has no checksum');
	return span;
}

/** Returns the indexes of all items in the turns of these items. A turn begins with a message of the user. */
function turnsOf(items: readonly Item[], changed: Iterable<number>): ReadonlySet<number> {
	const starts = items.flatMap((item, index) => (item.type === 'message' && item.role === 'user' ? [index] : []));
	const found = new Set<number>();
	for (const index of changed) {
		if (found.has(index)) continue;
		const first = starts.findLast(start => start <= index) ?? 0;
		const end = starts.find(start => start > index) ?? items.length;
		for (let at = first; at < end; at++) found.add(at);
	}
	return found;
}

/** Returns the marks that are not in the data of a provider. */
function outside(marks: ChangedItem['marks']): ChangedItem['marks'] {
	return marks.filter(({path}) => path !== '/provider' && !path.startsWith('/provider/'));
}

function withoutBom(line: Buffer): Buffer {
	return line.subarray(0, 3).equals(bom) ? line.subarray(3) : line;
}

const bom = Buffer.from('\uFEFF');
const newline = Buffer.from('\n');
const separator = Buffer.from(',\n');
