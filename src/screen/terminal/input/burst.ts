import {pasteLimit} from './paste.ts';
import {isPrinted, isReport, sourceOf} from './source.ts';
import type {Token} from './token.ts';

/**
Detects pastes by their speed, in terminals without bracketed paste. A read is the data of one `data` event. Two reads
belong together if at most `burstGap` milliseconds are between them, or `pasteGap` within a paste. A paste submits
nothing and contains no keys. Reads are a paste in these cases:
- They are plain (text, Enter, Ctrl+J and Tab). In addition, text follows an Enter, or one read has 128 characters.
- They contain sequences. In addition, one read has 128 characters, or text is on both sides of an Enter, or they
  contain output of programs, such as colours.

Text that you type while the program is busy also arrives in a single read. So a short read with a Backspace or a Ctrl+C
consists of keys, unless it contains output of programs. An Enter at the very end of plain text is the Enter key,
because programs send `hello<Enter>` in this way. Single keys are delivered immediately. An Enter within `burstGap`
after a letter is delayed by `burstGap`, but nobody types so fast.
*/
type Burst = {
	/** Receives the tokens of one read. Returns the tokens that can be delivered now. */
	push(tokens: readonly Token[], now: number): readonly Arrived[];
	/**
	Ends the burst and returns the delayed tokens. Call this when no bytes have arrived for `patience()` milliseconds.
	*/
	flush(): readonly Arrived[];
	/** Returns the number of milliseconds to wait for more bytes. 0 means that no tokens are delayed. */
	patience(): number;
};

/** `alone`: the token is one key, alone in its read, and the last read was more than `burstGap` ago. */
export type Arrived = {readonly token: Token; readonly alone: boolean};

/**
Reads with at most this number of milliseconds between them belong together. Nobody types two keys so fast, but the
pieces of a paste arrive faster.
*/
const burstGap = 12;

/** The longest pause within a paste, in milliseconds. Long pastes over a slow connection have such pauses. */
const pasteGap = 100;
const longRead = 128;

export function createBurst(): Burst {
	let held: string[] = [];
	let size = 0;
	let lastAt = -Infinity;
	let lastKeyAt = -Infinity;
	/** Whether the delayed text is a paste. A paste may contain more than plain text. */
	let isPaste = false;
	let hasSequences = false;
	const hold = (text: string) => {
		if (size <= pasteLimit) held.push(text);
		size += text.length;
	};
	const flush = (): readonly Arrived[] => {
		const text = held.join('');
		const cut = size > pasteLimit;
		const tokens: readonly Token[] = hasSequences ? [{type: 'paste', text, cut}] : settle(text, cut);
		[held, size, isPaste, hasSequences] = [[], 0, false, false];
		return together(tokens);
	};
	return {
		push(tokens, now) {
			const reports = tokens.filter(isReport);
			const keys = reports.length === 0 ? tokens : tokens.filter(token => !isReport(token));
			if (keys.length === 0) return together(reports);
			const read = readOf(keys);
			const close = now - lastAt <= (isPaste ? pasteGap : burstGap);
			const alone = isOneKey(keys) && now - lastKeyAt > burstGap;
			lastKeyAt = now;
			const before = close ? [] : flush();
			const joined = isPaste ? '' : held.join('') + read.words;
			const pasted =
				isPaste || (read.plain ? isLong(read.words) || hasInnerEnter(joined) : isMixedPaste(read, joined));
			const waits = pasted || (read.plain && (size > 0 || endsInEnter(read.words, close)));
			lastAt = read.plain || pasted ? now : -Infinity;
			if (!waits) return [...before, ...flush(), ...together(reports), ...keys.map(token => ({token, alone}))];
			hasSequences ||= !read.plain;
			isPaste ||= pasted;
			hold(read.source);
			return [...before, ...together(reports)];
		},
		flush,
		patience: () => (size === 0 ? 0 : isPaste ? pasteGap : burstGap),
	};
}

function together(tokens: readonly Token[]): readonly Arrived[] {
	return tokens.map(token => ({token, alone: false}));
}

function isOneKey([first, ...rest]: readonly Token[]): boolean {
	return rest.length === 0 && first !== undefined && (first.type !== 'text' || Array.from(first.text).length === 1);
}

type Read = {
	/** All characters of the read. */
	readonly source: string;
	/** The plain part of the read: text, Enter, Ctrl+J and Tab. */
	readonly words: string;
	/** Whether the whole read is plain. */
	readonly plain: boolean;
	readonly printed: boolean;
	/** Whether the read contains a Backspace or a Ctrl+C. */
	readonly typed: boolean;
};

function readOf(tokens: readonly Token[]): Read {
	let [source, words] = ['', ''];
	let [printed, typed] = [false, false];
	for (const token of tokens) {
		const from = sourceOf(token);
		source += from;
		if (isPlain(token)) words += from;
		else {
			printed ||= isPrinted(token);
			typed ||= token.type === 'control' && keyboardCodes.has(token.code);
		}
	}
	return {source, words, plain: source.length === words.length, printed, typed};
}

const plainCodes = new Set([0x09, 0x0a, 0x0d]);
const keyboardCodes = new Set([0x03, 0x7f]);

function isPlain(token: Token): boolean {
	return (
		(token.type === 'text' && !token.alt) || (token.type === 'control' && !token.alt && plainCodes.has(token.code))
	);
}

function isMixedPaste({words, printed, typed}: Read, joined: string): boolean {
	if (isLong(words)) return true;
	if (printed) return hasText(joined);
	return !typed && isEnterAmidText(joined);
}

function isLong(text: string): boolean {
	return text.length >= longRead;
}

function hasText(text: string): boolean {
	return /[^\r\n\t]/.test(text);
}

/** Tells whether a text contains an Enter that is not at its end. */
function hasInnerEnter(text: string): boolean {
	const enter = text.indexOf('\r');
	return enter !== -1 && enter < text.length - 1 && hasText(text);
}

function isEnterAmidText(text: string): boolean {
	return /[^\r\n\t][\n\t]*\r[\r\n\t]*[^\r\n\t]/.test(text);
}

/** Tells whether the only Enter is at the end, and other text is in the same read or in the read directly before it. */
function endsInEnter(text: string, close: boolean): boolean {
	return text.indexOf('\r') === text.length - 1 && (close || text.length > 1);
}

function settle(text: string, cut: boolean): readonly Token[] {
	if (hasInnerEnter(text)) return [{type: 'paste', text, cut}];
	const head = text.endsWith('\r') ? text.slice(0, -1) : text;
	return [
		...(isLong(head) ? [{type: 'paste', text: head, cut} as const] : keysOf(head)),
		...keysOf(text.slice(head.length)),
	];
}

function keysOf(text: string): readonly Token[] {
	return (text.match(/[\t\n\r]|[^\t\n\r]+/g) ?? []).map(piece =>
		plainCodes.has(piece.charCodeAt(0))
			? {type: 'control', code: piece.charCodeAt(0), alt: false}
			: {type: 'text', text: piece, alt: false},
	);
}
