import type {
	Alert,
	ApprovalMode,
	Ask,
	Completions,
	Event,
	FoundPrompts,
	PromptQuery,
	QueueMessage,
	Receipt,
	Segment,
} from '../../pod/protocol.ts';
import type {AlertTopic} from './alerts/alerts.ts';
import type {NotificationState} from './notifications/notification-state.ts';
import type {Note} from './card/answering.ts';
import type {AnsweringEvent} from './card/events.ts';
import type {SeenEntries} from './completion/completion-state.ts';
import type {ComposerAction, ComposerState} from './composer/composer-state.ts';
import type {Editor} from '../editor/editor.ts';
import type {FirstNews} from './first-screen/first-screen-state.ts';
import type {Size} from './size.ts';
import type {HeldInput} from './hold/hold.ts';
import type {PageAction} from './pages/page-actions.ts';
import type {LastPress} from './keys/press.ts';
import type {Unrecorded, Way} from './queue.ts';
import type {ShownMatch} from './search/finder.ts';
import type {Counts} from './search/search-state.ts';
import type {BlockSource} from '../rows/block-sources.ts';
import type {Choice, Way as OpenerWay} from './opener/opener-state.ts';
import type {Caret} from './selection/caret.ts';
import type {Point} from './selection/selection.ts';
import type {Edge} from './selection/selection-state.ts';
import type {ScrollTo} from './scroll/scroll-to.ts';
import type {Field} from './field-state.ts';
import type {PreflightAnswer, ToldDraft} from './preflight/preflight-state.ts';
import type {Ground} from '../spans/theme.ts';
import type {TranscriptStore} from '../rows/store.ts';
import type {Scroll} from '../rows/viewport/viewport.ts';

