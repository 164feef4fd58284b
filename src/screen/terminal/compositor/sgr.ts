import {endLink} from '../../spans/links.ts';

/**
Matches one style sequence at `lastIndex`: SGR (ECMA-48 8.3.117), or the start or end of a link to a web address (OSC
8).
*/
export const styleSequence = /\x1b\[([\d;]*)m|\x1b\]8;;((?:https?:\/\/[!-~]+)?)\x1b\\/y;

/** Matches all style sequences of a text. */
export const styleSequences = new RegExp(styleSequence.source, 'g');

/**
Returns the sequences that set the styles and the link that apply at an index of a text. Returns an empty text if none
apply.
*/
export function styleAt(text: string, index: number): string {
	const state = startStyle();
	for (let at = text.indexOf('\x1b'); at !== -1 && at < index; at = text.indexOf('\x1b', at + 1))
		state.read(text, at);
	return state.text();
}

/**
The styles and the link that apply while a text is read. `read` applies the sequence at an index and returns its end.
*/
type StyleState = {readonly read: (text: string, index: number) => number; readonly text: () => string};

export function startStyle(): StyleState {
	const holds = new Map<number, string>();
	let link = '';
	return {
		read(text, index) {
			styleSequence.lastIndex = index;
			const found = styleSequence.exec(text);
			if (found === null) return index;
			const [all, parameters, address = ''] = found;
			if (parameters === undefined) link = address === '' ? '' : all;
			else apply(parameters, holds);
			return index + all.length;
		},
		text: () => sgrOf(holds) + link,
	};
}

/** Returns the sequences that reset a style that `styleAt` or a state returned. */
export function endOfStyle(style: string): string {
	if (style === '') return '';
	return (style.includes('\x1b[') ? '\x1b[0m' : '') + (style.endsWith('\\') ? endLink : '');
}

function sgrOf(holds: ReadonlyMap<number, string>): string {
	return holds.size === 0 ? '' : `\x1b[${[...holds.values()].join(';')}m`;
}

/**
Applies the parameters of an SGR sequence. The key of a style in `holds` is the parameter that resets the style. Bold
and dim have the same reset parameter and may apply together, so their keys are 1 and 2.
*/
function apply(parameters: string, holds: Map<number, string>): void {
	const codes = parameters.split(';');
	for (let at = 0; at < codes.length; at++) {
		const code = Number(codes[at]);
		if (code === 0) holds.clear();
		else if (code === 38 || code === 48) {
			const end = at + (codes[at + 1] === '2' ? 5 : 3);
			holds.set(code + 1, codes.slice(at, end).join(';'));
			at = end - 1;
		} else if (ends.has(code)) for (const one of code === 22 ? [1, 2] : [code]) holds.delete(one);
		else holds.set(endOf(code), String(code));
	}
}

const ends: ReadonlySet<number> = new Set([22, 23, 24, 27, 28, 29, 39, 49]);

function endOf(code: number): number {
	if (code >= 90) return code >= 100 ? 49 : 39;
	if (code >= 30) return code >= 40 ? 49 : 39;
	return code < 3 ? code : code + 20;
}
