import {mkdir, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {describe, expect, it} from 'vitest';
import {findInFamilies} from '../../../../src/pod/disk/list/find.ts';
import {childDir, historyFile, idOf} from '../../../../src/pod/disk/paths.ts';
import {historyOf, storedSession, tempHome, user} from '../fixture.ts';

const [one, other] = ['01JAAAAAAAAAAAAAAAAAAAAAAA', '01JAAAAAAAAAAAAAAAAAAAAABB'];

async function family() {
	const home = await tempHome();
	const {dir: parent} = await storedSession(home, [[user('a', 'hi')]]);
	const addChild = async (id: string) => {
		const file = historyFile(childDir(parent, id));
		await mkdir(dirname(file), {recursive: true});
		await writeFile(file, historyOf([user('a', 'a task')]));
	};
	await addChild(one);
	const find = async (wanted: string) => findInFamilies({root: home.root, cwd: home.cwd}, wanted);
	return {parent, find, addChild};
}

describe('findInFamilies', () => {
	it('finds a child by its id or its beginning, with the folder of its parent', async () => {
		const {parent, find} = await family();
		const found = {ok: true, dir: parent, child: one};
		expect([await find(one), await find(one.slice(0, 8).toLowerCase())]).toEqual([found, found]);
	});

	it('finds a session first', async () => {
		const {parent, find} = await family();
		expect(await find(idOf(parent))).toEqual({ok: true, dir: parent});
	});

	it('lists the children that an id may mean', async () => {
		const {find, addChild} = await family();
		await addChild(other);
		expect(await find(one.slice(0, 10))).toEqual({
			ok: false,
			reason: 'ambiguous',
			sentence: expect.stringContaining(`${other}, ${one}`),
		});
	});

	it('says as usual that there is no such session', async () => {
		const {find} = await family();
		expect(await find('01JZZZZZ')).toMatchObject({ok: false, reason: 'unknown'});
		expect(await find('01J/../x')).toMatchObject({ok: false, reason: 'unknown'});
	});
});
