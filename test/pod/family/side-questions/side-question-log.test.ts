import {existsSync} from 'node:fs';
import {readdir, readFile, rm} from 'node:fs/promises';
import {expect, it} from 'vitest';
import {createSideQuestionLog} from '../../../../src/pod/family/side-questions/side-question-log.ts';
import {storedSideQuestions} from '../../../../src/pod/disk/conversations/side-questions.ts';
import {createSession} from '../../../../src/pod/disk/log/open.ts';
import {sideQuestionDir, sideQuestionsDir} from '../../../../src/pod/disk/paths.ts';
import {streamPath} from '../../../../src/pod/disk/log/stream-file.ts';
import {HistoryError, systemClock, type Item} from '../../../../src/worker/index.ts';
import {tempHome, user} from '../../disk/fixture.ts';

const piece = {item: {...user('d', ''), role: 'assistant'} as Item, text: 'Because'};

async function setting() {
	const home = await tempHome();
	const clock = systemClock();
	const session = createSession({root: home.root, cwd: home.cwd}, clock);
	const id = clock.id();
	const problems: string[] = [];
	const log = createSideQuestionLog(session, {id, to: undefined}, clock, problem => problems.push(problem));
	return {session, id, log, problems, dir: sideQuestionDir(session.dir, id)};
}

it('a side question waits in memory until its session has a history, also if it has ended', async () => {
	const {session, id, log, dir} = await setting();
	await log.log.write([user('b', 'why')]);
	expect(log.stream([piece])).toBe(false);
	await log.close();
	expect(existsSync(session.dir)).toBe(false);
	await session.log.write([user('a', 'hello')]);
	await log.flush();
	expect(await readdir(sideQuestionsDir(session.dir))).toEqual([id]);
	expect(await readdir(dir)).toEqual(['history.json']);
	await session.close();
});

it('streamed text is in the record at once, and in what is read of it after a kill', async () => {
	const {session, log, problems, dir} = await setting();
	await session.log.write([user('a', 'hello')]);
	await log.log.write([user('b', 'why')]);
	expect(log.stream([piece])).toBe(true);
	expect(await readFile(streamPath(dir), 'utf8')).toContain('Because');
	const [question] = await Array.fromAsync(storedSideQuestions(session.dir));
	expect(question?.items.map(item => 'text' in item && item.text)).toEqual(['why', 'Because']);
	expect(problems).toEqual([]);
	await log.close();
	await session.close();
});

it('a question that cannot be recorded is refused', async () => {
	const {session, log} = await setting();
	await session.log.write([user('a', 'hello')]);
	await session.close();
	await expect(log.log.write([user('b', 'why')])).rejects.toThrow(HistoryError);
	await rm(session.dir, {recursive: true});
	await log.close();
	expect(existsSync(session.dir)).toBe(false);
});
