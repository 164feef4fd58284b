/**
Calls `clean` when the process ends by itself: in order, by a bug, or at once by a second signal. It must be
synchronous.
Returns its undo.
*/
export function atExit(clean: () => void): () => void {
	if (cleaners.size === 0) process.on('exit', cleanAll);
	cleaners.add(clean);
	return () => {
		if (cleaners.delete(clean) && cleaners.size === 0) process.off('exit', cleanAll);
	};
}

const cleaners = new Set<() => void>();

/** What fails keeps nothing else from being cleaned. */
function cleanAll(): void {
	for (const clean of [...cleaners]) {
		try {
			clean();
		} catch {}
	}
}
