/** What the shell and the keyboard do with this process. */
export type JobNews = {
	/**
	Called when the process continues after an unexpected stop, such as SIGSTOP. The contents of the terminal are
	unknown then.
	*/
	readonly onContinue: () => void;
	/** Called when the process should stop, as with Ctrl+Z in a shell. `stopGroup` stops it. */
	readonly onStop: () => void;
};

/** Listens until the returned function is called. */
export function watchJob({onContinue, onStop}: JobNews): () => void {
	process.on('SIGCONT', onContinue);
	process.on('SIGTSTP', onStop);
	return () => {
		process.off('SIGCONT', onContinue);
		process.off('SIGTSTP', onStop);
	};
}

/**
Stops the process group. Resolves when it continues. The kernel ignores the signal for an orphaned process group,
because no shell could continue it. The process then continues by itself.
*/
export async function stopGroup(): Promise<void> {
	const {promise: back, resolve} = Promise.withResolvers<void>();
	process.once('SIGCONT', resolve);
	process.kill(0, 'SIGTSTP');
	const unstopped = setTimeout(resolve, stopWithin);
	await back;
	clearTimeout(unstopped);
	process.off('SIGCONT', resolve);
}

/**
Runs a program that shares the terminal and process group. Meanwhile the listeners of inkpod receive neither signals
from the keyboard nor resizes.
*/
export async function unheard(program: () => Promise<void>, stdout: NodeJS.EventEmitter): Promise<void> {
	const restore = [setAside(process, 'SIGINT'), setAside(process, 'SIGQUIT'), setAside(stdout, 'resize')];
	try {
		await program();
	} finally {
		for (const step of restore) step();
	}
}

/** The number of milliseconds to wait. The time during which the process is stopped does not count. */
const stopWithin = 250;

/**
Removes the listeners of an event. The returned function restores them. A signal without listeners would end the
process, so one listener stays.
*/
function setAside(emitter: NodeJS.EventEmitter, event: string): () => void {
	const listeners = emitter.rawListeners(event) as Array<(...args: unknown[]) => void>;
	emitter.on(event, ignore);
	// The loop goes backwards because `off` removes the last matching listener, including wrapped ones.
	for (const listener of listeners.toReversed()) emitter.off(event, listener);
	return () => {
		for (const listener of listeners) emitter.on(event, listener);
		emitter.off(event, ignore);
	};
}

function ignore(): void {}
