import {errorCode} from '../../pod/first-frame.ts';

/** Why the program is to end: a signal, or an output that takes nothing more. SIGPIPE: nobody reads it any more. */
export type ExitReason = 'SIGHUP' | 'SIGINT' | 'SIGTERM' | 'SIGPIPE' | 'unwritable';

/** The exit codes of a program that a signal ended, as shells count them. */
export const signalExitCodes = {
	SIGHUP: 129,
	SIGINT: 130,
	SIGQUIT: 131,
	SIGPIPE: 141,
	SIGALRM: 142,
	SIGTERM: 143,
} as const;

export const exitCodes: Readonly<Record<ExitReason, number>> = {...signalExitCodes, unwritable: 1};

/**
Aborts `leave` when what is written to stdout is lost. A reader that has gone, as `head` does, is not worth a word; a
full disk is.
*/
export function watchOutput({stdout, stderr}: Pick<NodeJS.Process, 'stdout' | 'stderr'>, leave: AbortController): void {
	stdout.once('error', error => {
		const code = errorCode(error);
		const reason: ExitReason = code === 'EPIPE' ? 'SIGPIPE' : 'unwritable';
		if (reason === 'unwritable') stderr.write(`inkpod: The output could not be written (${code}).\n`);
		leave.abort(reason);
	});
	for (const stream of [stdout, stderr]) stream.on('error', () => {});
}

/** The first signal asks the program to end. The second one ends it, after `onCut`. */
export function watchSignals(leave: AbortController, onCut: () => void): void {
	for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
		process.on(signal, () => {
			if (leave.signal.aborted) {
				onCut();
				process.exit(signalExitCodes[signal]);
			}
			leave.abort(signal);
		});
	}
}
