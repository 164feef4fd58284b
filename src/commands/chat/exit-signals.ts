import type {Screen} from '../../tui/screen/open-screen.ts';
import {writeNow} from '../../tui/terminal/terminal.ts';
import {signalExitCodes} from '../output/signals.ts';

/** What ended the program without the person: a signal's exit code, or a bug. */
export type Exit = {readonly code: number; readonly error?: Error};

export type ExitSignals = {
	/**
	Watches over a screen until it is gone, and gives the terminal back when something ends the program. Resolves with
	that; with nothing when the person left.
	*/
	watch(screen: Screen): Promise<Exit | undefined>;
	/** What has ended the program, also while no screen was there. */
	current(): Exit | undefined;
	/** Sets what is written when a second signal ends the program at once: how to resume. Absent: it was written. */
	setLastWords(words: (() => string) | undefined): void;
};

/**
Hears of all that ends the program besides the person, from now on and for the rest of the process: before a screen is
there, so that none stands unwatched. A signal ends it in order; the same one again ends it at once, with the terminal
given back and the last words on it. Not SIGHUP, which a closing window may send twice.
*/
export function createExitSignals(): ExitSignals {
	let screen: Screen | undefined;
	let ending: Exit | undefined;
	let last: NodeJS.Signals | undefined;
	let lastWords: (() => string) | undefined;

	const crash = (thrown: unknown) => {
		ending ??= {code: 1, error: thrown instanceof Error ? thrown : new Error(String(thrown))};
		screen?.close();
	};
	process.on('uncaughtException', crash);
	process.on('unhandledRejection', crash);
	// Node would open its inspector, and write of it across the screen.
	process.on('SIGUSR1', () => {});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGALRM'] as const) {
		process.on(signal, () => {
			if (last === signal && signal !== 'SIGHUP') {
				// After the listeners that give the terminal back.
				process.once('exit', () => writeNow(1, lastWords?.() ?? ''));
				process.exit(signalExitCodes[signal]);
			}
			last = signal;
			ending ??= {code: signalExitCodes[signal]};
			void screen?.quit();
		});
	}

	return {
		async watch(shown) {
			screen = shown;
			if (ending?.error !== undefined) shown.close();
			else if (ending !== undefined) void shown.quit();
			await shown.closed.catch(crash);
			screen = undefined;
			return ending;
		},
		current: () => ending,
		setLastWords(words) {
			lastWords = words;
		},
	};
}
