import {mkdir, rm, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {pickSession} from '../../../src/cli/chat/pick-session.ts';
import {tempHome} from '../../pod/disk/fixture.ts';

/** Nothing may use this terminal. */
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

describe('pickSession', () => {
	it('opens no screen when there are no sessions', async () => {
		const {env, cwd, root} = await tempHome();
		expect(await pickSession({env, cwd, ...io})).toEqual({
			none: 0,
			sentence: 'No sessions yet. Start one with: inkpod',
		});
		await mkdir(join(root, 'p-0123456789ab'), {recursive: true});
		expect(await pickSession({env, cwd, ...io})).toMatchObject({none: 0});
	});

	it('lists sessions when the current directory was deleted', async () => {
		const {env, cwd} = await tempHome();
		await rm(cwd, {recursive: true});
		expect(await pickSession({env, cwd, ...io})).toMatchObject({none: 0});
	});

	it('reports a folder of sessions that cannot be read', async () => {
		const {env, cwd, home} = await tempHome();
		await symlink('sessions', join(home, 'sessions'));
		expect(await pickSession({env: {...env, INKPOD_HOME: home}, cwd, ...io})).toMatchObject({
			none: 2,
			sentence: expect.stringContaining('could not be read') as unknown,
		});
	});
});
