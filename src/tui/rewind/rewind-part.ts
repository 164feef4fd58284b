import {isBusy, tell, type App, type Part} from '../app-state.ts';
import {isEmpty} from '../composer/draft.ts';

/** Esc twice on an empty draft, while nothing runs, opens the list of what can be gone back to. The first one keeps its meaning. */
export function createRewindPart(): Part {
	let last = Number.NEGATIVE_INFINITY;
	return {
		press(app, key) {
			const now = app.options.now();
			const isSecond = now - last <= doubleMs;
			last = Number.NEGATIVE_INFINITY;
			if (app.options.keymap.action(key) !== 'pause' || !mayOpen(app)) return false;
			if (!isSecond) last = now;
			else void import('./rewind-page.ts').then(({openRewind}) => {
				const sentence = mayOpen(app) ? openRewind(app) : undefined;
				if (sentence !== undefined) tell(app, {level: 'info', text: sentence});
				app.changed('now');
			});
			return isSecond;
		},
	};
}

/** Milliseconds between two presses that belong together. */
const doubleMs = 700;

function mayOpen(app: App): boolean {
	return app.store !== undefined && app.page === undefined && app.card === undefined && !isBusy(app) && isEmpty(app.composer.editor.draft);
}
