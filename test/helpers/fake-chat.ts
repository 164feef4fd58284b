import {createKeymap} from '../../src/screen/model/keys/keymap.ts';
import {openScreen, type Screen} from '../../src/screen/mount/open-screen.ts';
import {createFullScreen} from '../../src/screen/mount/full-screen.ts';
import {createPainter} from '../../src/screen/terminal/compositor/compositor.ts';
import type {CreateView} from '../../src/screen/mount/view.ts';
import {createTheme} from '../../src/screen/spans/theme.ts';
import type {FakeTerminal} from './fake-terminal.ts';
import {session} from './fake-app.ts';
import {programsIn} from './programs.ts';

export const fullScreen: CreateView = options =>
	createFullScreen(createPainter(options.stdout, {scrollRegions: true}), options);

/** Opens a screen on a fake terminal with colours and a mouse. */
export function openOn({stdin, stdout}: FakeTerminal, view: CreateView = fullScreen): Screen {
	return openScreen({
		stdin,
		stdout,
		session,
		welcome: [[{text: 'welcome', style: 'bold'}]],
		theme: createTheme(3),
		keymap: createKeymap().keymap,
		programs: async () => programsIn({}),
		mouse: true,
		view,
	});
}

/** Waits until Ink draws. It loads after the first frame, in several turns of the event loop. */
export async function inkLoaded(): Promise<void> {
	await import('../../src/screen/mount/warm-ink.ts');
	for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve));
}