/** The actions: every change of the state is one of them. */
export type Action =
	| {readonly type: 'resize'; readonly size: Size}
	/** Expands the list of tasks, or collapses it. */
	| {readonly type: 'toggle task list'}
	/** The time that is shown has changed. */
	| {readonly type: 'tick'}
	/** Opens a session or its end. */
	| {readonly type: 'open transcript'; readonly transcript: TranscriptStore; readonly isSessionTail?: boolean}
	/**
	The transcript has changed. `isStreaming`: the change is a delta, which may be drawn later. `isSnapshot`: the whole
	transcript is new.
	*/
	| {readonly type: 'transcript changed'; readonly isStreaming?: boolean; readonly isSnapshot?: boolean}
	| {readonly type: 'scroll'; readonly scroll: Scroll}
	/** A screen reader reads blocks again. */
	| {readonly type: 'read again'; readonly from: string; readonly count: number}
	| {readonly type: 'turn wheel'; readonly direction: -1 | 1}
	/** The user scrolls above the loaded end of a session. */
	| {readonly type: 'want scroll'; readonly to: ScrollTo}
	| {readonly type: 'forget wanted scrolls'}
	/** The rest of the session is loaded. */
	| {readonly type: 'session loaded'}
	| {readonly type: 'compose'; readonly action: ComposerAction}
	/** Sets the composer's state after a key or a click. */
	| {readonly type: 'set composer'; readonly composer: ComposerState}
	/** Submits with Enter (`send`) or the steer key. `submit.ts` explains the stages of a submission. */
	| {readonly type: 'submit'; readonly way: Way}
	| {readonly type: 'confirm draft'; readonly segments: readonly Segment[]; readonly way: Way}
	/** Cancels the confirmation, so the message becomes the draft again. */
	| {readonly type: 'take back'}
	| {readonly type: 'draft confirmed'; readonly segments: readonly Segment[]; readonly way: Way}
	| {readonly type: 'send draft'; readonly segments: readonly Segment[]}
	| {readonly type: 'queue draft'; readonly segments: readonly Segment[]}
	| {readonly type: 'steer draft'; readonly segments: readonly Segment[]}
	/** Sends the prompt of the command line. */
	| {readonly type: 'send prompt'; readonly segments: readonly Segment[]}
	/** The pod has returned queued messages to this screen. */
	| {readonly type: 'messages taken'; readonly messages: readonly QueueMessage[]}
	/** The pod has forgotten the `kept` ones, so they become the draft. The others are in its queue or in history. */
	| {
			readonly type: 'messages returned';
			readonly messages: readonly QueueMessage[];
			readonly kept: readonly QueueMessage[];
	  }
	/** This screen takes its refused messages back. */
	| {readonly type: 'take refused'; readonly ids: readonly string[]}
	/** `held` is the sent editor state, if the composer keeps it until the receipt. */
	| {
			readonly type: 'receipt';
			readonly segments: readonly Segment[];
			readonly held?: Editor | undefined;
			readonly receipt: Receipt;
	  }
	/** An answer to a card leaves with what the user typed. `draft` is the part that was the draft. */
	| {readonly type: 'answer leaves'; readonly message: Unrecorded; readonly draft: readonly Segment[]}
	| {readonly type: 'answer refused'; readonly message: Unrecorded; readonly draft: readonly Segment[]}
	/** Opens the draft in the user's editor. */
	| {readonly type: 'edit outside'}
	| {readonly type: 'run began'}
	| {readonly type: 'alert'; readonly alert: Alert; readonly topic?: AlertTopic | undefined}
	| {readonly type: 'dismiss alerts'; readonly topic?: AlertTopic}
	| PageAction
	/** The card received an event. `edit` is the edit of the key or paste in the draft. */
	| {readonly type: 'card event'; readonly event: AnsweringEvent; readonly edit?: ComposerAction | undefined}
	| {readonly type: 'scroll card'; readonly scroll: number}
	/** Shows on the card why a key had no effect. */
	| {readonly type: 'note on card'; readonly note: Note}
	/** Opens a question of the screen itself. */
	| {readonly type: 'open own ask'; readonly ask: Ask}
	| {readonly type: 'close own ask'; readonly id: string}
	/** Something is opening, and gets the keys. */
	| {readonly type: 'begin hold'; readonly id: string; readonly isSecret: boolean}
	| {readonly type: 'hold input'; readonly input: HeldInput}
	| {readonly type: 'empty hold'}
	| {readonly type: 'end hold'}
	/** Stores the latest notifications to the user. */
	| {readonly type: 'notified'; readonly notifications: NotificationState}
	/** The user changes the approval mode. `offersAuto`: the same key switches to `auto` next. */
	| {readonly type: 'change approval'; readonly mode: ApprovalMode; readonly offersAuto: boolean}
	| {readonly type: 'press'; readonly press: LastPress}
	| {readonly type: 'lend terminal'; readonly isAway: boolean}
	/** Turns mouse reports on or off. */
	| {readonly type: 'toggle mouse'}
	| {readonly type: 'split diffs'; readonly isSplit: boolean}
	| {readonly type: 'focus'; readonly focused: boolean}
	| {readonly type: 'terminal ground'; readonly ground: Ground}
	/** The left button was pressed on the transcript. */
	| {readonly type: 'press transcript'; readonly x: number; readonly y: number; readonly point: Point | undefined}
	| {
			readonly type: 'drag selection';
			readonly head: Point | undefined;
			readonly mayRise: boolean;
			readonly edge: Edge | undefined;
	  }
	/** Scrolls one step of a drag at an edge. */
	| {readonly type: 'scroll selection'; readonly scroll: Scroll; readonly head: Point}
	| {readonly type: 'stop edge scroll'}
	| {readonly type: 'end drag'}
	| {readonly type: 'clear selection'}
	/** Clears the selection and its drag. */
	| {readonly type: 'forget selection'}
	| {readonly type: 'copy selection'; readonly text: string}
	/** Moves the caret with which keys select. Without one, keys no longer select. */
	| {readonly type: 'set caret'; readonly caret: Caret | undefined}
	| {readonly type: 'open prompt history'}
	| {readonly type: 'write prompt history'; readonly query: Field}
	/** Searches the prompts of all projects, or of this one again. */
	| {readonly type: 'widen prompt history'}
	| {readonly type: 'move prompt history'; readonly by: number}
	/** The pod answered a search in earlier prompts. */
	| {readonly type: 'prompts came'; readonly answer: FoundPrompts}
	| {readonly type: 'prompts failed'; readonly query: PromptQuery; readonly sentence: string}
	| {readonly type: 'close prompt history'}
	| {readonly type: 'open search'}
	| {readonly type: 'write search'; readonly query: Field}
	/** Confirms the query, so that keys move between matches. */
	/** The view changed, and with it the texts that are searched. */
	| {readonly type: 'restart search'}
	| {readonly type: 'browse search'}
	| {readonly type: 'edit search'}
	| {readonly type: 'step search'; readonly direction: 1 | -1}
	| {readonly type: 'count matches'; readonly counts: Counts}
	| ({readonly type: 'show match'} & ShownMatch)
	| {readonly type: 'end search'}
	| {readonly type: 'offer stored'; readonly choice: Choice}
	| {readonly type: 'move offer'; readonly by: number}
	| {readonly type: 'close offer'}
	/** Opens a stored text in the pager or the editor. */
	| {readonly type: 'open stored'; readonly part: BlockSource; readonly way: OpenerWay}
	| {readonly type: 'stored program ended'}
	/** The screen closes, and its timers and searches end. */
	| {readonly type: 'arm quit'; readonly until: number}
	| {readonly type: 'quit'}
	| {readonly type: 'detach'; readonly isDetaching: boolean}
	/** A replay has moved. */
	| {readonly type: 'replay at'; readonly line: string}
	/** More became known about what the first screen shows. */
	| {readonly type: 'first screen news'; readonly news: FirstNews}
	/** A frame showed the offer of a model for the first time. */
	| {readonly type: 'first screen offer shown'}
	/** A pod is connected. */
	| {readonly type: 'pod connected'}
	/** The pod sent an event, and the transcript contains it. */
	| {readonly type: 'pod event'; readonly event: Event}
	/** The pod answered the popup's query. */
	| {readonly type: 'completions came'; readonly answer: Completions}
	| {readonly type: 'highlight completion'; readonly by: number}
	| {readonly type: 'close completion'}
	/** A frame showed these entries of the popup, or no popup at all. */
	| {readonly type: 'completion shown'; readonly seen: SeenEntries | undefined}
	/** The pod answered with the forecast of the draft. */
	| {readonly type: 'preflight answered'; readonly answer: PreflightAnswer}
	/** The held draft waits for a forecast. */
	| {readonly type: 'confirm began'}
	/** The wait for a forecast ends, with or without one. */
	| {readonly type: 'confirm answered'; readonly answer: PreflightAnswer | undefined}
	/** You were asked about secrets in a draft. */
	| {readonly type: 'secrets told'; readonly told: ToldDraft | undefined}
	/** The screen is closed, so its timers, questions and other programs end. */
	| {readonly type: 'leave screen'};

/** A refused receipt. */
export type Refused = Extract<Receipt, {readonly accepted: false}>;

/**
The actions of the given types. A map has one entry for each action type, so that tables of handlers need no casts.
*/
export type ActionOf<Type extends Action['type']> = {
	readonly [Each in Type]: ActionMap[Each] & {readonly type: Each};
}[Type];

type ActionMap = {readonly [Each in Action as Each['type']]: Each};
