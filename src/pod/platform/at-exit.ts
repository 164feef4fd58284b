/**
Calls `clean` when the process ends normally, because of a bug, or because of a second signal. `clean` must be
synchronous. Returns a function that undoes the registration.
*/
export function atExit(clean: () => void): () => void {
	if (cleaners.size === 0) process.on('exit', cleanAll);
	cleaners.add(clean);
	return () => {
		if (cleaners.delete(clean) && cleaners.size === 0) process.off('exit', cleanAll);
	};
}

const cleaners = new Set<() => void>();

/** Runs all clean-ups. If one clean-up fails, the others still run. */
function cleanAll(): void {
	for (const clean of [...cleaners]) {
		try {
			clean();
		} catch {}
	}
}
