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
