import {t} from '../../../language/index.ts';
import type {HitPlace} from '../../../pod/protocol.ts';

export const pickerTitle = t`Resume session`;
export const sessionsTitle = t`Sessions`;

/** The states of open sessions. `paused`: the last turn was interrupted. `idle`: no turn is running. */
export const liveWords = {needs_you: t`needs you`, running: t`running`, paused: t`paused`, idle: t`open`} as const;

/** The state of a session whose last turn was interrupted and that no process has open. */
export const interruptedWord = t`interrupted`;

export const searchLabel = t`Search: `;
export const searchPlaceholder = t`Search titles, messages, commands, files`;
export const scopes = {here: t`this directory`, all: t`all directories`} as const;
export const searching = t`searching`;

/** The texts of an empty list. */
export const emptyLists = {
	looking: t`Searching all directories…`,
	none: t`No sessions here. Press Tab for all directories.`,
	noMatch: t`No matching sessions`,
	noMatchHere: t`No matching sessions here. Press Tab for all directories.`,
	scanning: t`Searching the sessions…`,
} as const;

/** The places in a session where the search can find the query. */
export const hitPlaces = {
	prompt: t`you`,
	answer: t`answer`,
	thinking: t`thinking`,
	call: t`call`,
	output: t`output`,
	note: t`context`,
	summary: t`summary`,
	title: t`title`,
} as const satisfies Readonly<Record<HitPlace, string>>;

/** Returns the key hints, most important first. `other` is the scope that Tab switches to. */
export function pickerHints(other: string, isByNeed = false): readonly string[] {
	const enter = isByNeed ? t`Enter open` : t`Enter resume`;
	return [
		enter,
		t`Esc cancel`,
		t`Tab: ${other}`,
		t`Ctrl+O fork`,
		t`Ctrl+S export`,
		t`Ctrl+T pin`,
		t`Ctrl+X to trash`,
		t`↑↓ PgUp PgDn move`,
	];
}

/** The key hints while the user types the file name of an export. */
export const exportHints = [t`Enter write`, t`Esc cancel`, t`.md, .html or .json chooses the format`] as const;

export const fileLabel = t`File: `;

export function exportTitle(name: string): string {
	return t`Export ${name}`;
}

export function replaceFile(file: string): string {
	return t`${file} exists. Enter replaces it, Esc cancels.`;
}

export const forkedNow = t`Forked. Enter resumes the fork; the original is unchanged.`;

/** The notices about the trash. */
export const inTrash = t`In the trash. Ctrl+R brings it back.`;
export const broughtBack = t`The session is back.`;
export const pinnedNow = t`Pinned: it stays at the top of the list.`;
export const unpinnedNow = t`No longer pinned.`;
export const nothingRemoved = t`Nothing was moved to the trash here.`;

export function foundOf(found: number, all: number): string {
	return found === all ? String(all) : t`${found} of ${all}`;
}

/** Screen readers do not read the signs of the picker, so these words replace the signs. */
export const spoken = {
	selected: t`(selected) `,
	broken: t`cannot be opened: `,
	fork: t`fork: `,
	pinned: t`pinned: `,
} as const;

export function spokenWarning(text: string): string {
	return t`Warning: ${text}`;
}

export function spokenSession(words: string): string {
	return t`Session ${words}`;
}

export function noPrompt(id: string): string {
	return t`(no prompt) ${id}`;
}

export function forkOfSession(id: string): string {
	return t`fork of ${id}`;
}

export const speakerNames = {user: t`You`, model: t`Answer`, notice: t`Notice`} as const;
