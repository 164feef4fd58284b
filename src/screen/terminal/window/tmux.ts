import {outputOf} from '../clipboard/clipboard-programs.ts';
import type {Programs} from '../program.ts';
import {codeOfTerminal, type DesktopCode} from './desktop-notification.ts';

/** Wraps bytes, so that tmux passes them to its own terminal. Source: tmux(1), `allow-passthrough`. */
export function throughTmux(bytes: string): string {
	return `\x1bPtmux;${bytes.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
}

/**
Asks tmux for the terminal that shows this pane. Returns its code for notifications if tmux passes bytes on to it. The
terminal may change whenever the user attaches to tmux, so this must be asked before each notification.
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

/** Versions before 3.3 do not have the option, and pass on all bytes. The type is the answer to XTVERSION. */
const facts = ['allow-passthrough', 'client_termname', 'client_termtype'] as const;
