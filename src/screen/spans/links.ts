import {gutterCells, textOf, type Row} from './row.ts';
import {cellMask, steps} from '../../text/width.ts';

/**
Returns the address if a text may be a link in the terminal (OSC 8). The whole text must be an http or https address in
printable ASCII, so that a link always leads to the address that it shows. Returns `undefined` for any other text. The
length limit is the same as in VTE.
*/
export function webAddress(text: string): string | undefined {
	return text.length <= 2083 && address.test(text) ? text : undefined;
}

/** Returns a painted text as a link. `webAddress` must have returned the address. */
export function linked(painted: string, address: string): string {
	return `\x1b]8;;${address}\x1b\\${painted}${endLink}`;
}

/** The sequence that ends a link. Source: gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda */
export const endLink = '\x1b]8;;\x1b\\';

const address = /^https?:\/\/[!-~]+$/;

/**
Tells whether the terminal supports links. The variable INKPOD_LINKS (1 or 0) has priority over the user's
configuration. If neither is set, inkpod detects the terminal by its environment variables, because a terminal without
support for OSC 8 may print the sequences.
*/
export function takesLinks(env: Readonly<Record<string, string | undefined>>, configured?: boolean): boolean {
	const said = env['INKPOD_LINKS'];
	if (said === '0' || said === '1') return said === '1';
	return configured ?? isKnown(env);
}

/** Tells whether a version such as `3.6.6` is this one or a later one. */
export function isAtLeast(version: string, ...oldest: readonly number[]): boolean {
	const parts = (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
	const differing = oldest.findIndex((part, at) => part !== (parts[at] ?? 0));
	return differing === -1 || (parts[differing] ?? 0) > (oldest[differing] ?? 0);
}

/**
Returns the stored text of the cells `[from, to)` of a row. Cells are counted from the left edge of the screen. If a
cell is a part of a wide character, the whole character is included. Without `to`, the text includes trailing spaces
that did not fit.
*/
export function storedText(row: Row, from = 0, to = Number.POSITIVE_INFINITY): string {
	const start = unitAt(row, from, false);
	const end = unitAt(row, to, true);
	const tail = to === Number.POSITIVE_INFINITY ? (row.source?.tail ?? row.tail ?? '') : '';
	if (row.source === undefined) return textOf(row).slice(start, end) + tail;
	return row.source.text.slice(row.source.at[start], row.source.at[end]) + tail;
}

/** Returns the stored text between a row and the previous row of the same line. */
export function storedGap(row: Row): string {
	return row.source?.gap ?? row.gap ?? '';
}

/**
Returns the index of the code unit of a row's text at a cell. Cells are counted from the left edge of the screen. Both
cells of a wide character belong to that character. `isEnd`: the cell is the end of a range, so the index after the
character is returned.
*/
export function unitAt(row: Row, cell: number, isEnd: boolean): number {
	const wanted = cell - gutterCells(row);
	if (wanted <= 0) return 0;
	const text = textOf(row);
	let cells = 0;
	for (const step of steps(text)) {
		if (isEnd && cells >= wanted) return step.from;
		cells += step.traits & cellMask;
		if (!isEnd && cells > wanted) return step.from;
	}
	return text.length;
}

/**
Tells whether the terminal is known to support links. Sources: github.com/Alhadis/OSC8-Adoption, and the change log of
tmux 3.4.
*/
function isKnown(env: Readonly<Record<string, string | undefined>>): boolean {
	const {TERM: term = '', TERM_PROGRAM: program = '', TERM_PROGRAM_VERSION: version = ''} = env;
	if (program === 'tmux') return isAtLeast(version, 3, 4);
	if (['TMUX', 'STY', 'ZELLIJ'].some(name => (env[name] ?? '') !== '') || /^(?:tmux|screen)\b/.test(term))
		return false;
	if (/^(?:xterm-kitty|xterm-ghostty|wezterm|alacritty|foot)/.test(term)) return true;
	if (program === 'iTerm.app') return isAtLeast(version, 3, 1);
	if (program === 'vscode') return isAtLeast(version, 1, 72);
	return programs.has(program) || (env['WT_SESSION'] ?? '') !== '' || Number(env['VTE_VERSION'] ?? 0) > 5000;
}

const programs: ReadonlySet<string> = new Set(['WezTerm', 'ghostty', 'zed', 'rio']);
