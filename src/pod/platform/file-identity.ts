/** What identifies a file or folder on this machine, whatever its name is: its device and its inode. */
export type FileIdentity = {readonly dev: number; readonly ino: number};

/** Returns the identity as a text. A lock has it in its file. */
export function identityOf({dev, ino}: FileIdentity): string {
	return `${dev}:${ino}`;
}

/** Tells whether two stats describe the same file. Nothing is the same as a file that is missing. */
export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
	return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}
