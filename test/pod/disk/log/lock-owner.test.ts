import {chmod, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {isAlive, thisProcess} from '../../../../src/pod/disk/log/lock-owner.ts';
import {tempHome} from '../fixture.ts';

describe('the owner of a lock', () => {
	it('runs programs on macOS without PATH and without the environment', async () => {
		const {home} = await tempHome();
		for (const name of ['ps', 'sysctl']) {
			await writeFile(join(home, name), `#!/bin/sh\n: > ${home}/ran-${name}\necho S Mon Jan 1 00:00:00 2026\n`);
			await chmod(join(home, name), 0o755);
		}
		const {PATH, TZ} = process.env;
		const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
		onTestFinished(() => {
			Object.defineProperty(process, 'platform', platform);
			Object.assign(process.env, {PATH, TZ});
			if (TZ === undefined) delete process.env['TZ'];
		});
		Object.defineProperty(process, 'platform', {...platform, value: 'darwin'});
		process.env['PATH'] = home;
		process.env['TZ'] = 'Asia/Tokyo';
		const owner = await thisProcess();
		process.env['TZ'] = 'America/Lima';
		expect(await isAlive(owner)).toBe(true);
		expect((await readdir(home)).filter(name => name.startsWith('ran-'))).toEqual([]);
	});
});
