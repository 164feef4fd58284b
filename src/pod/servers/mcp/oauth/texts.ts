import {t} from '../../../../language/index.ts';

/** The texts that a user reads about logins at MCP servers. They contain no token. */
export const oauthTexts = {
	noServer: (name: string) => t`There is no MCP server ${name}. List them with: inkpod mcp list`,
	notRemote: (name: string) => t`${name} is a program on this machine and needs no login.`,
	hasHeader: (name: string) => t`${name} has an Authorization header of its own. Remove it to log in.`,
	unattended: (name: string) =>
		t`${name} is the project's and not trusted, so nothing was connected to. --trust accepts its entry as it is now.`,
	untrusted: (name: string) => t`${name} is not trusted, so nothing was connected to.`,
	unsafe: (host: string) => t`${host} is neither https nor on this machine, so nobody logs in there.`,
	unsafePage: t`The server names a login page that is neither https nor on this machine. Nothing was opened.`,
	open: (address: string) => t`Log in in your browser. If it does not open, go to:\n${address}`,
	goTo: (address: string) => t`Log in at:\n${address}`,
	done: (name: string) => t`Logged in to ${name}.`,
	notStored: (sentence: string) => t`The login was not stored. ${sentence}`,
	refused: (name: string, error: string) => t`${name} refused the login: ${error}`,
	late: t`Nobody logged in within 5 minutes. Try again.`,
	failed: (name: string, reason: string) => t`The login at ${name} failed: ${reason}.`,
	removed: (name: string) => t`The login at ${name} is removed.`,
	none: (name: string) => t`No login at ${name} is stored.`,
	pageDone: t`You are logged in. You can close this page and return to the terminal.`,
	pageRefused: t`The login was refused. You can close this page and return to the terminal.`,
} as const;
