/** What the chat prints before and after its screen, and on it outside of the transcript. */
export const needsTerminal = 'The chat needs a terminal for its input and output; inkpod -p works without one.';

export const opening = 'Opening the session …';

export const alreadyOpen = 'This is that session.';

export const conversationSaved = 'What was said up to now is saved.';

export const conversationSavedInPart =
	'What was said up to now is saved, but for what was on its way: the session could not be closed.';

export const noSessions = 'There are no sessions yet: inkpod without -r starts one.';

export const emptyPreview = 'Nothing was said near the end of this session.';

export function keyProblem(problem: string): string {
	return `config.toml, [keys]: ${problem}`;
}

export function resumeHint(id: string): string {
	return `Session ${id}. Resume it with: inkpod -r ${id}`;
}

export function attachHint(id: string): string {
	return `Session ${id} goes on in another terminal.\nAttach to it again with: inkpod attach ${id}`;
}

export function dumpCut(rows: number): string {
	return `… what came before is in the session; these are its last ${rows} rows`;
}
