export const pickerTitle = 'Resume session';
export const sessionsTitle = 'Sessions';

/** The states of open sessions. `paused`: a turn was interrupted. `idle`: nothing runs. */
export const liveWords = {needs_you: 'needs you', running: 'running', paused: 'paused', idle: 'open'} as const;

export const searchLabel = 'Search: ';
export const searchPlaceholder = 'Search words, id, directory';
export const scopes = {here: 'this directory', all: 'all directories'} as const;
export const searching = 'searching';

/** The texts of an empty list. */
export const emptyLists = {
	looking: 'Searching all directories…',
	none: 'No sessions here. Press Tab for all directories.',
	noMatch: 'No matching sessions',
} as const;

/** Returns the key hints, most important first. `other` is the scope that Tab switches to. */
export function pickerHints(other: string, isByNeed = false): readonly string[] {
	const enter = isByNeed ? 'Enter open' : 'Enter resume';
	return [enter, 'Esc cancel', `Tab: ${other}`, '↑↓ PgUp PgDn move', 'Ctrl+X to trash'];
}

/** The notices about the trash. */
export const inTrash = 'In the trash. Ctrl+R brings it back.';
export const broughtBack = 'The session is back.';
export const nothingRemoved = 'Nothing was moved to the trash here.';

export function foundOf(found: number, all: number): string {
	return found === all ? String(all) : `${found} of ${all}`;
}

/** Screen readers do not read signs, so these words replace them. */
export const spoken = {selected: '(selected) ', broken: 'cannot be opened: ', fork: 'fork: '} as const;

export function spokenWarning(text: string): string {
	return `Warning: ${text}`;
}

export function spokenSession(words: string): string {
	return `Session ${words}`;
}

export function noPrompt(id: string): string {
	return `(no prompt) ${id}`;
}

export function forkOfSession(id: string): string {
	return `fork of ${id}`;
}

export const speakerNames = {user: 'You', model: 'Answer', notice: 'Notice'} as const;
