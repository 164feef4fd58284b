import {t} from '../../../language/index.ts';

/** The sentences about the server that runs sessions without a terminal. */
export const serveTexts = {
	noFolder: t`No folder for sockets is available, so inkpod cannot reach a server.`,
	absent: t`No inkpod server is running. Start one with: inkpod serve (inkpod serve --unit makes it a service)`,
	lost: t`The inkpod server ended before it answered.`,
	silent: t`The inkpod server does not answer.`,
	version: t`The inkpod server runs another version of inkpod. Restart it.`,
	unknown: t`The inkpod server did not understand the request. Restart the server.`,
	replaced: t`inkpod was updated while its server was running. Restart the server.`,
	closing: t`The inkpod server is shutting down.`,
	running: (path: string) => t`An inkpod server is running already (${path}).`,
	full: (count: number) => t`The inkpod server has ${count} sessions open, which is its maximum.`,
	/** The lines in the log of the server. */
	opened: (id: string, pwd: string) => t`${id} opened in ${pwd}`,
	restored: (id: string) => t`${id} is unfinished and waits for you. Continue it with: inkpod attach ${id}`,
	notRemembered: (reason: string) => t`After a restart, the server will not open this session again. ${reason}`,
	closed: (id: string, why: 'idle' | 'ended') =>
		t`${id} closed${why === 'idle' ? t`: nothing ran, and nobody was attached` : ''}`,
	warned: (id: string, text: string) => `${id}: ${text}`,
} as const;
