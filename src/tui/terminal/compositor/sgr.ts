/** One SGR sequence (ECMA-48 8.3.117) at the current search position. */
export const sgr = /\x1b\[([\d;]*)m/y;

/**
Returns the SGR sequence that continues a text at an index: all earlier styles that still apply. Returns an empty text
without styles.
*/
export function sgrAt(text: string, index: number): string {
	const holds = new Map<number, string>();
	for (let at = text.indexOf('\x1b'); at !== -1 && at < index; at = text.indexOf('\x1b', at + 1)) {
		sgr.lastIndex = at;
		const parameters = sgr.exec(text)?.[1];
		if (parameters !== undefined) apply(parameters, holds);
	}
	return textOf(holds);
}

/** The styles that apply while a text is read. `read` returns the end of the SGR sequence at an index, if it is one. */
export type SgrState = {readonly read: (text: string, index: number) => number; readonly text: () => string};

export function startSgr(): SgrState {
	const holds = new Map<number, string>();
	return {
		read(text, index) {
			sgr.lastIndex = index;
			const found = sgr.exec(text);
			if (found === null) return index;
			apply(found[1] ?? '', holds);
			return index + found[0].length;
		},
		text: () => textOf(holds),
	};
}

function textOf(holds: ReadonlyMap<number, string>): string {
	return holds.size === 0 ? '' : `\x1b[${[...holds.values()].join(';')}m`;
}

/** Maps the parameter that ends a style to the style. Bold and dim have the same one and may apply together. */
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
