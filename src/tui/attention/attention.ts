import {basename} from 'node:path';
import {statusOf, type App, type Part} from '../state/app.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut} from '../text/width.ts';

export type AttentionOptions = {
	/** When the bell is rung, once a run ends or something is asked: when the terminal has not the focus, always, never. */
	readonly bell: 'unfocused' | 'always' | 'never';
	/** Whether the window is named. */
	readonly title: boolean;
	/** `$TERM`: a console has no window. */
	readonly term: string | undefined;
};

/** Names the window after what goes on, and rings when the person is wanted. Comes first among the parts: any key says that the person is there. */
export function createAttention({bell, title, term}: AttentionOptions): Part {
	const hasWindow = title && term !== undefined && !['', 'dumb', 'linux'].includes(term);
	let shown: string | undefined;
	let runningSince: number | undefined;
	let askId: string | undefined;
	let waiting = 0;
	let pressedAt = Number.NEGATIVE_INFINITY;

	/** A terminal that does not tell its focus: of a long run without a key the person has turned away. */
	function isWanted(app: App, since: number): boolean {
		if (bell !== 'unfocused' || app.state.focused !== undefined) return bell === 'always' || (bell === 'unfocused' && app.state.focused === false);
		const now = app.options.now();
		return now - since > longRun && now - pressedAt > longRun;
	}

	return {
		press(app) {
			pressedAt = app.options.now();
			return false;
		},
		heard(app, event) {
			if (event.type === 'delta') return;
			const {kind, asks} = statusOf(app.state);
			const name = titleOf(app, asks.length > 0 ? 'asking' : kind === 'running' ? 'running' : 'idle');
			if (hasWindow && name !== shown) app.options.onTitle(name);
			shown = name;
			const since = runningSince;
			// What waited goes out at the end of a run: the work is not done.
			const isOver = since !== undefined && kind !== 'running' && waiting === 0;
			const isAsked = asks[0] !== undefined && asks[0].id !== askId;
			if ((isOver || isAsked) && event.type !== 'snapshot' && isWanted(app, since ?? app.options.now())) app.options.onBell();
			runningSince = kind === 'running' ? (since ?? app.options.now()) : undefined;
			askId = asks[0]?.id;
			waiting = app.state.queue.length;
		},
	};
}

/** Milliseconds after which a person may have turned to something else. */
const longRun = 10_000;

const signs = {idle: '', running: '● ', asking: '? '};

function titleOf({state: {transcript, setup}}: App, state: keyof typeof signs): string {
	const {pwd} = (transcript?.transcript.session ?? setup.session).scope;
	return `${signs[state]}inkpod · ${cut(sanitizeLine(basename(pwd) || pwd), 60, '…')}`;
}
