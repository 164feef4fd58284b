import {t} from '../../language/index.ts';

/** The texts that appear when a screen reader reads the turns of the session again, one by one. */
export const noEarlierMessage = t`This is your first message.`;
export const noLaterMessage = t`You have no later message.`;
/** Explains that the lines for a screen reader cannot scroll. `key` is the key that reads earlier turns again. */
export function linesStay(key: string): string {
	return t`These lines do not scroll. Press ${key} to read earlier turns again.`;
}

export const splitOnScreen = t`Diffs side by side are only on the screen.`;
export const nothingToOpen = t`No block above is collapsed.`;

export const pasteCut = t`Paste truncated at 10 MB.`;
export const shellNotDelivered = t`A shell command cannot be delivered to a running turn. It stays queued.`;
export const noShellCommand = t`No command after the "!".`;
export const literalHint = t` Type a backslash before it to send it as text.`;

export function didYouMean(command: string): string {
	return t` Did you mean /${command}?`;
}

/** Says that a draft was restored. `age` is a text such as `2 min ago`. */
export function draftRestored(age: string): string {
	return t`Restored your unsent message from ${age}.`;
}

export const mouseOn = t`Mouse on: dragging copies the stored text. Shift+drag selects in the terminal.`;

/** Says that mouse reports are off. `key` is the key that turns mouse reports on again, if such a key exists. */
export function mouseOff(key: string | undefined): string {
	const off = t`Mouse off: the terminal selects and scrolls.`;
	return key === undefined ? off : t`${off} Press ${key} to turn it on.`;
}

export function tooNarrowToSplit(needed: number, columns: number): string {
	return t`Diffs side by side need ${needed} columns. This terminal has ${columns}.`;
}

export const secretDropped = t`inkpod discarded what you typed, because it may be an API key. Open /login again to enter
	the key.`;
