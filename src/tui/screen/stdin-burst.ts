import {pasteLimit} from './stdin-paste.ts';
import type {Token} from './stdin-tokens.ts';

/**
Finds pastes in terminals without bracketed paste, by their speed.

A read is what one `data` event brought. A read is plain when it holds text, Enter (CR), Ctrl+J (LF) and Tab and no other key.
- A plain read with an Enter before its end, or of 128 characters or more, begins a burst: it and the plain reads that
  follow within `pasteGap` are gathered.
- A plain read that ends in an Enter, when text came with it or within `burstGap` before it, begins one that ends after
  `burstGap`, unless more text comes.
- When the burst is over, an Enter that was followed by more makes all of it a paste, which submits nothing. An Enter at the very
  end alone is the Enter key, after its text: what `hello<Enter>` written at once by a program means.
A person's key is delivered at once: nobody types an Enter within `burstGap` of a letter, and if so it comes that much later.
*/
export type Burst = {
	/** Takes the tokens of one read; gives back what can be delivered now. */
	push(tokens: readonly Token[], now: number): readonly Token[];
	/** Ends the burst: called when nothing was read for as long as `patience` said. */
	flush(): readonly Token[];
	/** Milliseconds to wait for more. 0: nothing is held. */
	patience(): number;
};

/** Milliseconds: a person types no two keys this close together, a terminal that pastes writes its next piece sooner. */
export const burstGap = 12;

/** What is known to be a paste may halt for longer, as long ones do on a slow line. */
export const pasteGap = 100;
const longRead = 128;

export function createBurst(): Burst {
	let held: string[] = [];
	let size = 0;
	let lastText = -Infinity;
	let isPaste = false;
	const hold = (text: string) => {
		isPaste ||= size > 0 || isLong(text) || hasInnerEnter(text);
		if (size <= pasteLimit) held.push(text);
		size += text.length;
	};
	const flush = () => {
		const tokens = held.length === 0 ? [] : settle(held.join(''), size > pasteLimit);
		[held, size, isPaste] = [[], 0, false];
		return tokens;
	};
	return {
		push(tokens, now) {
			const reports = tokens.filter(isReport);
			const keys = reports.length === 0 ? tokens : tokens.filter(token => !isReport(token));
			if (keys.length === 0) return reports;
			const text = plainText(keys);
			const close = now - lastText <= (isPaste ? pasteGap : burstGap);
			lastText = text === undefined ? -Infinity : now;
			const before = close && text !== undefined ? [] : flush();
			if (text === undefined) return [...before, ...reports, ...keys];
			if (held.length === 0 && !begins(text, close)) return [...before, ...reports, ...keys];
			hold(text);
			return [...before, ...reports];
		},
		flush,
		patience: () => (held.length === 0 ? 0 : isPaste ? pasteGap : burstGap),
	};
}

function begins(text: string, close: boolean): boolean {
	return isLong(text) || hasInnerEnter(text) || (text.indexOf('\r') === text.length - 1 && (close || text.length > 1));
}

function isLong(text: string): boolean {
	return text.length >= longRead;
}

/** Whether there is text, and an Enter with anything behind it. */
function hasInnerEnter(text: string): boolean {
	const enter = text.indexOf('\r');
	return enter !== -1 && enter < text.length - 1 && /[^\r\n\t]/.test(text);
}

function settle(text: string, cut: boolean): readonly Token[] {
	if (hasInnerEnter(text)) return [{type: 'paste', text, cut}];
	const head = text.endsWith('\r') ? text.slice(0, -1) : text;
	return [...(isLong(head) ? [{type: 'paste', text: head, cut} as const] : keysOf(head)), ...keysOf(text.slice(head.length))];
}

/** The text of tokens that are plain, each of them; else nothing. */
function plainText(tokens: readonly Token[]): string | undefined {
	let text = '';
	for (const token of tokens) {
		if (token.type === 'text' && !token.alt) text += token.text;
		else if (token.type === 'control' && !token.alt && plainCodes.has(token.code)) text += String.fromCharCode(token.code);
		else return undefined;
	}
	return text;
}

const plainCodes = new Set([0x09, 0x0a, 0x0d]);

function keysOf(text: string): readonly Token[] {
	return (text.match(/[\t\n\r]|[^\t\n\r]+/g) ?? []).map(piece => plainCodes.has(piece.charCodeAt(0))
		? {type: 'control', code: piece.charCodeAt(0), alt: false}
		: {type: 'text', text: piece, alt: false});
}

/** What the terminal says by itself, which may stand between the pieces of a paste. */
function isReport(token: Token): boolean {
	if (token.type === 'reply') return true;
	return token.type === 'csi' && (/^[<?]/.test(token.body) || (token.body === '' && (token.final === 'I' || token.final === 'O')));
}
