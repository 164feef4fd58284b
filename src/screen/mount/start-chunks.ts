/**
The files that are loaded after the first frame, dependencies first. The build inserts their names (scripts/bundle.mjs).
If inkpod runs from the sources, the lists are empty, and one `import()` loads all the code.
*/
export const startChunks = {
	/** The code for saving drafts, and the code that the pod and Ink share. */
	first: listed(process.env['INKPOD_FIRST_CHUNKS']),
	pod: listed(process.env['INKPOD_POD_CHUNKS']),
	/** The code that shows the items of a session. */
	session: listed(process.env['INKPOD_SESSION_CHUNKS']),
	ink: listed(process.env['INKPOD_INK_CHUNKS']),
	/** The code that lets other terminals attach. */
	attach: listed(process.env['INKPOD_ATTACH_CHUNKS']),
	/** The code that finds the data for the first screen. */
	learn: listed(process.env['INKPOD_LEARN_CHUNKS']),
} as const;

/** Loads files one by one, each in its own turn of the event loop. */
export async function loadChunks(names: readonly string[]): Promise<void> {
	for (const name of names) {
		await nextTurn();
		await import(`./${name}`);
	}
	await nextTurn();
}

/**
Resolves in a later turn of the event loop, so that inkpod can first read keys and draw frames. Each turn resolves only
one call, so that the work of several callers is never in the same turn.
*/
export async function nextTurn(): Promise<void> {
	lastTurn = lastTurn.then(async () => new Promise(resolve => setImmediate(resolve)));
	return lastTurn;
}

let lastTurn = Promise.resolve();

function listed(names = ''): readonly string[] {
	return names.split(' ').filter(name => name !== '');
}
