import type {Event, Receipt} from '../../pod/protocol.ts';
import type {AlertAction} from './alerts/alerts.ts';
import type {AsksAction} from './card/card.ts';
import type {AnsweringEvent} from './card/events.ts';
import type {CompletionAction} from './completion/completion-state.ts';
import type {ComposerAction, ComposerState} from './composer/composer-state.ts';
import type {DisplayAction} from './display-state.ts';
import type {FirstScreenAction} from './first-screen/first-screen-state.ts';
import type {KeysAction} from './keys/keys-state.ts';
import type {LifecycleAction} from './lifecycle-state.ts';
import type {NotificationAction} from './notifications/notification-state.ts';
import type {OpenerAction} from './opener/opener-state.ts';
import type {PageAction} from './pages/page-state.ts';
import type {PreflightAction} from './preflight/preflight-state.ts';
import type {PromptHistoryAction} from './prompt-history/prompt-history-state.ts';
import type {SearchAction} from './search/search-state.ts';
import type {SelectionAction} from './selection/selection-state.ts';
import type {SubmissionAction} from './submission-state.ts';
import type {TerminalAction} from './terminal-state.ts';
import type {TranscriptAction} from './transcript-state.ts';

/** The actions: every change of the state is one of them. The file of each slice lists its own. */
export type Action =
	| ViewAction
	| InputAction
	| SubmissionAction
	/** The card received an event. `edit` is the edit of the key or paste in the draft. */
	| {readonly type: 'card event'; readonly event: AnsweringEvent; readonly edit?: ComposerAction | undefined}
	/** The pod sent an event, and the transcript contains it. */
	| {readonly type: 'pod event'; readonly event: Event}
	/** The screen is closed, so its timers, questions and other programs end. */
	| {readonly type: 'leave screen'};

/** The actions about what the user sees. */
export type ViewAction =
	| LifecycleAction
	| TerminalAction
	| DisplayAction
	| FirstScreenAction
	| TranscriptAction
	| SelectionAction
	| SearchAction
	| OpenerAction
	| PageAction;

/** The actions about what the user types, answers and is told. */
export type InputAction =
	| {readonly type: 'compose'; readonly action: ComposerAction}
	/** Sets the composer's state after a key or a click. */
	| {readonly type: 'set composer'; readonly composer: ComposerState}
	| CompletionAction
	| PreflightAction
	| PromptHistoryAction
	| AsksAction
	| AlertAction
	| NotificationAction
	| KeysAction;

/** A refused receipt. */
export type Refused = Extract<Receipt, {readonly accepted: false}>;

/**
The actions of the given types. A map has one entry for each action type, so that tables of handlers need no casts.
*/
export type ActionOf<Type extends Action['type']> = {
	readonly [Each in Type]: ActionMap[Each] & {readonly type: Each};
}[Type];

type ActionMap = {readonly [Each in Action as Each['type']]: Each};
