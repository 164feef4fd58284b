import type {Setup} from '../../src/screen/model/app-state.ts';
import type {App, Services} from '../../src/screen/control/app.ts';
import {createApp} from '../../src/screen/control/create-app.ts';
import {createKeymap} from '../../src/screen/model/keys/keymap.ts';
import type {Env} from '../../src/screen/terminal/program.ts';
import type {Size} from '../../src/screen/model/terminal-state.ts';
import {programsIn} from './programs.ts';

export const session = {id: 'S', model: 'test/model', scope: {pwd: '/p', writable: true, readRoots: []}};

export type TestOptions = Partial<Setup & Omit<Services, 'programs'>> & {readonly env?: Env};

/** Creates the state of a screen without a terminal. Its services do nothing. */
export function testApp(
	options: TestOptions = {},
	size: Size = {columns: 80, rows: 24},
	changed: App['changed'] = () => {},
): App {
	const {session: known = session, welcome = [], keymap = createKeymap().keymap, ...others} = options;
	const {vim, home, inline, isSpoken, mouse, notifications, draft, firstScreen, env = {}, ...services} = others;
	const setup = {
		session: known,
		welcome,
		keymap,
		home,
		...(vim !== undefined && {vim}),
		...(firstScreen !== undefined && {firstScreen}),
		...(inline !== undefined && {inline}),
		...(isSpoken !== undefined && {isSpoken}),
		...(mouse !== undefined && {mouse}),
		...(notifications !== undefined && {notifications}),
		...(draft !== undefined && {draft}),
	};
	return createApp(
		setup,
		{
			programs: async () => programsIn(env),
			now: () => 0,
			onQuit() {},
			onSuspend() {},
			onRedraw() {},
			onLend: async () => false,
			onTitle() {},
			onBell() {},
			...services,
		},
		size,
		changed,
	);
}
