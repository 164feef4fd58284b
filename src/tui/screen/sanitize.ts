import {width} from './width.ts';

/**
The one function between stored text and rows (L10): what comes out can be written to a terminal and does nothing there but show.

C0 and DEL become their pictures (`␛`), C1 and the bidi controls that reorder others become `⟨9b⟩`, `⟨U+202E⟩`; carriage returns are
shown, tabs become spaces up to the next fourth cell, newlines stay. Lone surrogates become U+FFFD. Invisible tag characters,
which a model reads and a person does not, are shown unless they spell a flag; a line that begins with a combining mark gets a `◌` to carry it.
*/
export function sanitize(text: string): string {
	const formed = text.isWellFormed() ? text : text.toWellFormed();
	const carried = marksFirst.test(formed) ? formed.replaceAll(eachMarkFirst, '◌') : formed;
	if (!active.test(carried)) return carried;
	const shown = carried.replaceAll(eachActive, picture);
	return shown.includes('\t') ? expandTabs(shown) : shown;
}

/** For what must be read exactly and fits on one line (paths, commands, titles): newlines, tabs, all bidi controls and zero-width characters are visible too. */
export function sanitizeLine(text: string): string {
	const safe = sanitize(text.replaceAll('\t', '␉').replaceAll('\n', '␊'));
	return hidden.test(safe) ? safe.replaceAll(eachHidden, name) : safe;
}

/** For each code unit of `sanitize(line)`, and its end, the index in the one line that it was made of. */
export function locate(line: string): number[] {
	const at: number[] = [];
	const add = (text: string, from: number, step: 0 | 1) => {
		for (let index = 0; index < text.length; index++) at.push(from + index * step);
	};
	const formed = line.toWellFormed();
	let index = 0;
	let column = 0;
	if (marksFirst.test(formed)) {
		at.push(0);
		column++;
	}
	for (const found of formed.matchAll(eachActiveOrTab)) {
		const between = formed.slice(index, found.index);
		add(between, index, 1);
		column += width(between);
		const shown = found[0] === '\t' ? ' '.repeat(tabStop - (column % tabStop)) : picture(found[0]);
		add(shown, found.index, 0);
		column += width(shown);
		index = found.index + found[0].length;
	}
	add(formed.slice(index), index, 1);
	at.push(formed.length);
	return at;
}

const tabStop = 4;
const marksFirst = /^[\p{M}\u200d]/mu;
const eachMarkFirst = /^(?=[\p{M}\u200d])/gmu;

/** U+DB40 leads every tag character (U+E0000 to U+E007F). */
const active = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\udb40]/;
const eachActive = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,16}\u{e007f}|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

const eachActiveOrTab = new RegExp(`\\t|${eachActive.source}`, 'gu');

/** Zero-width and bidi. A joiner between two pictographs and an emoji's variation selector draw one visible thing and stay. */
const invisible = String.raw`(?<!\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d|\u200d(?!\p{Extended_Pictographic})|(?<![\p{Emoji}])[\ufe0e\ufe0f]|(?![\u200d\ufe0e\ufe0f])[\p{Default_Ignorable_Code_Point}\p{Cf}]`;
const hidden = new RegExp(invisible, 'u');
const eachHidden = new RegExp(invisible, 'gu');

function picture(found: string): string {
	if (found.length > 2) return found;
	const code = found.codePointAt(0)!;
	if (code < 0x20) return String.fromCharCode(0x2400 + code);
	if (code === 0x7f) return '␡';
	if (code < 0xa0) return `⟨${code.toString(16)}⟩`;
	return name(found);
}

function name(found: string): string {
	return `⟨U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

function expandTabs(text: string): string {
	return text.split('\n').map(line => (line.includes('\t') ? expandLine(line) : line)).join('\n');
}

function expandLine(line: string): string {
	let out = '';
	let column = 0;
	const pieces = line.split('\t');
	for (const [index, piece] of pieces.entries()) {
		out += piece;
		if (index === pieces.length - 1) break;
		column += width(piece);
		const gap = tabStop - (column % tabStop);
		out += ' '.repeat(gap);
		column += gap;
	}
	return out;
}
