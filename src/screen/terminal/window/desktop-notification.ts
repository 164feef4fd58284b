import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut} from '../../../text/width.ts';

/** The escape sequence that a terminal accepts for a desktop notification. */
export type DesktopCode = 'osc 9' | 'osc 777';

/**
Returns the code that the terminal supports, according to the environment variables. In tmux, the code depends on the
terminal around it, so `codeBehindTmux` must ask for it. Other multiplexers do not forward the code. Sources:
iterm2.com/documentation-escape-codes, sw.kovidgoyal.net/kitty/desktop-notifications, wezterm.org/escape-sequences,
ghostty.org/docs/vt, foot-ctlseqs(7).
*/
export function desktopCode(env: Readonly<Record<string, string | undefined>>): DesktopCode | 'tmux' | undefined {
	const {TERM: term = '', TERM_PROGRAM: program = ''} = env;
	const [tmux, ...others] = ['TMUX', 'STY', 'ZELLIJ'].map(name => (env[name] ?? '') !== '');
	if (tmux === true) return others.includes(true) ? undefined : 'tmux';
	if (others.includes(true) || /^(?:tmux|screen)\b/.test(term)) return undefined;
	return codeOfTerminal(term, program);
}

/**
Returns the code of a terminal. `name` is its name in `TERM_PROGRAM` or in its answer to XTVERSION. `term` has priority,
because `TERM_PROGRAM` may be inherited from another terminal in which this one was started.
*/
export function codeOfTerminal(term: string, name: string): DesktopCode | undefined {
	if (term === 'xterm-kitty') return 'osc 9';
	if (term === 'xterm-ghostty' || term === 'wezterm' || /^foot\b/.test(term)) return 'osc 777';
	return byName.get(/^[\w.]*/.exec(name)?.[0] ?? '');
}

const byName: ReadonlyMap<string, DesktopCode> = new Map([
	['iTerm.app', 'osc 9'],
	['iTerm2', 'osc 9'],
	['kitty', 'osc 9'],
	['WezTerm', 'osc 777'],
	['ghostty', 'osc 777'],
	['foot', 'osc 777'],
]);

/** Returns the bytes of a notification. The texts are sanitized and shortened. */
export function desktopBytes(
	code: DesktopCode,
	{title, body}: {readonly title: string; readonly body: string},
): string {
	const [head, text] = [inert(title, maxTitle), inert(body, maxBody)];
	return code === 'osc 9' ? `\x1b]9;${head}: ${text}\x1b\\` : `\x1b]777;notify;${head};${text}\x1b\\`;
}

/** The maximum width of the title and the body of a notification, in cells. */
const [maxTitle, maxBody] = [60, 160];

/** Sanitizes and shortens a text. A semicolon is replaced, because it would begin another field. */
function inert(text: string, columns: number): string {
	return cut(sanitizeLine(text.slice(0, 4 * columns).toWellFormed()), columns, '…').replaceAll(';', ',');
}
