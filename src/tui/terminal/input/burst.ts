import {pasteLimit} from './paste.ts';
import {isPrinted, isReport, sourceOf} from './source.ts';
import type {Token} from './token.ts';

/**
Finds pastes in terminals without bracketed paste, by their speed.

A read is what one `data` event brought; reads belong together when no more than `burstGap` lies between them, and
`pasteGap` once they are known to be a paste. Together they are a paste, which submits nothing and of which no byte is a
key, when
- they are plain (text, Enter, Ctrl+J and Tab) and an Enter is followed by more, or 128 characters come in one read;
- or they hold sequences, and also 128 characters in one read, or text before and after an Enter, or what only a
program prints, such as colours. What was typed while the program was busy comes in one read too: a short one with a
Backspace or a Ctrl+C in it and nothing printed is keys.
An Enter at the very end of plain text is the Enter key, after its text: what `hello<Enter>` written at once by a
program means.
A person's key is delivered at once: nobody types an Enter within `burstGap` of a letter, and if so it comes that much
later.
*/
export type Burst = {
	/** Takes the tokens of one read; gives back what can be delivered now. */
	push(tokens: readonly Token[], now: number): readonly Arrived[];
	/** Ends the burst: called when nothing was read for as long as `patience` said. */
	flush(): readonly Arrived[];
	/** Milliseconds to wait for more. 0: nothing is held. */
	patience(): number;
};

/** `alone`: the token is one key, with no other in its read and none read within `burstGap` before it. */
export type Arrived = {readonly token: Token; readonly alone: boolean};

/**
Milliseconds: a person types no two keys this close together, a terminal that pastes writes its next piece sooner.
*/
const burstGap = 12;

/** What is known to be a paste may halt for longer, as long ones do on a slow line. */
const pasteGap = 100;
const longRead = 128;

export function createBurst(): Burst {
	let held: string[] = [];
	let size = 0;
	let lastAt = -Infinity;
	let lastKeyAt = -Infinity;
	/** What is held is a paste, and whether it holds more than plain text. */
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
	/** All of it, as it came. */
	readonly source: string;
	/** Its text, Enters, Ctrl+Js and Tabs. */
	readonly words: string;
	/** Whether there is nothing else. */
	readonly plain: boolean;
	readonly printed: boolean;
	/** It holds a Backspace or a Ctrl+C. */
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

/** Whether there is text, and an Enter with anything after it. */
function hasInnerEnter(text: string): boolean {
	const enter = text.indexOf('\r');
	return enter !== -1 && enter < text.length - 1 && hasText(text);
}

function isEnterAmidText(text: string): boolean {
	return /[^\r\n\t][\n\t]*\r[\r\n\t]*[^\r\n\t]/.test(text);
}

/** An Enter at the end and nowhere else, with text in the same read or right before it. */
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
