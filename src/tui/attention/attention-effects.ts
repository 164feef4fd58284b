import type {Action} from '../state/actions.ts';
import type {AppState} from '../state/app-state.ts';
import type {App} from '../state/app.ts';
import {attend, hasWindow} from './attend.ts';
import type {AttentionState} from './attention-state.ts';

/** Names the window after what the pod does, and rings when the user is wanted. A snapshot is no news. */
export function watchPod(app: App, _before: AppState, action: Action): void {
	const {
		setup: {attention: options},
		attention,
	} = app.state;
	if (options === undefined || action.type !== 'transcript changed' || action.isStreaming === true) return;
	const {next, rings} = attend(app.state, options);
	if (!isSame(attention, next)) app.dispatch({type: 'attended', attention: next});
	if (next.title !== undefined && next.title !== attention.title && hasWindow(options))
		app.options.onTitle(next.title);
	if (rings && action.isSnapshot !== true) app.options.onBell();
}

function isSame(one: AttentionState, other: AttentionState): boolean {
	return one.title === other.title && one.runningSince === other.runningSince && one.askId === other.askId;
}
