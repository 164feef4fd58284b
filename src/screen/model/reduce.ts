import {reduceAlerts} from './alerts/alerts.ts';
import {reduceAsks, withCard} from './card/card.ts';
import {followAsks, stepCard} from './card/card-step.ts';
import {compose} from './composer/composer-state.ts';
import {composerTop, editorColumns} from './composer/composer-view.ts';
import type {Action, InputAction, ViewAction} from './app-state.ts';
import type {AppState} from './app-state.ts';
import {afterEdit as completionAfterEdit, reduceCompletion} from './completion/completion-state.ts';
import {reduceDisplay} from './app-state.ts';
import {isEdited, isSetByProgram} from './drafts/edits.ts';
import {reduceFirstScreen} from './first-screen/first-screen-state.ts';
import {reduceKeys} from './keys/keys-state.ts';
import {reduceLifecycle} from './app-state.ts';
import {reduceOpener} from './opener/opener-state.ts';
import {isPage, reducePage} from './pages/page-state.ts';
import {afterEdit as preflightAfterEdit, afterEvent, reducePreflight} from './preflight/preflight-state.ts';
import {reducePromptHistory} from './prompt-history/prompt-history-state.ts';
import {endedSearch, isSameQuery, reduceSearch} from './search/search-state.ts';
import {noSelection, reduceSelection} from './selection/selection-state.ts';
import {recordedIn, reduceSubmission} from './submission-state.ts';
import {reduceTerminal} from './terminal-state.ts';
import {reduceTranscript, withScroll} from './submission-state.ts';

/** Returns the next state. This function is pure. Effects elsewhere handle the pod, the terminal and timers. */
export function reduce(state: AppState, action: Action, now: number): AppState {
	const before = state.now === now ? state : {...state, now};
	const next = keepCaretShown(before, followAsks(reduceSlices(before, action)));
	return isEdited(before, next) ? followDraft(next, isSetByProgram(before, next, action)) : next;
}

/**
Handles the actions that change several slices. `reduceInput` and `reduceView` handle the other actions, each of which
changes one slice.
*/
function reduceSlices(state: AppState, action: Action): AppState {
	const {terminal, display, transcript, selection, search, page, composer, submission, asks, now} = state;
	// oxlint-disable-next-line typescript/switch-exhaustiveness-check -- The next function names the other types.
	switch (action.type) {
		case 'resize': {
			const {columns} = action.size;
			const hasNewWidth = columns !== terminal.size.columns;
			const resized = hasNewWidth
				? compose(composer, {type: 'resize', columns: editorColumns(columns)})
				: composer;
			return {...state, terminal: reduceTerminal(terminal, action), composer: resized};
		}
		case 'close page': {
			const closed = withSlice(state, 'page', undefined);
			return isPage(page, 'themes') ? withSlice(closed, 'display', {...display, theme: page.before}) : closed;
		}
		case 'choose theme':
			return {
				...state,
				display: reduceDisplay(display, action),
				page: isPage(page, 'themes') ? undefined : page,
			};
		case 'write search': {
			const {open} = search;
			const next = withSlice(state, 'search', reduceSearch(search, action, transcript.scroll));
			// After a change of the query, the view returns to the scroll position at which the search was opened.
			const isOther = open !== undefined && !isSameQuery(open, action.query);
			return isOther ? withSlice(next, 'transcript', withScroll(transcript, open.origin)) : next;
		}
		case 'show match': {
			const scrolled = withSlice(state, 'transcript', withScroll(transcript, action.scroll));
			return withSlice(scrolled, 'search', reduceSearch(search, action, action.scroll));
		}
		case 'scroll selection': {
			const scrolled = withSlice(state, 'transcript', withScroll(transcript, action.scroll));
			return withSlice(scrolled, 'selection', reduceSelection(selection, action, transcript, now));
		}
		case 'submit':
		case 'confirm draft':
		case 'take back':
		case 'draft confirmed':
		case 'send draft':
		case 'queue draft':
		case 'send prompt':
		case 'messages taken':
		case 'messages returned':
		case 'take refused':
		case 'receipt':
		case 'answer leaves':
		case 'answer refused':
		case 'run began':
			return {...state, ...reduceSubmission(state, action)};
		case 'card event':
			return withSlice(state, 'asks', withCard(asks, stepCard(state, action.event)?.card));
		case 'pod event': {
			const recorded = withSlice(state, 'submission', recordedIn(submission, action.event));
			return withSlice(recorded, 'preflight', afterEvent(state.preflight, action.event, composer));
		}
		case 'leave screen':
			return {...state, selection: noSelection, search: endedSearch(search)};
		default:
			return reduceInput(state, action);
	}
}

/** The actions that `reduceSlices` does not handle. */
type OneSliceAction = Exclude<
	ViewAction | InputAction,
	{readonly type: 'resize' | 'close page' | 'choose theme' | 'write search' | 'show match' | 'scroll selection'}
>;

