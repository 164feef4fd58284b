import {mkdir, mkdtemp, readdir, rm, utimes, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {ulid} from 'ulid';
import {changeLabel} from '../../../../src/pod/disk/list/label.ts';
import {retireSessions} from '../../../../src/pod/disk/list/trash.ts';
import {createItems, historyText} from '../../../helpers/items.ts';

it('moves old sessions to the trash, but none that is pinned, in use or damaged', async () => {
	const home = await mkdtemp(join(tmpdir(), 'inkpod-retire-'));
	onTestFinished(async () => rm(home, {recursive: true}));
	const env = {INKPOD_HOME: home, HOME: home};
	const now = Date.UTC(2026, 0, 31);
	const project = join(home, 'sessions/p-0123456789ab');
	const add = async (days: number, text = historyText([createItems().user('words')])) => {
		const dir = join(project, ulid());
		await mkdir(dir, {recursive: true, mode: 0o700});
		await writeFile(join(dir, 'history.json'), text, {mode: 0o600});
		const at = new Date(now - days * 86_400_000);
		await utimes(join(dir, 'history.json'), at, at);
		return dir;
	};
	const [recent, old, older, pinned, current, damaged] = [
		await add(6),
		await add(8),
		await add(400),
		await add(9),
		await add(10),
		await add(11, 'no history'),
	];
	await changeLabel(pinned, {pinned: true});
	expect(await retireSessions(env, {days: 7, kept: current, now})).toBe(2);
	const left = (await readdir(project)).map(name => join(project, name)).toSorted();
	expect(left).toEqual([recent, pinned, current, damaged].toSorted());
	expect((await readdir(join(home, 'trash/p-0123456789ab'))).length).toBe(2);
	expect(left).not.toContain(old);
	expect(left).not.toContain(older);
	expect(await retireSessions(env, {days: 7, now, kept: undefined})).toBe(1);
});
