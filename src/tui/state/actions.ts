import type {Alert, Event, Receipt, Segment, ApprovalMode, Ask, Completions} from '../../pod/protocol.ts';
import type {AlertTopic} from '../alerts/alerts.ts';
import type {NotificationState} from '../notifications/notification-state.ts';
import type {Note} from '../card/answering/answering.ts';
import type {AnsweringEvent} from '../card/answering/events.ts';
import type {SeenEntries} from '../completion/completion-state.ts';
import type {ComposerAction, ComposerState} from '../composer/composer-state.ts';
import type {Editor} from '../composer/editor/editor.ts';
import type {Size} from '../size.ts';
import type {HeldInput} from '../hold/hold.ts';
import type {PageAction} from '../pages/page-actions.ts';
import type {LastPress} from './keys/press.ts';
import type {Way} from '../queue/queue.ts';
import type {ShownMatch} from '../search/finder.ts';
import type {Counts} from '../search/search-state.ts';
import type {BlockSource} from '../transcript/block-sources.ts';
import type {Choice, Way as OpenerWay} from '../opener/opener-state.ts';
import type {Point} from '../selection/selection.ts';
import type {Edge} from '../selection/selection-state.ts';
import type {ScrollTo} from '../transcript/scroll/scroll-to.ts';
import type {Field} from '../text-field/field-state.ts';
import type {PreflightAnswer, ToldDraft} from '../preflight/preflight-state.ts';
import type {TranscriptStore} from '../transcript/store.ts';
import type {Scroll} from '../transcript/viewport/viewport.ts';

