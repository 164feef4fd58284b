import {userInfo} from 'node:os';
import {describe, expect, it} from 'vitest';
import {configDirectory, homeOf} from '../../../../src/pod/ground/env/env.ts';
import {sessionsRoot} from '../../../../src/pod/disk/paths.ts';

it('homeOf returns an absolute HOME', () => {
	expect(homeOf({HOME: '/home/a'})).toBe('/home/a');
});

describe.each([
	[{}],
	[{HOME: ''}],
	[{HOME: 'project'}],
	[{HOME: '', XDG_CONFIG_HOME: 'x', XDG_STATE_HOME: 'x', INKPOD_HOME: ''}],
])('a start with %j', env => {
	it("uses the home directory that the system lists, and keeps inkpod's files out of the project", () => {
		expect(homeOf(env)).toBe(userInfo().homedir);
		expect(configDirectory(env)).toBe(`${userInfo().homedir}/.config/inkpod`);
		expect(sessionsRoot(env)).toBe(`${userInfo().homedir}/.local/state/inkpod/sessions`);
	});
});
