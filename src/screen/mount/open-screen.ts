import {sendPrompt} from '../control/submit/submit.ts';
import {showChild} from '../control/commands/child-keys.ts';
import type {Setup, AppState} from '../model/app-state.ts';
import {quit, showAlert, type App, type Services} from '../control/app.ts';
import {createApp} from '../control/create-app.ts';
import {connect} from '../control/pod-events.ts';
import {pasteText, pressKey, takeMouse} from '../control/keys/keys-in.ts';
import {awaitRest, hideCard, takeEscapeBack} from '../control/card/card-keys.ts';
import {steadyNow, type Item, type PodClient, type SessionInfo} from '../../pod/protocol.ts';
import {createCapabilities, groundOf, isLastAnswer, type Capabilities} from '../terminal/capabilities.ts';
import type {ScreenStreams} from '../terminal/compositor/compositor.ts';
import type {InputHandlers} from '../terminal/input/input.ts';
import type {FirstNews} from '../model/first-screen/first-screen-state.ts';
import {type Layout, layoutOf} from '../view/layout.ts';
import {holdScreen, type HeldScreen} from './hold-screen.ts';
import type {Ground, Theme} from '../spans/theme.ts';
import type {CreateView} from './view.ts';
import type {TranscriptStore} from '../rows/store.ts';
import {nextPassing} from '../model/alerts/alerts.ts';
import {cardShown} from '../control/card/card-effects.ts';
import {nextCardChange} from '../view/card/card-facts.ts';
import {reportSeen} from '../control/completion/completion-effects.ts';
import {nextCompletionChange} from '../view/completion/popup-view.ts';
import {loadShownConversations} from '../control/pod-events.ts';
import {showFound} from '../control/search/search-effects.ts';
import type {FoundText} from '../model/search/search-state.ts';
import {learnNews, reportOffer} from '../control/first-screen/first-screen-keys.ts';
import type {Size} from '../model/terminal-state.ts';
import {checkShownFiles} from '../control/stale-files/stale-files-effects.ts';
import {nextSecond, statusTimes} from '../view/status/status-facts.ts';

type OwnServices =
	| 'onMouse'
	| 'onCursorShape'
	| 'onQuit'
	| 'onSuspend'
	| 'onRedraw'
	| 'onLend'
	| 'onTitle'
	| 'onBell'
	| 'onNotice'
	| 'onStatus'
	| 'terminal'
	| 'now';

export type ScreenOptions = Setup &
	Omit<Services, OwnServices> &
	ScreenStreams & {
		readonly view: CreateView;
		readonly theme: Theme;
		/**
		Whether the screen is rendered inline, below the contents of the terminal. One row stays free, so that no frame
		makes the terminal scroll.
		*/
		readonly inline?: boolean;
		/** Whether the terminal is known to show progress. */
		readonly hasProgress?: boolean;
		/** The background to assume if the terminal does not report its background. */
		readonly assumedGround?: Ground;
	};

export type Screen = {
	/** Shows the end of a session while its pod is still opening. Resolves with false if there are too few items. */
	showSessionTail(session: SessionInfo, items: readonly Item[]): Promise<boolean>;
	/** Connects the screen to a pod and sends the initial prompt, if there is one. */
	connect(client: PodClient, prompt: string): Promise<void>;
	/** Switches from the connected session to one of its child sessions. If this is not possible, shows the reason. */
	showChild(id: string): void;
	/** Shows a text that a search found in the session, as soon as the session is loaded. */
	showFound(found: FoundText): void;
	/** Shows new facts on the first screen. */
	learn(news: FirstNews): void;
	/** Shows the line about the position in a replay. */
	replayAt(line: string): void;
	/** Shows an alert about a success. */
	inform(sentence: string): void;
	/** Shows a warning. */
	warn(sentence: string): void;
	/** Quits in the same way as the user's quit command, so the pod is shut down first. */
	quit(): Promise<void>;
	/** Aborts when you quit. If no pod is connected at that time, the caller must close the screen. */
	readonly leaving: AbortSignal;
	/** Settles when the terminal has been restored. Rejects with the error if a frame could not be drawn. */
	readonly closed: Promise<void>;
	/**
	Restores the terminal immediately, so that an error can be printed on the main screen. If another screen follows
	(`isFollowed`), raw mode stays on for keys that arrive before that screen opens.
	*/
	close(isFollowed?: boolean): void;
	/** Returns the transcript once a pod has been connected, even after the screen has closed. */
	transcript(): TranscriptStore | undefined;
};

