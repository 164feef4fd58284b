import {outputOf} from '../clipboard/clipboard-programs.ts';
import type {Programs} from '../program.ts';
import {codeOfTerminal, type DesktopCode} from './desktop-notification.ts';

/** Wraps bytes, so that tmux passes them to its own terminal. Source: tmux(1), `allow-passthrough`. */
export function throughTmux(bytes: string): string {
	return `\x1bPtmux;${bytes.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
}

/**
Asks tmux for the terminal that shows this pane. Returns the terminal's code for notifications if tmux passes bytes on
to the terminal. The terminal may change whenever the user attaches to tmux, so inkpod asks before each notification.
*/
export async function codeBehindTmux({env, find}: Programs): Promise<DesktopCode | undefined> {
	const [tmux, pane = ''] = [find('tmux'), env['TMUX_PANE']];
	if (tmux === undefined || !/^%\d+$/.test(pane)) return undefined;
	const args = ['display-message', '-p', '-t', pane, facts.map(name => `#{${name}}`).join('\t')];
	const output = await outputOf(tmux, args, {env, timeoutMs: 1000, most: 1000});
	if (!Buffer.isBuffer(output)) return undefined;
	const [passes = '', term = '', name = ''] = output.toString().trimEnd().split('\t');
	return ['0', 'off'].includes(passes) ? undefined : codeOfTerminal(term, name);
}

/**
tmux versions before 3.3 do not have the option `allow-passthrough`, and pass on all bytes. `client_termtype` is the
terminal's answer to XTVERSION.
*/
const facts = ['allow-passthrough', 'client_termname', 'client_termtype'] as const;
