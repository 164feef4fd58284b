import {userInfo} from 'node:os';
import {describe, expect, test} from 'vitest';
import {configDirectory, homeOf} from '../../../src/pod/env/env.ts';
import {sessionsRoot} from '../../../src/pod/session/paths.ts';

test('an absolute HOME, the home', () => {
	expect(homeOf({HOME: '/home/a'})).toBe('/home/a');
});

describe.each([
	[{}],
	[{HOME: ''}],
	[{HOME: 'project'}],
	[{HOME: '', XDG_CONFIG_HOME: 'x', XDG_STATE_HOME: 'x', INKPOD_HOME: ''}],
])('with %j', env => {
	test('the home is the one that the system lists, and nothing of inkpod lies in the project', () => {
		expect(homeOf(env)).toBe(userInfo().homedir);
		expect(configDirectory(env)).toBe(`${userInfo().homedir}/.config/inkpod`);
		expect(sessionsRoot(env)).toBe(`${userInfo().homedir}/.local/state/inkpod/sessions`);
	});
});
