/** The sentences about the server of sessions without a terminal. */
export const serveTexts = {
	noFolder: 'No folder for sockets is available, so no server can be reached.',
	absent: 'No inkpod server is running. Start one with: inkpod serve (inkpod serve --unit makes it a service)',
	lost: 'The inkpod server ended before it answered.',
	silent: 'The inkpod server does not answer.',
	version: 'The inkpod server runs another version of inkpod. Restart it.',
	unknown: 'A message was not understood.',
	replaced: 'inkpod was updated while its server was running. Restart the server.',
	closing: 'The inkpod server is ending.',
	running: (path: string) => `An inkpod server is running already (${path}).`,
	full: (count: number) => `The inkpod server has ${count} sessions open, which is its maximum.`,
	/** The log of the server. */
	opened: (id: string, pwd: string) => `${id} opened in ${pwd}`,
	closed: (id: string, why: 'idle' | 'ended') =>
		`${id} closed${why === 'idle' ? ': nothing ran, and nobody was attached' : ''}`,
	warned: (id: string, text: string) => `${id}: ${text}`,
} as const;
