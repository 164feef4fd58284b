import {asksOf, isBusy, tell, type App, type Part} from '../state/app.ts';
import {isEmpty} from '../composer/draft.ts';
import {holdKeys} from '../hold/hold-keys.ts';

/** Esc twice on an empty draft, while nothing runs, opens the list of what can be gone back to. The first one keeps its meaning. */
export function createRewindPart(): Part {
	let last = Number.NEGATIVE_INFINITY;
	return {
		press(app, key) {
			const now = app.options.now();
			const isSecond = now - last <= doubleMs;
			last = Number.NEGATIVE_INFINITY;
			if (app.state.setup.keymap.action(key) !== 'pause' || !mayOpen(app)) return false;
			if (!isSecond) last = now;
			else void holdKeys(app, async () => open(app));
			return isSecond;
		},
	};
}

async function open(app: App): Promise<boolean> {
	await app.opened.promise;
	const {openRewind} = await import('./rewind-page.ts');
	if (!mayOpen(app)) return false;
	const sentence = openRewind(app);
	if (sentence !== undefined) tell(app, {level: 'info', text: sentence});
	return sentence === undefined;
}

/** Milliseconds between two presses that belong together. */
const doubleMs = 700;

function mayOpen(app: App): boolean {
	return app.state.page === undefined && asksOf(app.state).length === 0 && !isBusy(app.state) && isEmpty(app.state.composer.editor.draft);
}