/** Updates the slices of the user's input, the cards and the alerts. */
function reduceInput(state: AppState, action: OneSliceAction): AppState {
	const {now} = state;
	// oxlint-disable-next-line typescript/switch-exhaustiveness-check -- The next function names the other types.
	switch (action.type) {
		case 'compose':
			return withSlice(state, 'composer', compose(state.composer, action.action));
		case 'set composer':
			return withSlice(state, 'composer', action.composer);
		case 'completions came':
		case 'highlight completion':
		case 'close completion':
		case 'completion shown':
		case 'used names came':
			return withSlice(state, 'completion', reduceCompletion(state.completion, action));
		case 'preflight answered':
		case 'confirm began':
		case 'confirm answered':
		case 'secrets told':
			return withSlice(state, 'preflight', reducePreflight(state.preflight, action));
		case 'open prompt history':
		case 'write prompt history':
		case 'widen prompt history':
		case 'move prompt history':
		case 'prompts came':
		case 'prompts failed':
		case 'close prompt history':
			return withSlice(state, 'promptHistory', reducePromptHistory(state.promptHistory, action));
		case 'scroll card':
		case 'note on card':
		case 'open own ask':
		case 'close own ask':
		case 'change approval':
			return withSlice(state, 'asks', reduceAsks(state.asks, action, now));
		case 'tick':
			// Always returns a new state, because the contents of the transcript's store may have changed since the
			// last frame.
			return {...state, alerts: reduceAlerts(state.alerts, action, now)};
		case 'alert':
		case 'dismiss alerts':
			return withSlice(state, 'alerts', reduceAlerts(state.alerts, action, now));
		case 'notified':
			return withSlice(state, 'notifications', action.notifications);
		case 'press':
		case 'escape pressed':
		case 'forget escape':
		case 'arm quit':
		case 'begin hold':
		case 'hold input':
		case 'empty hold':
		case 'end hold':
			return withSlice(state, 'keys', reduceKeys(state.keys, action, now));
		default:
			return reduceView(state, action);
	}
}

/** Updates the slices of the view. */
function reduceView(state: AppState, action: Extract<OneSliceAction, ViewAction>): AppState {
	const {transcript, now} = state;
	// oxlint-disable-next-line typescript/switch-exhaustiveness-check -- The next function names the other types.
	switch (action.type) {
		case 'pod connected':
		case 'quit':
		case 'detach':
		case 'replay at':
			return withSlice(state, 'lifecycle', reduceLifecycle(state.lifecycle, action));
		case 'lend terminal':
		case 'toggle mouse':
		case 'focus':
		case 'terminal ground':
			return withSlice(state, 'terminal', reduceTerminal(state.terminal, action));
		case 'try theme':
		case 'theme saved':
		case 'split diffs':
		case 'toggle task list':
			return withSlice(state, 'display', reduceDisplay(state.display, action));
		case 'first screen news':
		case 'first screen offer shown':
			return withSlice(state, 'firstScreen', reduceFirstScreen(state.firstScreen, action, now));
		case 'open transcript':
		case 'transcript changed':
		case 'scroll':
		case 'turn wheel':
		case 'read again':
		case 'want scroll':
		case 'forget wanted scrolls':
		case 'session loaded':
			return withSlice(state, 'transcript', reduceTranscript(transcript, action, now));
		case 'press transcript':
		case 'drag selection':
		case 'stop edge scroll':
		case 'end drag':
		case 'clear selection':
		case 'forget selection':
		case 'set caret':
			return withSlice(state, 'selection', reduceSelection(state.selection, action, transcript, now));
		case 'open search':
		case 'restart search':
		case 'browse search':
		case 'edit search':
		case 'count matches':
		case 'end search':
			return withSlice(state, 'search', reduceSearch(state.search, action, transcript.scroll));
		case 'offer stored':
		case 'move offer':
		case 'close offer':
		case 'open stored':
		case 'stored program ended':
			return withSlice(state, 'opener', reduceOpener(state.opener, action));
		default:
			return withSlice(state, 'page', reducePage(state.page, action));
	}
}

/** Replaces a slice. Returns the same state object if the slice is unchanged. */
function withSlice<Name extends keyof AppState>(state: AppState, name: Name, slice: AppState[Name]): AppState {
	return state[name] === slice ? state : {...state, [name]: slice};
}

/** Updates the popup and the forecast after a change of the draft. */
function followDraft(state: AppState, isSet: boolean): AppState {
	const {composer, completion, preflight, now} = state;
	const followed = withSlice(state, 'completion', completionAfterEdit(completion, composer, isSet, now));
	return withSlice(followed, 'preflight', preflightAfterEdit(preflight, composer));
}

/** Scrolls the draft to its caret after the caret moved or the screen was resized. */
function keepCaretShown(before: AppState, next: AppState): AppState {
	const {composer} = next;
	const {rows} = next.terminal.size;
	if (composer === before.composer && rows === before.terminal.size.rows) return next;
	const top = composerTop(composer, rows);
	return top.line === composer.top.line && top.row === composer.top.row
		? next
		: {...next, composer: {...composer, top}};
}
