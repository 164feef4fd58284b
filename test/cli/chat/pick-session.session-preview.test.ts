import {appendFile, open} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {previewSession} from '../../../src/cli/chat/pick-session.ts';
import type {Item} from '../../../src/worker/index.ts';
import {call, historyOf, result, sessionOfBytes, tempHome, user} from '../../pod/disk/fixture.ts';

const signal = new AbortController().signal;
const answer = (id: string, text: string): Item => ({
	id,
	at: '2026-01-01T00:00:01.000Z',
	type: 'message',
	role: 'assistant',
	text,
});
const rewind = (id: string, to: string): Item => ({id, at: '2026-01-01T00:00:01.000Z', type: 'rewind', to});
const file = (id: string, text: string): Item => ({
	id,
	at: '2026-01-01T00:00:01.000Z',
	type: 'message',
	role: 'system',
	text,
	origin: {kind: 'file'},
});

async function stored(...items: readonly Item[]) {
	return sessionOfBytes(await tempHome(), historyOf(items));
}

async function previewed(...items: readonly Item[]) {
	return previewSession((await stored(...items)).dir, signal);
}

describe('a preview', () => {
	it('shows the last message and its last answer, even if other items are between or after them', async () => {
		expect(
			await previewed(
				user('a', 'first'),
				answer('b', 'old'),
				user('c', 'second'),
				answer('d', 'half'),
				call('e', 'x'),
				result('f', 'x'),
				answer('g', '日本語'),
				file('h', 'body'),
			),
		).toEqual([
			{speaker: 'user', text: 'second'},
			{speaker: 'model', text: '日本語'},
		]);
	});

	it('shows no older answer when the last message is unanswered', async () => {
		expect(await previewed(user('a', 'first'), answer('b', 'old'), user('c', 'second'))).toEqual([
			{speaker: 'user', text: 'second'},
		]);
	});

	it('skips messages that a rewind removed', async () => {
		expect(
			await previewed(
				user('a', 'first'),
				answer('b', 'kept'),
				user('c', 'gone'),
				answer('d', 'gone'),
				rewind('e', 'b'),
			),
		).toEqual([
			{speaker: 'user', text: 'first'},
			{speaker: 'model', text: 'kept'},
		]);
	});

	it('shows messages of a rewind that was undone', async () => {
		const restore: Item = {id: 'f', at: '2026-01-01T00:00:01.000Z', type: 'context', op: 'restore', ids: ['e']};
		expect(
			await previewed(
				user('a', 'first'),
				answer('b', 'kept'),
				user('c', 'back'),
				answer('d', 'again'),
				rewind('e', 'b'),
				restore,
			),
		).toEqual([
			{speaker: 'user', text: 'back'},
			{speaker: 'model', text: 'again'},
		]);
	});

	it('cuts a long message between whole characters', async () => {
		const [part] = await previewed(user('a', '検👍'.repeat(5000)));
		expect(part!.text.length).toBeLessThanOrEqual(4096);
		expect(part!.text).toMatch(/^(?:検👍)+検?$/u);
	});

	it('finds the message when long results come after it', async () => {
		const long = {...result('c', 'x'), content: 'x'.repeat(1_000_000)} as Item;
		expect(await previewed(user('a', 'first'), call('b', 'x'), long, answer('d', 'done'))).toEqual([
			{speaker: 'user', text: 'first'},
			{speaker: 'model', text: 'done'},
		]);
	});

	it('reads only the end of a huge session', async () => {
		const {dir, path} = await stored(user('a', 'first'));
		const handle = await open(path, 'r+');
		await handle.truncate(50_000_000_000);
		await handle.close();
		await appendFile(path, '\n{"torn');
		const before = process.memoryUsage().arrayBuffers;
		expect(await previewSession(dir, signal)).toEqual([
			{speaker: 'notice', text: 'No messages near the end of this session.'},
		]);
		expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40_000_000);
	});

	it('ignores an append that is not complete', async () => {
		const {dir, path} = await stored(user('a', 'first'), answer('b', 'done'));
		const handle = await open(path, 'r+');
		const {size} = await handle.stat();
		await handle.write(',\n{"id":"c","at":"2026', size - 4);
		await handle.close();
		expect(await previewSession(dir, signal)).toEqual([
			{speaker: 'user', text: 'first'},
			{speaker: 'model', text: 'done'},
		]);
	});

	it('shows an error when the session does not exist', async () => {
		const home = await tempHome();
		expect(await previewSession(join(home.home, 'none'), signal)).toEqual([
			{speaker: 'notice', text: expect.stringContaining('is missing, or was replaced') as unknown},
		]);
	});
});
