import type {ComposerAction} from '../composer/composer-state.ts';
import type {Action} from '../app-state.ts';
import type {AppState} from '../app-state.ts';

/** Tells whether an action changed the draft, its caret, or the messages that are being sent. */
export function isEdited({composer, submission: {sending}}: AppState, after: AppState): boolean {
	const next = after.composer;
	if (composer === next) return sending !== after.submission.sending;
	const {editor, held} = composer;
	return next.editor.draft !== editor.draft || next.editor.cursor !== editor.cursor || next.held !== held;
}

/** Tells whether inkpod itself changed the draft, and not the user's typing. */
export function isSetByProgram(before: AppState, after: AppState, action: Action): boolean {
	if (before.composer.editor.draft === after.composer.editor.draft) return false;
	return action.type === 'compose' ? setByProgram.has(action.action.type) : returns.has(action.type);
}

const setByProgram: ReadonlySet<string> = new Set<ComposerAction['type']>(['refused', 'returned', 'replace']);
const returns: ReadonlySet<string> = new Set<Action['type']>(['take back', 'messages returned', 'receipt']);
