import {isAtLeast} from '../../spans/links.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut} from '../../../text/width.ts';
import type {Reply} from '../input/input.ts';

/** The state of the program. `about` is the question for which the program waits. The question may be untrusted. */
export type ProgramStatus =
	| {readonly state: 'idle' | 'working' | 'done' | 'error'}
	| {readonly state: 'blocked'; readonly kind: 'permission' | 'question' | 'auth'; readonly about?: string};

/**
Asks the terminal whether it shows the state of programs (OSC 7501). If it does, the terminal answers with the same
bytes.
*/
export const statusQuery = '\x1b]7501;?\x1b\\';

/**
Reports the state of the program to terminals that take such reports. There are two forms: program status (OSC 7501) if
the terminal has answered `statusQuery`, and progress (OSC 9;4) if the terminal is known to show it.
*/
export function createStatusReports(
	write: (bytes: string) => void,
	{hasProgress, every = repeat}: {readonly hasProgress: boolean; readonly every?: typeof repeat},
): StatusReports {
	let status: ProgramStatus | undefined;
	let isHidden = false;
	const takes = {status: false, progress: hasProgress};
	const shown = {status: '', progress: ''};
	let stop: (() => void) | undefined;

	function show(): void {
		if (isHidden || status === undefined) return;
		if (takes.status) report('status', statusBytes(status));
		if (!takes.progress) return;
		const bytes = progressBytes(status);
		// A terminal that has never shown progress needs no bytes that remove it.
		if (bytes !== noProgress || shown.progress !== '') report('progress', bytes);
		if (status.state !== 'working') end();
		else stop ??= every(() => write(bytes));
	}

	function report(form: keyof typeof shown, bytes: string): void {
		if (bytes !== shown[form]) write(bytes);
		shown[form] = bytes === noProgress ? '' : bytes;
	}

	function end(): void {
		stop?.();
		stop = undefined;
	}

	function last(): string {
		return (shown.status === '' ? '' : noStatus) + (shown.progress === '' ? '' : noProgress);
	}

	return {
		set(next) {
			status = next;
			show();
		},
		hearReply({kind, body}) {
			if (kind === 'osc' && body === '7501;?') takes.status = true;
			else if (kind === 'dcs' && showsProgress(body)) takes.progress = true;
			else return;
			show();
		},
		hide() {
			isHidden = true;
			end();
			const bytes = last();
			if (bytes !== '') write(bytes);
			[shown.status, shown.progress] = ['', ''];
		},
		show() {
			isHidden = false;
			show();
		},
		last,
	};
}

/**
Tells whether the terminal shows progress, according to the environment variables. Windows Terminal and ConEmu do not
answer the query for a name. Inside a multiplexer, the variables describe another terminal. Sources:
learn.microsoft.com/windows/terminal/tutorials/progress-bar-sequences, conemu.github.io/en/AnsiEscapeCodes.html.
*/
export function hasProgress(env: Readonly<Record<string, string | undefined>>): boolean {
	if (['TMUX', 'STY', 'ZELLIJ'].some(name => (env[name] ?? '') !== '')) return false;
	return (env['WT_SESSION'] ?? '') !== '' || env['ConEmuANSI'] === 'ON';
}

type StatusReports = {
	/** Reports a state, or only stores it while another program uses the terminal. */
	readonly set: (status: ProgramStatus) => void;
	/** Takes an answer of the terminal. The answer may show that the terminal takes reports. */
	readonly hearReply: (reply: Reply) => void;
	/** Removes the reports while another program uses the terminal, and writes them again. */
	hide(): void;
	show(): void;
	/** Returns the bytes that remove the reports. Returns no bytes if nothing was reported. */
	last(): string;
};

/**
Tells whether the terminal with this name and version (XTVERSION) shows progress. In other terminals, and in older
versions of these, OSC 9 may open a notification. Sources: ghostty.org/docs/vt/osc/conemu, iterm2.com/downloads.html,
wezterm.org/config/lua/pane/get_progress.html, blogs.gnome.org/chergert/2024/12/03/ptyxis-progress-support.
*/
function showsProgress(body: string): boolean {
	const [, name = '', version = ''] = /^>\|(\w+)[ (]([\d.]+)/.exec(body) ?? [];
	const oldest = progressSince.get(name);
	return oldest !== undefined && isAtLeast(version, ...oldest);
}

const progressSince: ReadonlyMap<string, readonly number[]> = new Map([
	['ghostty', [1, 2]],
	['iTerm2', [3, 6, 6]],
	['VTE', [8000]],
	['WezTerm', [20_250_301]],
]);

/**
Returns the bytes of a program status. Each report replaces the last one. Source: the Program Status Protocol, revision
0.4, superlogical.com/rex/docs/build/program-status.
*/
function statusBytes(status: ProgramStatus): string {
	if (status.state !== 'blocked') return `\x1b]7501;state=${status.state}:app=inkpod\x1b\\`;
	const {kind, about = ''} = status;
	const text = cut(sanitizeLine(about.slice(0, 4 * maxAbout).toWellFormed()), maxAbout, '…');
	const message = text === '' ? '' : `:msg=${Buffer.from(text).toString('base64')}`;
	return `\x1b]7501;state=blocked:kind=${kind}:app=inkpod${message}\x1b\\`;
}

/** The maximum width of a text in cells. The protocol allows 2048 bytes. */
const maxAbout = 160;

/** Removes all reports of this program. */
const noStatus = '\x1b]7501;state=clear\x1b\\';

/** Returns the bytes of progress: a bar without a percentage while the program works, and a red bar after an error. */
function progressBytes({state}: ProgramStatus): string {
	if (state === 'working') return '\x1b]9;4;3;0\x1b\\';
	return state === 'error' ? '\x1b]9;4;2;100\x1b\\' : noProgress;
}

const noProgress = '\x1b]9;4;0;0\x1b\\';

/**
Calls a function every ten seconds. Ghostty removes a bar after 15 seconds without an update, so the bar is written
again.
*/
function repeat(callback: () => void): () => void {
	const timer = setInterval(callback, 10_000);
	timer.unref();
	return () => clearInterval(timer);
}
