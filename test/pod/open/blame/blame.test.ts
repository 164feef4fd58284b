import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {blame} from '../../../../src/pod/open/blame/blame.ts';
import {blamedFile, type BlamedFile} from '../../../helpers/blamed-file.ts';

const first = ['const one = readTheFirstFile();', 'const two = readTheSecondFile();'];
const written = {text: 'const three = readTheThirdFile();', call: 'new'};
const byUser = {text: 'const four = readTheFourthFile();', call: undefined};

async function blamed(file: BlamedFile) {
	file.save();
	const {dir, env, sessions, path} = file;
	const result = await blame({file: join(dir, path), pwd: dir, sessions, owners: undefined, env});
	if (!result.ok) throw new Error(result.sentence);
	return result.lines.map(({changes, commit}) => [...changes.map(({item}) => item), commit?.subject].filter(Boolean));
}

describe('blame', () => {
	it('finds a call after a squash with changes by the user', async () => {
		const file = await blamedFile(first);
		await file.byTool(0, [...file.lines, written]);
		file.commit('second');
		file.byHand([byUser, ...file.lines]);
		file.commit('third');
		file.git('reset', '-q', '--soft', 'HEAD~2');
		file.commit('all');
		expect(await blamed(file)).toEqual([['all'], ['first'], ['first'], ['i2']]);
	});

	it('finds a call after a rename without a commit', async () => {
		const file = await blamedFile(first);
		await file.byTool(0, [...file.lines, written]);
		file.rename('b.ts');
		file.byHand([...file.lines, byUser]);
		expect((await blamed(file))[2]).toEqual(['i2']);
	});

	it('lists all calls that wrote the same content', async () => {
		const file = await blamedFile(first);
		const {lines} = file;
		for (const session of [0, 1]) {
			await file.byTool(session, [...lines, written]);
			file.byHand(lines);
		}
		file.byHand([...lines, written]);
		expect((await blamed(file))[2]).toEqual(['i2', 'i7']);
	});

	it('works without the backups, because the diffs have the lines', async () => {
		const file = await blamedFile(first);
		file.byHand([...file.lines, byUser]);
		await file.byTool(0, [...file.lines, written]);
		file.save();
		for (const id of ['00', '01'])
			rmSync(join(file.sessions, `01JD8XK3Q2AAAAAAAAAAAAAA${id}`, 'kept'), {recursive: true, force: true});
		expect(await blamed(file)).toEqual([['first'], ['first'], [], ['i2']]);
	});
});
