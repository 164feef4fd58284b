import {gutterCells, textOf, type Row} from './row.ts';
import {cellMask, steps} from '../../text/width.ts';

/**
Returns the address to which a text may be a link in the terminal (OSC 8): an http or https address in printable ASCII
that is exactly the text that is shown. Returns `undefined` for any other text. The limit is that of VTE.
*/
export function webAddress(text: string): string | undefined {
	return text.length <= 2083 && address.test(text) ? text : undefined;
}

/** Returns a painted text as a link to an address that `webAddress` returned. */
export function linked(painted: string, address: string): string {
	return `\x1b]8;;${address}\x1b\\${painted}${endLink}`;
}

/** The sequence that ends a link. Source: gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda */
export const endLink = '\x1b]8;;\x1b\\';

const address = /^https?:\/\/[!-~]+$/;

/**
Tells whether the terminal takes links. INKPOD_LINKS (1 or 0) has priority, then the user's configuration. Otherwise the
variables of the terminal decide, because a terminal that does not know OSC 8 may print it.
*/
export function takesLinks(env: Readonly<Record<string, string | undefined>>, configured?: boolean): boolean {
	const said = env['INKPOD_LINKS'];
	if (said === '0' || said === '1') return said === '1';
	return configured ?? isKnown(env);
}

/**
Returns the stored text of the cells `[from, to)` of a row. Cells are counted from the left edge of the screen. A cell
of a wide character includes the whole character. Without `to`, trailing spaces that did not fit are included.
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
Returns the code unit of a row's text at a cell. Cells are counted from the left edge of the screen. A cell in the
middle of a wide character belongs to that character. If the cell is an end, the function returns the unit after the
character.
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

/** Sources: github.com/Alhadis/OSC8-Adoption, and the changes of tmux 3.4. */
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

function isAtLeast(version: string, major: number, minor: number): boolean {
	const [one = 0, two = 0] = (/^\d+(?:\.\d+)?/.exec(version)?.[0] ?? '0').split('.').map(Number);
	return one > major || (one === major && two >= minor);
}
