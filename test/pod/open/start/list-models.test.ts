import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createModelList} from '../../../../src/pod/open/start/list-models.ts';
import {tempHome} from '../../disk/fixture.ts';

/** A port on which nothing listens. */
const closed = {baseURL: 'http://127.0.0.1:1'};
const off = {ollama: closed, lmstudio: closed, 'llama.cpp': closed, vllm: closed};

/** Starts a server whose answers wait. */
async function slowServer() {
	const waiting: ServerResponse[] = [];
	const made = createServer((_request, response) => void waiting.push(response));
	await new Promise<void>(resolve => made.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		made.closeAllConnections();
		made.close();
	});
	const wire = 'openai-compatible' as const;
	return {waiting, config: {wire, baseURL: `http://127.0.0.1:${(made.address() as AddressInfo).port}`}};
}

describe('the models that are listed soon and in the end', () => {
	it('share one request, and contain what came', async () => {
		const {env} = await tempHome();
		const {waiting, config: work} = await slowServer();
		const list = createModelList({env, config: {servers: {...off, work}}});
		const [soon, all] = [list('soon'), list('all')];
		expect((await soon).filter(({isOwn}) => isOwn === true)).toEqual([]);
		await expect.poll(() => waiting.length).toBe(1);
		waiting[0]!.end(JSON.stringify({data: [{id: 'm'}]}));
		expect((await all)[0]).toMatchObject({name: 'work/m', isOwn: true});
		expect(waiting).toHaveLength(1);
	});

	it('ask again when the last answers have come, and end with their signal', async () => {
		const {env} = await tempHome();
		const {waiting, config: work} = await slowServer();
		const ended = new AbortController();
		const list = createModelList({env, config: {servers: {...off, work}}}, ended.signal);
		const first = list('all');
		await expect.poll(() => waiting.length).toBe(1);
		waiting[0]!.end(JSON.stringify({data: []}));
		await first;
		const second = list('all');
		await expect.poll(() => waiting.length).toBe(2);
		ended.abort();
		expect((await second).some(({isOwn}) => isOwn === true)).toBe(false);
	});

	it('ask no server of the user’s own when only those on this machine are asked', async () => {
		const {env} = await tempHome();
		const {waiting, config: work} = await slowServer();
		const list = createModelList({env, config: {servers: {...off, work}}});
		await list('known');
		await list('local');
		expect(waiting).toEqual([]);
	});
});
