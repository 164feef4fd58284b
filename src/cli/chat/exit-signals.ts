import type {Screen} from '../../screen/mount/open-screen.ts';
import {writeNow} from '../../screen/terminal/terminal.ts';
import {signalExitCodes} from '../output/signals.ts';

/** The reason why the program ends although the user did not quit: the exit code of a signal, or a bug. */
export type Exit = {readonly code: number; readonly error?: Error};

export type ExitSignals = {
	/**
	Closes a screen when a signal or a bug ends the program. Resolves when the screen is closed: with that exit, or with
	`undefined` if the user closed the screen.
	*/
	watch(screen: Screen): Promise<Exit | undefined>;
	/** Returns the exit that has been requested so far. An exit may be requested while no screen is open. */
	current(): Exit | undefined;
	/** Sets the text that a second signal prints before the program exits at once. The text explains how to resume. */
	setLastWords(words: (() => string) | undefined): void;
};

/**
Listens to signals and bugs for the rest of the process, even before a screen opens. A signal closes the screen in
order. The same signal again exits at once: inkpod restores the terminal and prints how to resume. A second SIGHUP does
not do this, because a closing window may send two.
*/
export function createExitSignals(): ExitSignals {
	let screen: Screen | undefined;
	let exit: Exit | undefined;
	let last: NodeJS.Signals | undefined;
	let lastWords: (() => string) | undefined;

	const crash = (thrown: unknown) => {
		exit ??= {code: 1, error: thrown instanceof Error ? thrown : new Error(String(thrown))};
		screen?.close();
	};
	process.on('uncaughtException', crash);
	process.on('unhandledRejection', crash);
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGALRM'] as const) {
		process.on(signal, () => {
			if (last === signal && signal !== 'SIGHUP') {
				// This listener is added now, so that it runs after the listeners that restore the terminal.
				process.once('exit', () => writeNow(1, lastWords?.() ?? ''));
				process.exit(signalExitCodes[signal]);
			}
			last = signal;
			exit ??= {code: signalExitCodes[signal]};
			void screen?.quit();
		});
	}

	return {
		async watch(shown) {
			screen = shown;
			if (exit?.error !== undefined) shown.close();
			else if (exit !== undefined) void shown.quit();
			await shown.closed.catch(crash);
			screen = undefined;
			return exit;
		},
		current: () => exit,
		setLastWords(words) {
			lastWords = words;
		},
	};
}
