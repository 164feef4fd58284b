import {itemTypes, parseItem, type Item} from '../../worker/index.ts';
import {bodyOf, spanOf, spanWithin, sumOf, type Span} from './line.ts';

/**
The reason why a complete line has no item. `unreadable`: it is not JSON with a sum at its end.
`changed`: it does not match its sum. `misshapen`: it matches its sum, but is not a valid item for this version.
*/
export type Damage = 'unreadable' | 'changed' | 'misshapen';

/** The sums that the next line may continue, the likeliest first. `broken`: the sum before it is unreadable. */
export type Chain = {readonly sums: readonly [string, ...string[]]; readonly broken: boolean};

/** The contents of a line, and the chain after it. `type` is a type that this version does not know. */
export type LineRead =
	| {readonly item: Item; readonly end: number; readonly chain: Chain; readonly checked: boolean}
	| {readonly item?: undefined; readonly end: number; readonly chain: Chain; readonly damage: Damage}
	| {readonly type: string};

/** Reads the first line of the bytes. `next` is the position of its newline, or the end of the bytes. */
export function readLine(bytes: Buffer, next: number, chain: Chain): LineRead {
	const isLast = next >= bytes.length - 1;
	const span = spanOf(bytes, 0, next) ?? (isLast ? spanWithin(bytes, 0, next) : undefined);
	if (span === undefined) return {damage: 'unreadable', end: next, chain: {...chain, broken: true}};
	const checked = chain.sums.some(sum => sumOf(bytes, span, sum) === span.sum);
	const after: Chain = {sums: checked ? [span.sum] : [span.sum, sumOf(bytes, span, chain.sums[0])], broken: false};
	if (!checked && !chain.broken) return {damage: 'changed', end: next, chain: after};
	return {...readBody(bytes, span), end: span.end, chain: after, checked};
}

function readBody(
	bytes: Buffer,
	span: Span,
): {readonly item: Item} | {readonly damage: Damage} | {readonly type: string} {
	const body = bodyOf(bytes, span);
	if (typeof body !== 'object' || body === null) return {damage: 'unreadable'};
	const item = parseItem(body);
	if (item !== undefined) return {item};
	const type = 'type' in body ? body.type : undefined;
	return typeof type === 'string' && !itemTypes.has(type) ? {type} : {damage: 'misshapen'};
}
