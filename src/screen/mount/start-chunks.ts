/**
The files that load after the first frame, dependencies first. The build fills in their names (scripts/bundle.mjs). When
inkpod runs from the sources, the lists are empty, and an `import()` loads everything at once.
*/
export const startChunks = {
	/** What the drafts need, and what the pod and Ink share. */
	first: listed(process.env['INKPOD_FIRST_CHUNKS']),
	pod: listed(process.env['INKPOD_POD_CHUNKS']),
	/** What shows the items of a session. */
	session: listed(process.env['INKPOD_SESSION_CHUNKS']),
	ink: listed(process.env['INKPOD_INK_CHUNKS']),
	/** What lets other terminals attach. */
	attach: listed(process.env['INKPOD_ATTACH_CHUNKS']),
	/** What finds the data of the first screen. */
	learn: listed(process.env['INKPOD_LEARN_CHUNKS']),
} as const;

/** Loads files one by one, each in a turn of its own. */
export async function loadChunks(names: readonly string[]): Promise<void> {
	for (const name of names) {
		await nextTurn();
		await import(`./${name}`);
	}
	await nextTurn();
}

/**
Resolves in a later turn of the event loop, so that inkpod reads and shows keys first. Each turn goes to one caller, so
work of several callers never adds up to one long turn.
*/
export async function nextTurn(): Promise<void> {
	lastTurn = lastTurn.then(async () => new Promise(resolve => setImmediate(resolve)));
	return lastTurn;
}

let lastTurn = Promise.resolve();

function listed(names = ''): readonly string[] {
	return names.split(' ').filter(name => name !== '');
}
