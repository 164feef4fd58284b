import {mkdtemp, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createQueueFile, readQueue} from '../../../../src/pod/disk/log/queue-file.ts';
import type {QueueMessage} from '../../../../src/pod/protocol/queue.ts';

const message = (id: string): QueueMessage => ({id, segments: [{type: 'text', text: id}]});

async function folder(): Promise<string> {
	const path = await mkdtemp(join(tmpdir(), 'inkpod-queue-file-'));
	onTestFinished(async () => rm(path, {recursive: true, force: true}));
	return path;
}

describe('the file of a queue', () => {
	it('has the messages of the last save, and is removed with the last message', async () => {
		const dir = await folder();
		let messages = [message('one')];
		const file = createQueueFile({dir: () => dir, messages: () => messages, isMine: async () => true});
		expect(await file.save()).toEqual(new Set(['one']));
		messages = [message('two'), message('three')];
		expect(await file.save()).toEqual(new Set(['two', 'three']));
		expect(readQueue(dir).messages.map(({id}) => id)).toEqual(['two', 'three']);
		messages = [];
		expect(await file.save()).toEqual(new Set());
		expect(await readdir(dir)).toEqual([]);
	});

	it('is written once for all saves that come during a write', async () => {
		const dir = await folder();
		const begun = Promise.withResolvers<void>();
		const gate = Promise.withResolvers<boolean>();
		let messages = [message('one')];
		let writes = 0;
		const isMine = async () => {
			writes += 1;
			begun.resolve();
			return gate.promise;
		};
		const file = createQueueFile({dir: () => dir, messages: () => messages, isMine});
		const first = file.save();
		await begun.promise;
		messages = [message('one'), message('two')];
		const later = [file.save(), file.save()];
		gate.resolve(true);
		expect(await Promise.all([first, ...later])).toEqual([
			new Set(['one']),
			new Set(['one', 'two']),
			new Set(['one', 'two']),
		]);
		expect(writes).toBe(2);
		expect(readQueue(dir).messages).toHaveLength(2);
	});
});