/** Everything that can happen to the state. */
export type Action =
	| {readonly type: 'resize'; readonly size: Size}
	/** Time has passed that the screen shows. */
	| {readonly type: 'tick'}
	/** A session, or its end, is there. */
	| {readonly type: 'open transcript'; readonly transcript: TranscriptStore; readonly isSessionTail?: boolean}
	/**
	The transcript took something in. `isStreaming`: a delta, which may be drawn a little later. `isSnapshot`: all of it
	anew.
	*/
	| {readonly type: 'transcript changed'; readonly isStreaming?: boolean; readonly isSnapshot?: boolean}
	| {readonly type: 'scroll'; readonly scroll: Scroll}
	| {readonly type: 'turn wheel'; readonly direction: -1 | 1}
	/** The user wants to go above the end of a session whose rest is not there yet. */
	| {readonly type: 'want scroll'; readonly to: ScrollTo}
	| {readonly type: 'forget wanted scrolls'}
	/** The rest of the session is there. */
	| {readonly type: 'session loaded'}
	| {readonly type: 'compose'; readonly action: ComposerAction}
	/** The composer's next state, as a handler of keys or the mouse made it. */
	| {readonly type: 'set composer'; readonly composer: ComposerState}
	/** Enter (`send`) or the steer key. The stages of a submission are in submit.ts. */
	| {readonly type: 'submit'; readonly way: Way}
	| {readonly type: 'confirm draft'; readonly segments: readonly Segment[]; readonly way: Way}
	/** The draft that is being confirmed is a draft again. */
	| {readonly type: 'take back'}
	| {readonly type: 'draft confirmed'; readonly segments: readonly Segment[]; readonly way: Way}
	| {readonly type: 'send draft'; readonly segments: readonly Segment[]}
	| {readonly type: 'queue draft'; readonly segments: readonly Segment[]}
	| {readonly type: 'steer draft'; readonly segments: readonly Segment[]}
	/** The prompt of the command line. */
	| {readonly type: 'send prompt'; readonly segments: readonly Segment[]}
	/** The next queued message goes out. */
	| {readonly type: 'send queued'}
	| {readonly type: 'steer queued'}
	/** The last queued message becomes the draft. */
	| {readonly type: 'edit queued'}
	/** Every queued message becomes a part of the composer's draft again. */
	| {readonly type: 'return queue'}
	/** `held`: the editor's state that was sent, if the composer holds it until the receipt. */
	| {
			readonly type: 'receipt';
			readonly segments: readonly Segment[];
			readonly held?: Editor | undefined;
			readonly receipt: Receipt;
	  }
	/** The run ended before it took the message. */
	| {readonly type: 'steer refused'; readonly segments: readonly Segment[]; readonly receipt: Refused}
	| {readonly type: 'return undelivered'}
	/** Opens the draft in the user's editor. */
	| {readonly type: 'edit outside'}
	| {readonly type: 'run began'; readonly committed: number}
	| {readonly type: 'alert'; readonly alert: Alert; readonly topic?: AlertTopic | undefined}
	| {readonly type: 'dismiss alerts'; readonly topic?: AlertTopic}
	| PageAction
	/** Something happened to the card. `edit`: what the key or paste is to the draft. */
	| {readonly type: 'card event'; readonly event: AnsweringEvent; readonly edit?: ComposerAction | undefined}
	| {readonly type: 'scroll card'; readonly scroll: number}
	/** The card says why a key did nothing. */
	| {readonly type: 'note on card'; readonly note: Note}
	/** The screen itself asks something. */
	| {readonly type: 'open own ask'; readonly ask: Ask}
	| {readonly type: 'close own ask'; readonly id: string}
	/** Something begins to open: it claims the keys. */
	| {readonly type: 'begin hold'; readonly id: string}
	| {readonly type: 'hold input'; readonly input: HeldInput}
	| {readonly type: 'empty hold'}
	| {readonly type: 'end hold'}
	/** The user was made aware of what the pod does. */
	| {readonly type: 'notified'; readonly notifications: NotificationState}
	/** The user changes what tools may do without asking. `offersAuto`: the same key leads to `auto` next. */
	| {readonly type: 'change approval'; readonly mode: ApprovalMode; readonly offersAuto: boolean}
	| {readonly type: 'press'; readonly press: LastPress}
	| {readonly type: 'lend terminal'; readonly isAway: boolean}
	/** Takes the mouse from the terminal, or gives it back. */
	| {readonly type: 'toggle mouse'}
	| {readonly type: 'focus'; readonly focused: boolean}
	/** The left button goes down on the transcript. */
	| {readonly type: 'press transcript'; readonly x: number; readonly y: number; readonly point: Point | undefined}
	| {
			readonly type: 'drag selection';
			readonly head: Point | undefined;
			readonly mayRise: boolean;
			readonly edge: Edge | undefined;
	  }
	/** A step of a drag that is held at an edge. */
	| {readonly type: 'scroll selection'; readonly scroll: Scroll; readonly head: Point}
	| {readonly type: 'stop edge scroll'}
	| {readonly type: 'end drag'}
	| {readonly type: 'clear selection'}
	/** The selection, and the drag that made it. */
	| {readonly type: 'forget selection'}
	| {readonly type: 'copy selection'; readonly text: string}
	| {readonly type: 'open search'}
	| {readonly type: 'write search'; readonly query: Field}
	/** The query is written: keys go through the matches. */
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
	/** The screen is being left: timers and searches end. */
	| {readonly type: 'arm quit'; readonly until: number}
	| {readonly type: 'quit'}
	/** There is a pod to talk to. */
	| {readonly type: 'pod connected'}
	/** The pod reported something, and the transcript contains it. */
	| {readonly type: 'pod event'; readonly event: Event}
	/** The pod answered what the popup asks. */
	| {readonly type: 'completions came'; readonly answer: Completions}
	| {readonly type: 'highlight completion'; readonly by: number}
	| {readonly type: 'close completion'}
	/** What a frame showed of the popup; nothing where it had none. */
	| {readonly type: 'completion shown'; readonly seen: SeenEntries | undefined}
	/** The pod answered what the draft's refs will become. */
	| {readonly type: 'preflight answered'; readonly answer: PreflightAnswer}
	/** The held draft waits for a forecast before it goes out. */
	| {readonly type: 'confirm began'}
	/** It has one, or goes out without it. */
	| {readonly type: 'confirm answered'; readonly answer: PreflightAnswer | undefined}
	/** You were asked about secrets in a draft. */
	| {readonly type: 'secrets told'; readonly told: ToldDraft | undefined}
	/** The screen is closed: timers, questions and other programs end. */
	| {readonly type: 'leave screen'};

/** A receipt that says no. */
export type Refused = Extract<Receipt, {readonly accepted: false}>;

/** The actions of some types. A map, so that a table of handlers by type takes an action without a cast. */
export type ActionOf<Type extends Action['type']> = {
	readonly [Each in Type]: ActionMap[Each] & {readonly type: Each};
}[Type];

type ActionMap = {readonly [Each in Action as Each['type']]: Each};
