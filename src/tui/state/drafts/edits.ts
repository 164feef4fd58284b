import type {ComposerAction} from '../../composer/composer-state.ts';
import type {Action} from '../actions.ts';
import type {AppState} from '../app-state.ts';

/** Whether an action changed the draft, its caret, or what is held or on its way to the pod. */
export function isEdited({composer, sending}: AppState, after: AppState): boolean {
	const next = after.composer;
	if (composer === next) return sending !== after.sending;
	const {editor, held} = composer;
	return next.editor.draft !== editor.draft || next.editor.cursor !== editor.cursor || next.held !== held;
}

/** Whether an action put something into the draft that nobody types there now. */
export function isSetByProgram(before: AppState, after: AppState, action: Action): boolean {
	if (before.composer.editor.draft === after.composer.editor.draft) return false;
	return action.type === 'compose' ? setByProgram.has(action.action.type) : returns.has(action.type);
}

const setByProgram: ReadonlySet<string> = new Set<ComposerAction['type']>(['refused', 'returned', 'replace']);
const returns: ReadonlySet<string> = new Set<Action['type']>([
	'take back',
	'edit queued',
	'return queue',
	'receipt',
	'return undelivered',
]);
