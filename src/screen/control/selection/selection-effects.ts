import type {AppState} from '../../model/app-state.ts';
import {showAlert, type App} from '../app.ts';
import {resourceFor} from '../runtime.ts';
import {transcriptHeightOf} from '../geometry.ts';
import {graphemesOf} from '../../../text/graphemes.ts';
import {stepAtEdge} from './edge-scroll.ts';
import {cannotCopy, characterCount, copiedBy, copiedByTerminal, lineCount} from '../../view/selection/texts.ts';

/** Copies texts one after another, in order. */
export function copyText(app: App, text: string): void {
	const runtime = runtimeOf(app);
	runtime.copying = runtime.copying.then(async () => copy(app, text));
}

/** Scrolls by a timer while you drag at an edge. */
export function followEdge(app: App, {selection: {edge: before}}: AppState): void {
	const {edge} = app.state.selection;
	if (edge === before) return;
	stop(app);
	if (edge !== undefined) runtimeOf(app).timer = setInterval(() => step(app), scrollPace);
}

const runtimeOf = resourceFor((): {timer: NodeJS.Timeout | undefined; copying: Promise<void>} => ({
	timer: undefined,
	copying: Promise.resolve(),
}));

/** The number of milliseconds between two scroll steps of a drag. */
const scrollPace = 50;

function stop(app: App): void {
	const runtime = runtimeOf(app);
	clearInterval(runtime.timer);
	runtime.timer = undefined;
}

function step(app: App): void {
	const {store, scroll} = app.state.transcript;
	const {drag, edge} = app.state.selection;
	const isHeld = store !== undefined && drag !== undefined && edge !== undefined;
	const to = isHeld ? stepAtEdge(store, scroll, transcriptHeightOf(app), edge) : undefined;
	if (to === undefined) {
		app.dispatch({type: 'stop edge scroll'});
		return;
	}
	app.dispatch({type: 'scroll selection', ...to});
	app.changed('now');
}

async function copy(app: App, text: string): Promise<void> {
	if (text.trim() === '') return;
	const copied = (await app.options.copy?.(text)) ?? {ok: false as const, sentence: cannotCopy};
	if (!copied.ok) {
		showAlert(app, {level: 'warn', text: copied.sentence});
		return;
	}
	const what = amountOf(text);
	const done = copied.by === 'program' ? copiedBy(what, copied.program) : copiedByTerminal(what);
	showAlert(app, {level: 'info', text: done});
}

function amountOf(text: string): string {
	const lines = text.split('\n').length;
	if (lines > 1) return lineCount(lines);
	const characters = Array.from(graphemesOf(text.slice(0, maxCounted))).length;
	return characterCount(characters, text.length > maxCounted);
}

const maxCounted = 2000;
