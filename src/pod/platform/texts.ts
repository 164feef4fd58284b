import {t} from '../../language/index.ts';

export type PathFault = 'foreign' | 'open' | 'misshapen';
export type PathRole = 'above' | 'folder' | 'socket';

/** The reasons not to use a socket or its folder, each with its remedy. The caller quotes the paths. */
export const pathTexts = {
	absent: (path: string) => t`${path} does not exist.`,
	io: (path: string, code: string) => t`${path} cannot be used (${code}). ${elsewhere}`,
};

const elsewhere = t`Set XDG_RUNTIME_DIR to a folder that only you can change.`;

export const pathFaultTexts: Readonly<Record<PathRole, Readonly<Record<PathFault, (path: string) => string>>>> = {
	above: {
		foreign: path => t`${path} belongs to another user, who could replace the socket. ${elsewhere}`,
		open: path => t`Other users can change ${path} and so replace the socket. ${elsewhere}`,
		misshapen: path => t`${path} is not a folder. ${elsewhere}`,
	},
	folder: {
		foreign: path => t`${path} belongs to another user. ${elsewhere}`,
		open: path => t`${path} is open to other users. Run: chmod 700 ${path}`,
		misshapen: path =>
			t`${path} is not a folder. Remove it, or set XDG_RUNTIME_DIR to a folder that only you can change.`,
	},
	socket: {
		foreign: path => t`${path} belongs to another user. Do not attach to it. ${elsewhere}`,
		open: path => t`${path} is open to other users. Run: chmod 600 ${path}`,
		misshapen: path => t`${path} is not a socket. Remove it.`,
	},
};

export function listenProblem(path: string, code: string): string {
	return t`${path} cannot be created (${code}).`;
}
