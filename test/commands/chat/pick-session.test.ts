import {mkdir, rm, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pickSession} from '../../../src/commands/chat/pick-session.ts';
import {tempHome} from '../../pod/session/fixture.ts';

/** Nothing of the terminal may be touched. */
const untouched = new Proxy(
	{},
	{
		get: (_, name) => {
			throw new Error(`the terminal's ${String(name)} was used`);
		},
	},
);
const io = {
	stdin: untouched as NodeJS.ReadStream,
	stdout: untouched as NodeJS.WriteStream,
	kind: 'full',
	scrollRegions: undefined,
} as const;

test('with no sessions at all, opens no screen and says so', async () => {
	const {env, cwd, root} = await tempHome();
	expect(await pickSession({env, cwd, ...io})).toEqual({
		none: 0,
		sentence: 'There are no sessions yet: inkpod without -r starts one.',
	});
	await mkdir(join(root, 'p-0123456789ab'), {recursive: true});
	expect(await pickSession({env, cwd, ...io})).toMatchObject({none: 0});
});

test('in a directory that is gone, looks for sessions all the same', async () => {
	const {env, cwd} = await tempHome();
	await rm(cwd, {recursive: true});
	expect(await pickSession({env, cwd, ...io})).toMatchObject({none: 0});
});

test('with a folder of sessions that cannot be read, says why', async () => {
	const {env, cwd, home} = await tempHome();
	await symlink('sessions', join(home, 'sessions'));
	expect(await pickSession({env: {...env, INKPOD_HOME: home}, cwd, ...io})).toMatchObject({
		none: 2,
		sentence: expect.stringContaining('could not be read') as unknown,
	});
});
