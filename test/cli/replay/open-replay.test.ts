import {describe, expect, it} from 'vitest';
import {loadSession, placeOf} from '../../../src/cli/replay/open-replay.ts';
import {decodeBundle} from '../../../src/pod/first-frame.ts';
import {idOf} from '../../../src/pod/disk/paths.ts';
import {storedSession, tempHome, user} from '../../pod/disk/fixture.ts';

describe('the session of a replay', () => {
	it('is read from its folder, and a bundle that cannot be read is named', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const where = {env: home.env, cwd: home.cwd};
		expect(await loadSession({id: idOf(dir), ...where})).toMatchObject({ok: true, session: {id: idOf(dir)}});
		expect(
			await loadSession(
				{id: 'missing.tar', ...where},
				{path: 'missing.tar', decoding: decodeBundle('missing.tar')},
			),
		).toMatchObject({ok: false, code: 1});
		expect(await loadSession({id: '01XXXX', ...where})).toMatchObject({ok: false, code: 1});
	});

	it('opens right after an item, which a unique prefix names', () => {
		const items = [user('AB1', '1'), user('AC2', '2')];
		expect(placeOf(items, 'ab')).toEqual({ok: true, shown: 1});
		expect(placeOf(items, 'AC2')).toEqual({ok: true, shown: 2});
		expect(placeOf(items, 'a')).toMatchObject({ok: false, sentence: expect.stringContaining('Several') as string});
		expect(placeOf(items, 'x')).toMatchObject({ok: false, sentence: expect.stringContaining('No item') as string});
	});
});
