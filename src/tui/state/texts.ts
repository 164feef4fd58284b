export const pasteCut = 'Paste truncated at 10 MB.';
export const shellNotDelivered = 'A shell command cannot be delivered to a running turn. It stays queued.';
export const noShellCommand = 'No command after the "!".';
export const literalHint = ' Type a backslash before it to send it as text.';

export function didYouMean(command: string): string {
	return ` Did you mean /${command}?`;
}

/** `age` is a text such as `2 min ago`. */
export function draftRestored(age: string): string {
	return `Restored your unsent message from ${age}.`;
}

export const mouseOn = 'Mouse on: dragging copies the stored text. Shift+drag selects in the terminal.';

/** `key` turns mouse reports on again, if such a key exists. */
export function mouseOff(key: string | undefined): string {
	const off = 'Mouse off: the terminal selects and scrolls.';
	return key === undefined ? off : `${off} Press ${key} to turn it on.`;
}

export function tooNarrowToSplit(needed: number, columns: number): string {
	return `Diffs side by side need ${needed} columns. This terminal has ${columns}.`;
}

export const secretDropped = 'What you typed was dropped, because it may be a key. Open /login again to enter it.';
