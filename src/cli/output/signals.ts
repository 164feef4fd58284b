import {errorCode} from '../../pod/first-frame.ts';
import {unwritable} from './ask-line.ts';

/**
The reason why the program has to exit: a signal or lost output. SIGPIPE means that the reader of stdout has closed it.
*/
export type ExitReason = 'SIGHUP' | 'SIGINT' | 'SIGTERM' | 'SIGPIPE' | 'unwritable';

/** Exit codes after a signal, as shells count them. */
export const signalExitCodes = {
	SIGHUP: 129,
	SIGINT: 130,
	SIGQUIT: 131,
	SIGPIPE: 141,
	SIGALRM: 142,
	SIGTERM: 143,
} as const;

export const exitCodes: Readonly<Record<ExitReason, number>> = {...signalExitCodes, unwritable: 1};

/** Returns the exit code for a signal that was aborted with an `ExitReason`. */
export function exitCodeOf({reason}: AbortSignal): number {
	const found = Object.entries(exitCodes).find(([name]) => name === reason);
	if (found === undefined) throw new Error(`not an ExitReason: ${String(reason)}`);
	return found[1];
}

/**
Aborts `exit` when output to stdout is lost. If the reader closed the output, as `head` does, nothing is reported. A
full disk is reported.
*/
export function watchOutput({stdout, stderr}: Pick<NodeJS.Process, 'stdout' | 'stderr'>, exit: AbortController): void {
	stdout.once('error', error => {
		const code = errorCode(error);
		const reason: ExitReason = code === 'EPIPE' ? 'SIGPIPE' : 'unwritable';
		if (reason === 'unwritable') stderr.write(`inkpod: ${unwritable(code)}\n`);
		exit.abort(reason);
	});
	for (const stream of [stdout, stderr]) stream.on('error', () => {});
}

/** Aborts `exit` at the first signal. At the second signal, calls `onKill` and exits immediately. */
export function watchSignals(exit: AbortController, onKill: () => void): void {
	for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
		process.on(signal, () => {
			if (exit.signal.aborted) {
				onKill();
				process.exit(signalExitCodes[signal]);
			}
			exit.abort(signal);
		});
	}
}
