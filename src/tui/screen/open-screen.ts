import {draw, nextChange} from './draw.ts';
import type {Setup} from '../state/app-state.ts';
import {quit, showAlert, type App, type Services} from '../state/app.ts';
import {createApp} from '../state/create-app.ts';
import {connect} from '../state/pod-events.ts';
import {pasteText, pressKey, takeMouse} from '../state/keys/keys-in.ts';
import {awaitRest, hideCard, takeEscapeBack} from '../card/card-keys.ts';
import type {Item, PodClient, SessionInfo} from '../../pod/protocol.ts';
import {createCapabilities, type Capabilities} from '../terminal/capabilities.ts';
import type {ScreenStreams} from '../terminal/compositor/painter.ts';
import type {InputHandlers} from '../terminal/input/input.ts';
import type {Layout} from '../layout.ts';
import {holdScreen, type HeldScreen} from './hold-screen.ts';
import type {Theme} from '../text/theme.ts';
import type {CreateView} from './view.ts';
import type {TranscriptStore} from '../transcript/store.ts';

type OwnServices =
	| 'onMouse'
	| 'onQuit'
	| 'onSuspend'
	| 'onRedraw'
	| 'onHandOver'
	| 'onTitle'
	| 'onBell'
	| 'terminal'
	| 'now';

export type ScreenOptions = Setup &
	Omit<Services, OwnServices> &
	ScreenStreams & {
		readonly view: CreateView;
		readonly theme: Theme;
		/**
		Renders inline, below the contents of the terminal. One row is left to the terminal, so no frame scrolls.
		*/
		readonly inline?: boolean;
	};

export type Screen = {
	/**
	Shows the end of a session while its pod is still being opened. Answers whether these items, its last ones, are
	enough for that.
	*/
	showSessionTail(session: SessionInfo, items: readonly Item[]): Promise<boolean>;
	/** Shows a pod, and sends it the prompt that was given with the command, if any. */
	connect(client: PodClient, prompt: string): Promise<void>;
	/** Warns of something. */
	warn(sentence: string): void;
	/** Leaves as a user who quits does: shuts the pod down first. */
	quit(): Promise<void>;
	/** Settles when the terminal has been given back. Rejects with what was thrown while a frame was drawn. */
	readonly closed: Promise<void>;
	/** Takes the terminal back at once, for an error that is told on the main screen. */
	close(): void;
	/** What the screen showed last, once there was a pod; also when it has been left. */
	transcript(): TranscriptStore | undefined;
};

/**
Opens the full screen on a terminal, with its first frame. Keys are heard from now on, also before a pod is there.
*/
export function openScreen(options: ScreenOptions): Screen {
	let shownAt = 0;
	const screen = holdScreen<Layout>({
		...options,
		draw(size) {
			const layout = draw(app, size);
			shownAt = layout.at;
			return layout;
		},
		nextChange: () => nextChange(app.state, Date.now(), shownAt),
		onAway(isAway) {
			app.dispatch({type: 'lend terminal', isAway});
			if (isAway) hideCard(app);
		},
		onRegain: () => hideCard(app),
		onLeave: () => app.dispatch({type: 'leave screen'}),
		onGone: () => app.state.transcript?.dispose(),
	});
	const capabilities = createCapabilities();
	const services = {...options, now: Date.now, terminal: () => capabilities.facts(), ...servicesOf(screen)};
	const app: App = createApp(setupOf(options), services, screen.size(), screen.ask);
	screen.open(inputHandlers(app, capabilities, screen.redraw), app.state.mouse);
	screen.terminal().askCapabilities();

	return {
		async showSessionTail(session, items) {
			const {showSessionTail} = await import('../state/load-session.ts');
			return showSessionTail(app, {session, items});
		},
		async connect(client, prompt) {
			await connect(app, client);
			if (prompt !== '') app.dispatch({type: 'send prompt', segments: [{type: 'text', text: prompt}]});
		},
		warn: text => showAlert(app, {level: 'warn', text}),
		quit: async () => quit(app),
		closed: screen.closed,
		close: screen.close,
		transcript: () => app.state.transcript,
	};
}

function setupOf({
	session,
	home,
	welcome,
	keymap,
	isSpoken = false,
	mouse,
	notifications,
	draft,
}: ScreenOptions): Setup {
	return {
		session,
		home,
		welcome,
		keymap,
		isSpoken,
		...(mouse !== undefined && {mouse}),
		...(notifications !== undefined && {notifications}),
		...(draft !== undefined && {draft}),
	};
}

/** What the app asks of its screen. */
function servicesOf(screen: HeldScreen): Pick<Services, Exclude<OwnServices, 'terminal' | 'now'>> {
	return {
		onQuit: screen.close,
		onSuspend: screen.suspend,
		onRedraw: screen.redraw,
		onHandOver: screen.lend,
		onTitle: text => screen.terminal().setTitle(text),
		onBell: () => screen.terminal().ring(),
		onMouse: on => screen.terminal().setMouse(on),
	};
}

/** What becomes of what the terminal sends. */
function inputHandlers(app: App, capabilities: Capabilities, redraw: () => void): InputHandlers {
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
			// A multiplexer that was attached elsewhere may show what another terminal had room for.
			if (focused) redraw();
		},
		onReply: reply => capabilities.hearReply(reply),
	};
}
