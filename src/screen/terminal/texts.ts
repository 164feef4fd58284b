import {t} from '../../language/index.ts';

/** The texts about failures of the user's programs. Names are untrusted, and the alert sanitizes them. */

const kinds = {editor: t`editor`, pager: t`pager`};

type Kind = keyof typeof kinds;
type Ended = {readonly program: string; readonly code: number | null; readonly signal: string | null};

export const noEditor = t`No editor found. Set $VISUAL or $EDITOR.`;
export const noPager = t`No pager found. Set $PAGER or install less.`;
export const notText = t`The edited file is not UTF-8 text.`;
export const tooLarge = t`The edited file is larger than 10 MB.`;

export function unreadableCommand(kind: Kind, command: string): string {
	return t`Invalid ${kinds[kind]} command (unclosed quote, or no program): ${command}`;
}

export function programNotFound(kind: Kind, program: string): string {
	const variable = kind === 'editor' ? t`$EDITOR` : t`$PAGER`;
	const advice = t`Set ${variable} to its absolute path; the project’s folders in PATH are not searched.`;
	return t`The ${kinds[kind]} ${program} was not found. ${advice}`;
}

export function notPermitted(kind: Kind, program: string): string {
	return t`No permission to run the ${kinds[kind]} ${program}.`;
}

export function programFailed(kind: Kind, {program, code, signal}: Ended): string {
	return t`The ${kinds[kind]} ${program} ended with ${signal ?? t`exit ${code}`}.`;
}

export function notHandedOver(kind: Kind, detail: string): string {
	return t`Cannot open the text in the ${kinds[kind]}: ${detail}.`;
}

export function passesControls(program: string): string {
	const risk = t`The text contains control characters, which ${program} may pass on to the terminal.`;
	return t`${risk} Install less, or open the text in the editor.`;
}

export function messageUnchanged(sentence: string): string {
	return t`${sentence} The message is unchanged.`;
}

export function tooLongForTerminal(maxBytes: number): string {
	return t`The text is too long for the terminal's clipboard (${maxBytes / 1000} KB), and no clipboard program
		accepted it.`;
}

export const noClipboardText = t`The clipboard contains no text.`;
export const textUnreachable = t`The clipboard of your desktop cannot be reached from here. Paste with your terminal
	instead.`;
export const noClipboardImage = t`The clipboard contains no image.`;
export const noClipboardRemote = t`The clipboard of your desktop cannot be reached from here. Attach a file with @
	instead.`;

export function noClipboardProgram(programs: readonly string[]): string {
	return t`No program can read the clipboard. Install ${programs.join(t` or `)}.`;
}

export function imageTooLarge(maxBytes: number): string {
	return t`The image in the clipboard is larger than ${maxBytes / 1_000_000} MB.`;
}