/** Opens the full screen with its first frame. The screen reads keys even before a pod exists. */
export function openScreen(options: ScreenOptions): Screen {
	let shownAt = 0;
	const screen = holdScreen<Layout>({
		...options,
		draw(size) {
			const layout = draw(app, size);
			shownAt = layout.at;
			return layout;
		},
		nextChange: () => nextChange(app.state, steadyNow(), shownAt),
		onAway(isAway) {
			app.dispatch({type: 'lend terminal', isAway});
			if (isAway) hideCard(app);
		},
		onRegain: () => hideCard(app),
		onLeave: () => app.dispatch({type: 'leave screen'}),
		onGone: () => app.state.transcript.store?.dispose(),
	});
	const capabilities = createCapabilities();
	const services = {...options, now: steadyNow, terminal: () => capabilities.facts(), ...servicesOf(screen)};
	const app: App = createApp(setupOf(options), services, screen.size(), screen.ask);
	const {assumedGround} = options;
	screen.open(inputHandlers(app, {capabilities, screen, assumedGround}), app.state.terminal.mouse);
	if (options.vim !== undefined) screen.terminal().setCursorShape('bar');
	screen.terminal().askCapabilities();

	return {
		async showSessionTail(session, items) {
			const {showSessionTail} = await import('../control/load-session.ts');
			return showSessionTail(app, {session, items});
		},
		async connect(client, prompt) {
			await connect(app, client);
			if (prompt !== '') void sendPrompt(app, [{type: 'text', text: prompt}]);
		},
		showChild: id => showChild(app, id),
		showFound: found => showFound(app, found),
		learn: news => learnNews(app, news),
		replayAt(line) {
			app.dispatch({type: 'replay at', line});
			app.changed('now');
		},
		inform: text => showAlert(app, {level: 'info', text}),
		warn: text => showAlert(app, {level: 'warn', text}),
		quit: async () => quit(app),
		leaving: app.leaving.signal,
		closed: screen.closed,
		close: screen.close,
		transcript: () => app.state.transcript.store,
	};
}

function setupOf({
	session,
	home,
	welcome,
	firstScreen,
	keymap,
	vim,
	isSpoken = false,
	isStill = false,
	isUnsaved = false,
	statusParts,
	inline = false,
	mouse,
	notifications,
	draft,
}: ScreenOptions): Setup {
	return {
		session,
		home,
		welcome,
		firstScreen,
		keymap,
		vim,
		isSpoken,
		isStill,
		statusParts,
		...(isUnsaved && {isUnsaved}),
		inline,
		mouse,
		notifications,
		draft,
	};
}

/** Returns the app's services that the screen provides. */
function servicesOf(screen: HeldScreen): Pick<Services, Exclude<OwnServices, 'terminal' | 'now'>> {
	return {
		onQuit: () => screen.close(),
		onSuspend: screen.suspend,
		onRedraw: screen.redraw,
		onLend: screen.lend,
		onTitle: text => screen.terminal().setTitle(text),
		onBell: () => screen.terminal().ring(),
		onNotice: bytes => screen.terminal().notify(bytes),
		onStatus: status => screen.terminal().report(status),
		onMouse: on => screen.terminal().setMouse(on),
		onCursorShape: shape => screen.terminal().setCursorShape(shape),
	};
}

type InputFacts = {
	readonly capabilities: Capabilities;
	readonly screen: Pick<HeldScreen, 'redraw' | 'terminal'>;
	readonly assumedGround: Ground | undefined;
};

/** Returns the handlers for the terminal's input. */
function inputHandlers(app: App, {capabilities, screen, assumedGround}: InputFacts): InputHandlers {
	return {
		onKey(key, arrival) {
			capabilities.hearKey(key);
			pressKey(app, key, arrival);
		},
		onLate: () => takeEscapeBack(app),
		onPart: () => awaitRest(app),
		onMouse: mouse => takeMouse(app, mouse),
		onPaste: (text, cut) => pasteText(app, text, cut),
		onFocus(focused) {
			app.dispatch({type: 'focus', focused});
			// After a switch of terminals, a multiplexer may still show the picture for the size of the other terminal,
			// so the screen is drawn again.
			if (focused) screen.redraw();
		},
		onReply(reply) {
			capabilities.hearReply(reply);
			screen.terminal().hearReply(reply);
			const isUnknown = isLastAnswer(reply) && app.state.terminal.ground === undefined;
			const ground = groundOf(reply) ?? (isUnknown ? assumedGround : undefined);
			if (ground === undefined) return;
			app.dispatch({type: 'terminal ground', ground});
			app.changed('now');
		},
	};
}

/** Returns the layout of the current state and reports that a frame shows this layout. */
export function draw(app: App, size: Size): Layout {
	const {columns, rows} = app.state.terminal.size;
	if (size.columns !== columns || size.rows !== rows) app.dispatch({type: 'resize', size});
	app.dispatch({type: 'tick'});
	const layout = layoutOf(app.state);
	reportShown(app, layout);
	return layout;
}

/** Reports the parts that the frame shows to the code that depends on them. */
function reportShown(app: App, layout: Layout): void {
	cardShown(app, layout.card);
	reportSeen(app, layout.above.completion);
	reportOffer(app);
	checkShownFiles(app, layout.transcript.rows);
	loadShownConversations(app, layout.transcript.rows);
}

/**
Returns the next time at which the screen changes without a key press. For example, an alert disappears, Ctrl+C no
longer quits, a card accepts answers, or a countdown advances. `shownAt` is the time of the current frame.
*/
export function nextChange(state: AppState, now: number, shownAt: number): number | undefined {
	const own = [...statusTimes(state), nextCardChange(state) ?? 0].filter(time => time > shownAt);
	const all = [nextPassing(state.alerts), nextSecond(state, now), nextCompletionChange(state), ...own];
	const times = all.filter(time => time !== undefined);
	return times.length === 0 ? undefined : Math.min(...times);
}
