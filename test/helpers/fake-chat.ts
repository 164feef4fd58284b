import {createKeymap} from '../../src/tui/keys.ts';
import {openScreen, type Screen} from '../../src/tui/open-screen.ts';
import {createFullScreen} from '../../src/tui/full-screen.ts';
import {createPainter} from '../../src/tui/screen/painter.ts';
import type {CreateView} from '../../src/tui/view.ts';
import {createTheme} from '../../src/tui/text/theme.ts';
import type {FakeTerminal} from './fake-terminal.ts';
import {session} from './hand-made-app.ts';

export const fullScreen: CreateView = options => createFullScreen(createPainter(options.stdout, {scrollRegions: true}), options);

/** A screen on a fake terminal, in colour and with the mouse. */
export function openOn({stdin, stdout}: FakeTerminal, view: CreateView = fullScreen): Screen {
	return openScreen({stdin, stdout, session, welcome: [[{text: 'welcome', style: 'bold'}]], theme: createTheme(3), keymap: createKeymap().keymap, env: {}, mouse: true, view});
}
