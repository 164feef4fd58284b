import type {Item, ItemOf} from '../../../worker/index.ts';
import {isRecord} from '../../ground/values/is-record.ts';
import {verifyTexts} from '../texts.ts';

type ItemLine = {readonly line: number; readonly item: Item};
type MarkFinding = {readonly level: 'failure' | 'note'; readonly line: number; readonly sentence: string};
type Mark = ItemOf<'redaction'>['lines'][number]['marks'][number];

/**
Checks the marks of lines from which the user removed text. `redacted` are the numbers of these lines. Each mark must be
where the last item about the line says. What else such a line says is not proven, because the original is gone.
*/
export function verifyRedactions(lines: readonly ItemLine[], redacted: readonly number[]): readonly MarkFinding[] {
	if (redacted.length === 0) return [];
	const numbers = new Set(redacted);
	const named = new Map(
		lines.flatMap(({item}) => (item.type === 'redaction' ? item.lines.map(one => [one.id, one] as const) : [])),
	);
	return lines.flatMap(({line, item}): MarkFinding[] => {
		const entry = numbers.has(line) ? named.get(item.id) : undefined;
		if (entry === undefined) return [];
		const bytes = entry.marks.reduce((all, mark) => all + mark.bytes, 0);
		return entry.marks.every(mark => isInPlace(item, mark))
			? [{level: 'note', line, sentence: verifyTexts.redacted(entry.rule, entry.marks.length, bytes)}]
			: [{level: 'failure', line, sentence: verifyTexts.misplacedMark}];
	});
}

/** Tells whether a mark, or a removed value, is at a place of an item. */
function isInPlace(item: Item, {path, from, bytes}: Mark): boolean {
	const text = valueAt(item, path);
	if (text === undefined) return from === 0;
	if (typeof text !== 'string') return false;
	return markForm.exec(Buffer.from(text).toString('utf8', from))?.[1] === String(bytes);
}

/** Returns the value at a JSON pointer (RFC 6901), or `undefined` if there is none. */
function valueAt(item: Item, path: string): unknown {
	let value: unknown = item;
	for (const part of path.split('/').slice(1)) {
		const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
		if (Array.isArray(value)) value = value[Number(key)];
		else value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
	}
	return value;
}

/** The mark in place of a removed text. Its number is the length of the text in bytes. */
const markForm = /^\[redacted: [^\]\n]{1,200}, (\d{1,12}) bytes\]/;
