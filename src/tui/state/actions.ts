import type {Alert, Segment} from '../../pod/protocol.ts';
import type {AlertTopic} from '../alerts/alerts.ts';
import type {Card, OwnAsk} from '../card/card.ts';
import type {ComposerAction, ComposerState} from '../composer/composer-state.ts';
import type {Editor} from '../composer/editor.ts';
import type {Size} from '../frame.ts';
import type {HeldInput, Hold} from '../hold/hold.ts';
import type {Page} from '../overlay/page.ts';
import type {LastPress} from './press.ts';
import type {Queue, Sending} from '../queue/queue.ts';
import type {TranscriptStore} from '../transcript/store.ts';
import type {Scroll} from '../transcript/viewport.ts';
import type {ScrollTo} from './app-state.ts';

/** Everything that can happen to the state. */
export type Action =
	| {readonly type: 'resize'; readonly size: Size}
	/** Time has passed that the screen shows. */
	| {readonly type: 'tick'}
	/** A session, or its end, is there. */
	| {readonly type: 'open transcript'; readonly transcript: TranscriptStore; readonly isEnding?: boolean}
	/** The transcript took something in. `isStreaming`: a delta, which may be drawn a little later. */
	| {readonly type: 'transcript changed'; readonly isStreaming?: boolean}
	| {readonly type: 'scroll'; readonly scroll: Scroll}
	/** The user wants to go above the end of a session whose rest is not there yet. */
	| {readonly type: 'want scroll'; readonly to: ScrollTo}
	| {readonly type: 'forget wanted scrolls'}
	/** The rest of the session is there. */
	| {readonly type: 'ending over'}
	| {readonly type: 'compose'; readonly action: ComposerAction}
	/** The composer's next state, as a handler of keys or the mouse made it. */
	| {readonly type: 'set composer'; readonly composer: ComposerState}
	| {readonly type: 'confirm'; readonly held: Editor | undefined}
	| {readonly type: 'set queue'; readonly queue: Queue}
	/** Every waiting draft becomes a part of the composer's draft again. */
	| {readonly type: 'return queue'}
	| {readonly type: 'queue draft'; readonly segments: readonly Segment[]}
	| {readonly type: 'set sending'; readonly sending: readonly Sending[]}
	| {readonly type: 'set undelivered'; readonly undelivered: Queue}
	| {readonly type: 'run began'; readonly committed: number}
	| {readonly type: 'alert'; readonly alert: Alert; readonly topic?: AlertTopic | undefined}
	| {readonly type: 'dismiss alerts'; readonly topic?: AlertTopic}
	| {readonly type: 'set page'; readonly page: Page | undefined}
	| {readonly type: 'set card'; readonly card: Card | undefined}
	| {readonly type: 'set own asks'; readonly asks: readonly OwnAsk[]}
	| {readonly type: 'set hold'; readonly hold: Hold | undefined}
	| {readonly type: 'hold input'; readonly input: HeldInput}
	| {readonly type: 'press'; readonly press: LastPress}
	| {readonly type: 'lend terminal'; readonly isAway: boolean}
	| {readonly type: 'set mouse'; readonly isOurs: boolean}
	| {readonly type: 'focus'; readonly focused: boolean}
	| {readonly type: 'arm quit'; readonly until: number}
	| {readonly type: 'quit'};

export type ActionOf<Type extends Action['type']> = Extract<Action, {readonly type: Type}>;
