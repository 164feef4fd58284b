import type {FileHandle} from 'node:fs/promises';
import {backupSuffixes} from './secret-names.ts';

/**
Tells whether a path names a git file that may contain credentials. Only its contents show whether it really does.
*/
export function mayContainCredentials(path: string): boolean {
	const whole = path.replaceAll('\\', '/').toLowerCase();
	return configPaths.test(whole.endsWith('~') || whole.includes('.') ? whole.replace(backupSuffixes, '') : whole);
}

/** Configurations of repositories, modules, worktrees, users and systems, and logs with URLs. */
const configPaths = new RegExp(
	[
		/\.git\/(?:(?:modules|worktrees)\/.+\/)?config(?:\.worktree)?$/,
		/\.git\/(?:(?:modules|worktrees)\/.+\/)?(?:fetch_head|logs\/.+)$/,
		/(?:^|\/)\.gitconfig(?:[._-][^/]*)?$/,
		/(?:^|\/)git\/config(?:[_-][^/.]*)?$/,
		/(?:^|\/)\.gitmodules$/,
		/^(?:\/private)?\/etc\/gitconfig$/,
	]
		.map(({source}) => source)
		.join('|'),
);

/**
Tells whether such a file contains credentials. A file over the limit counts as containing credentials. Throws system
errors.
*/
export async function fileContainsCredentials(handle: FileHandle): Promise<boolean> {
	const bytes = Buffer.alloc(maxBytes + 1);
	let length = 0;
	while (length < bytes.length) {
		const {bytesRead} = await handle.read(bytes, length, bytes.length - length, length);
		if (bytesRead === 0) break;
		length += bytesRead;
	}
	return length > maxBytes || textContainsCredentials(bytes.toString('latin1', 0, length));
}

/** Tells whether a git configuration contains a password in a URL, an authorization header, or a password entry. */
export function textContainsCredentials(text: string): boolean {
	const plain = text
		.replaceAll('\0', '')
		.replaceAll(/\\\r?\n/g, '')
		.replaceAll(/["\\]/g, '');
	return credentialPatterns.some(pattern => pattern.test(plain));
}

const maxBytes = 512 * 1024;

const credentialPatterns: readonly RegExp[] = [
	// https://user:password@host, but not with an empty password
	/:\/\/[^\s/@:]*:[^\s/@]+@/,
	// https://token@host with a known prefix, or with a token that is longer than user names are
	/https?:\/\/(?:gh[pousr]_|github_pat_|glpat-|gldt-|atbb)[^\s/@:]*:?@/i,
	/https?:\/\/[\w-]{24,}:?@/,
	/^\s*extraheader\s*=.*(?:authorization|token|cookie|api-?key|bearer|basic)/im,
	/^\s*(?:password|passwd|smtppass|pass|token|oauth-?token|secret|api-?key)\s*=\s*\S/im,
	// The output of an inline credential helper
	/\b(?:password|token)=\S/i,
];
