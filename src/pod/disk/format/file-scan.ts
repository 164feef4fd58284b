import type {Item} from '../../../worker/index.ts';
import type {Header} from './line.ts';
import type {Chain, Damage} from './read-line.ts';

/**
A line with an item, or a report of damage. `line` is 1-based, and the header is line 1. `start` and `end` are byte
offsets without the comma. For a misplaced or late line, the list contains the damage and then the item. `before` is the
number of the line before which a late line belongs.
*/
export type Line = {readonly line: number; readonly start: number; readonly end: number} & (
	| {readonly item: Item}
	| {readonly damage: Damage; readonly sumKnown: boolean; readonly before?: number}
);

/**
A line that says that text was removed from it. `at` is its index in the list of lines, `after` the checksum of the line
before it, and `hash` the sha256 of the line.
*/
export type RedactedLine = {readonly at: number; readonly after: string; readonly hash: string};

export type Unreadable =
	| 'empty'
	| 'not_history'
	| 'newer_format'
	| 'unknown_type'
	| 'long_line'
	| 'too_damaged'
	| 'long_tail';

/** The refusal to open a file. `line` and `type` identify an unknown item. */
export type Refusal = {readonly ok: false; readonly reason: Unreadable; readonly line?: number; readonly type?: string};

/** The state of decoding a file. */
export type FileScan = {
	/**
	`at`: the number of bytes decoded so far. `number`: the number of lines. `damaged`: the number of damaged lines.
	*/
	at: number;
	number: number;
	damaged: number;
	header: Header | undefined;
	headerEnd: number;
	/**
	`newer`: the header has a newer format, or its format number is damaged. The first item shows which case it is.
	*/
	headerState: 'sound' | 'damaged' | 'newer';
	/** The text of a damaged header, as far as it is read. */
	headerText: string;
	/** Whether the next item is on the same line, because the newline before it was changed. */
	isSameLine: boolean;
	hasItem: boolean;
	/** The ids of all items. They are collected only when a line does not fit the chain. */
	ids: Set<string> | undefined;
	/** The number of the last misplaced line. */
	misplaced: number;
	/** The line number of the last item if no comma follows the item, and otherwise 0. */
	bare: number;
	readonly lines: Line[];
	readonly unchecked: number[];
	readonly unseparated: number[];
	/** The redacted lines so far. */
	readonly redacted: RedactedLine[];
	/** The lines whose item does not follow the chain. */
	readonly unchained: Set<number>;
	chain: Chain;
	/** The state after the last complete item. */
	whole: {readonly lines: number; readonly chain: Chain; readonly end: number};
	/** `last`: the last byte that is not a newline. `end`: the offset after it. */
	text: {readonly end: number; readonly last: number};
	/** The state after the last item that is not a `redaction` item. */
	settled: {readonly items: number; readonly sum: string};
	/** How the file ends, as soon as this is known. `stray`: more closing brackets follow the closing brackets. */
	over: 'closed' | 'stray' | 'unfinished' | Refusal | undefined;
};

export function createFileScan(): FileScan {
	return {
		at: 0,
		number: 1,
		damaged: 0,
		header: undefined,
		headerEnd: 0,
		headerState: 'sound',
		headerText: '',
		isSameLine: false,
		hasItem: false,
		ids: undefined,
		misplaced: 0,
		bare: 0,
		lines: [],
		unchecked: [],
		unseparated: [],
		redacted: [],
		unchained: new Set(),
		chain: noChain,
		whole: {lines: 0, chain: noChain, end: 0},
		text: {end: 0, last: 0},
		settled: {items: 0, sum: ''},
		over: undefined,
	};
}

export const notHistory: Refusal = {ok: false, reason: 'not_history'};
export const comma = 0x2c;
const noChain: Chain = {sums: [''], broken: false};
