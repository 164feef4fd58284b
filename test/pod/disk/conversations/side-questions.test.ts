import {mkdir, readFile, rm, symlink, truncate, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {pathExists} from '../../../../src/pod/ground/files/path-exists.ts';
import {createSession} from '../../../../src/pod/disk/log/open.ts';
import {realFiles} from '../../../../src/pod/disk/files.ts';
import {listSessions, latestSession} from '../../../../src/pod/disk/list/list.ts';
import {findSession} from '../../../../src/pod/disk/list/find.ts';
import {compactionsDir, historyFile, projectDir, sideDir} from '../../../../src/pod/disk/paths.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {createSideSession} from '../../../../src/pod/disk/conversations/side-questions.ts';
import {
	linkedCompactions,
	maxConversationBytes,
	readConversation,
	summaryIds,
	unfinishedConversations,
	unfinishedIds,
} from '../../../../src/pod/disk/conversations/summary-conversations.ts';
import {HistoryError, systemClock} from '../../../../src/worker/index.ts';
import {compactionItem, compactedSession} from '../../../helpers/side-sessions.ts';
import {faultyFiles, namesIn, request, systemError, tempHome, user, type Fault} from '../fixture.ts';

const own = [user('s', 'Summarise this.'), request('t')];
const side = '01JD8XK3Q2CCCCCCCCCCCCCCCC';

async function begun(fault: Fault = () => {}) {
	const home = await tempHome();
	const session = createSession(home, systemClock());
	await session.log.write([user('a', '1')]);
	onTestFinished(async () => session.close());
	return {home, session, side: createSideSession(session, {id: side}, systemClock(), faultyFiles(fault))};
}

describe('a side session', () => {
	it('is closed twice with the same end, and has none if nothing was written', async () => {
		const made = await begun();
		expect(await made.side.close()).toBeUndefined();
		expect(await pathExists(compactionsDir(made.session.dir))).toBe(false);
		const again = createSideSession(made.session, {id: side}, systemClock());
		await again.log.write(own);
		const end = await again.close();
		expect(end).toEqual({items: 2, chain: expect.stringMatching(/^[0-9a-f]{32}$/) as string});
		expect(await again.close()).toEqual(end);
		expect(await namesIn(sideDir(made.session.dir, side))).toEqual(['history.json']);
	});

	it.each(['ENOSPC', 'EROFS', 'EDQUOT'])('leaves nothing and rejects with a sentence after %s', async code => {
		const made = await begun((operation, path) => {
			if (operation === 'write' && path.endsWith('.new')) throw systemError(code);
		});
		await expect(made.side.log.write(own)).rejects.toThrow(/The last step was not saved\.$/);
		expect(await made.side.close()).toBeUndefined();
		expect(await namesIn(made.session.dir)).toEqual(['history.json', 'lock']);
	});

	it('rejects if its session can only be read, or has lost its lock', async () => {
		const {session} = await begun();
		const reasons = [
			{isMine: async () => Promise.reject(new HistoryError('read_only', 'Read-only.')), sentence: 'Read-only.'},
			{isMine: async () => false, sentence: /^The lock of this session was removed/},
		];
		for (const {isMine, sentence} of reasons) {
			const made = createSideSession({...session, isMine}, {id: side}, systemClock());
			await expect(made.log.write(own)).rejects.toThrow(sentence);
			expect(await pathExists(compactionsDir(session.dir))).toBe(false);
		}
	});

	it('does not bring back a session whose folder is gone', async () => {
		const made = await begun();
		await rm(made.session.dir, {recursive: true});
		await expect(made.side.log.write(own)).rejects.toThrow(/is missing, or was replaced/);
		expect(await pathExists(made.session.dir)).toBe(false);
	});
});

describe('the side sessions of a session', () => {
	it('are no sessions of the project, but count in the size of theirs', async () => {
		const home = await tempHome();
		const dir = await compactedSession(home, [user('a', '1')], {id: side, items: own});
		const project = projectDir(home.root, home.cwd);
		const [listed, ...others] = await listSessions(project);
		const size = async (path: string) => (await realFiles.stat(path)).size;
		const bytes = (await size(historyFile(dir))) + (await size(historyFile(sideDir(dir, side))));
		expect([listed?.dir, listed?.bytes, others]).toEqual([dir, bytes, []]);
		expect(await latestSession(project)).toEqual({ok: true, dir});
		expect(await findSession(home, side)).toMatchObject({ok: false, reason: 'unknown'});
	});

	it('are those with a history, and unfinished ones are not in the session', async () => {
		const home = await tempHome();
		const sides = ['C1', 'C2'].map(id => ({id, items: own, finished: id === 'C1'}));
		const dir = await compactedSession(home, [user('a', '1')], ...sides);
		await mkdir(sideDir(dir, 'C3'));
		await mkdir(sideDir(dir, 'not an id'));
		await writeFile(sideDir(dir, 'C4'), '');
		expect(await summaryIds(dir)).toEqual(['C1', 'C2']);
		expect(await unfinishedIds(dir, [compactionItem('C1')])).toEqual(['C2']);
		const found: unknown[] = [];
		for await (const each of unfinishedConversations(dir, [compactionItem('C1')])) found.push(each);
		expect(found).toMatchObject([{id: 'C2', items: own}]);
		await rm(compactionsDir(dir), {recursive: true});
		await writeFile(compactionsDir(dir), '');
		expect(await summaryIds(dir)).toEqual([]);
		expect(await listSessions(dirname(dir))).toHaveLength(1);
	});
});

describe('a conversation for a screen', () => {
	it('has the items of its side session', async () => {
		const dir = await compactedSession(await tempHome(), [user('a', '1')], {id: 'C1', items: own});
		expect(await readConversation(dir, 'C1')).toMatchObject({items: own});
	});

	it('is a sentence if it is missing, elsewhere, damaged or too large', async () => {
		const dir = await compactedSession(await tempHome(), [user('a', '1')], {id: 'C1', items: own});
		const path = historyFile(sideDir(dir, 'C1'));
		const missing = {sentence: 'The conversation in which this summary was written is missing.'};
		for (const id of ['C2', '', '..', '../compactions/C1', '.'])
			expect([id, await readConversation(dir, id)]).toEqual([id, missing]);
		await writeFile(path, 'rubbish');
		expect(await readConversation(dir, 'C1')).toMatchObject({sentence: expect.stringContaining(path) as string});
		await truncate(path, maxConversationBytes + 1);
		expect(await readConversation(dir, 'C1')).toMatchObject({
			sentence: expect.stringMatching(/too large/) as string,
		});
	});

	it('is a sentence if it is a link, or if the header names another session', async () => {
		const dir = await compactedSession(await tempHome(), [user('a', '1')], {id: 'C1', items: own});
		const path = historyFile(sideDir(dir, 'C1'));
		await writeFile(path, await readFile(historyFile(dir)));
		const different = {sentence: 'This is not the conversation that the compaction names.'};
		expect(await readConversation(dir, 'C1')).toEqual(different);
		await rm(path);
		await symlink(historyFile(dir), path);
		expect(await readConversation(dir, 'C1')).toMatchObject({sentence: expect.any(String) as string});
		await rm(sideDir(dir, 'C1'), {recursive: true});
		await symlink(dir, sideDir(dir, 'C1'));
		expect(await readConversation(dir, 'C1')).toMatchObject({sentence: expect.any(String) as string});
	});

	it('begins with a warning if it is not what the compaction names', async () => {
		const dir = await compactedSession(await tempHome(), [user('a', '1')], {id: 'C1', items: own});
		const read = await readSession(dir);
		if (!read.ok) throw new Error(read.sentence);
		const [link] = linkedCompactions(read.session.items);
		expect(await readConversation(dir, 'C1', link?.conversation)).toEqual({items: own});
		const path = historyFile(sideDir(dir, 'C1'));
		await truncate(path, (await readFile(path)).length - 20);
		const warning = {type: 'message', text: expect.stringMatching(/not the conversation/) as string};
		const cut = await readConversation(dir, 'C1', link?.conversation);
		expect(cut).toMatchObject({items: [warning, ...own.slice(0, -1)]});
	});
});
