import {createHash} from 'node:crypto';
import {rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {attributeRequest} from '../../src/pod/ground/history/reader.ts';
import {blobsDir, mediaReader} from '../../src/pod/disk/bodies/hashed-files.ts';
import type {Session} from '../../src/pod/disk/log/log.ts';
import {verifyRequests} from '../../src/pod/disk/check/verify-requests.ts';
import type {Item} from '../../src/pod/protocol.ts';
import {requestSettings, type Answer} from '../../src/worker/index.ts';
import {loadModel, type ModelSpec} from '../../src/worker/wires/load.ts';
import {answering, closed, opened} from '../helpers/conversation.ts';
import {gif, pdf, png, sha256Of} from '../helpers/images.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer, wires, type WireName} from '../helpers/wire-servers/index.ts';
import {modelNames, specAt, testKey} from '../worker/wires/wire-model.ts';

const answers: readonly Answer[] = [
	[{type: 'text', text: 'A grey image.'}],
	[{type: 'text', text: 'Still grey.'}],
	[{type: 'text', text: 'Grey again.'}],
];
const image = png(120, 80);
const document = pdf();

function specOf(wire: WireName, url: string): ModelSpec {
	return {provider: wire, model: modelNames[wire], apiKey: testKey, baseURL: url};
}

describe.each(wires)('an image in a session over %s', wire => {
	const takesDocuments = wire !== 'openai-compatible';
	const text = takesDocuments ? 'Look at @a.png and @b.pdf.' : 'Look at @a.png.';

	it('arrives byte for byte with every request, and each byte is attributed to its item', async () => {
		const project = await tempProject({'a.png': image, 'b.pdf': document});
		await using server = await startServer(wire, answers);
		const spec = specOf(wire, server.url);
		const held = await opened(project, await loadModel(spec), undefined, {settings: requestSettings(spec)});
		const pod = await answering(held);
		expect(await pod.run(text)).toEqual({accepted: true});
		await pod.rest();
		expect(await pod.run('Again?')).toEqual({accepted: true});
		await pod.rest();
		expect(server.refusals).toEqual([]);
		expect(server.requests).toHaveLength(2);
		const readMedia = mediaReader(() => pod.session.dir);
		for (const {body} of server.requests) {
			expect(body).toContain(image.toString('base64'));
			if (takesDocuments) expect(body).toContain(document.toString('base64'));
			const items = before(pod.items(), body);
			const made = await attributeRequest(items, {received: {body, headers: []}, readMedia});
			if (!made.ok) throw new Error(made.sentence);
			expect(made.attribution.unknown).toEqual([]);
			expect(made.attribution.pieces.map(piece => piece.text).join('')).toBe(body);
			expect(made.attribution.pieces).toContainEqual({
				text: image.toString('base64'),
				source: {kind: 'item', id: imageItem(items).id, part: 'bytes'},
			});
		}
		expect(await verifyRequests(pod.items(), {readMedia})).toMatchObject({same: 2, different: 0, unmade: 0});
		const blob = await stat(join(blobsDir(pod.session.dir), sha256Of(image)));
		expect(blob.mode & 0o777).toBe(0o600);
	});

	it('is replaced by a line when its file is gone, and the session continues', async () => {
		const project = await tempProject({'a.png': image});
		await using server = await startServer(wire, answers);
		const spec = specOf(wire, server.url);
		const pod = await answering(
			await opened(project, await loadModel(spec), undefined, {settings: requestSettings(spec)}),
		);
		expect(await pod.run('Look at @a.png.')).toEqual({accepted: true});
		await pod.rest();
		await rm(join(blobsDir(pod.session.dir), sha256Of(image)));
		expect(await pod.run('Again?')).toEqual({accepted: true});
		await pod.rest();
		await writeFile(join(blobsDir(pod.session.dir), sha256Of(image)), 'something else');
		expect(await pod.run('And now?')).toEqual({accepted: true});
		await pod.rest();
		expect(server.refusals).toEqual([]);
		for (const {body} of server.requests.slice(1)) {
			expect(body).not.toContain(image.toString('base64'));
			expect(body).toContain('[It is not sent: its file is missing or was changed.]');
		}
		const requests = pod.items().filter(item => item.type === 'request');
		expect(requests.map(({rewrites = []}) => rewrites.find(({rule}) => rule === 'missing_media')?.where)).toEqual([
			undefined,
			[imageItem(pod.items()).id],
			[imageItem(pod.items()).id],
		]);
		expect(pod.events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []))).toEqual([
			'a.png cannot be sent: its stored copy is missing or was changed. The model gets a note instead. ' +
				'To send it, attach it again.',
		]);
		const readMedia = mediaReader(() => pod.session.dir);
		expect(await verifyRequests(pod.items(), {readMedia})).toMatchObject({same: 2, different: 0, unmade: 1});
		await writeFile(join(blobsDir(pod.session.dir), sha256Of(image)), image);
		expect(await verifyRequests(pod.items(), {readMedia})).toMatchObject({same: 3, different: 0, unmade: 0});
	});
});

describe('a session with images that changes its model', () => {
	it('sends each model what it takes, and a line for the rest', async () => {
		const project = await tempProject({'a.png': image, 'b.gif': gif, 'c.pdf': document});
		await using openai = await startServer('openai', answers);
		await using google = await startServer('google', answers);
		await using groq = await startServer('openai-compatible', answers, {dialect: 'groq'});
		await using anthropic = await startServer('anthropic', answers);
		const line = '[It is not sent: this model does not take it.]';
		const say = async (spec: ModelSpec, text: string, session?: Session) => {
			const settings = requestSettings(spec);
			const model = await loadModel(spec);
			const pod = await answering(await opened(project, model, session, {settings}));
			expect(await pod.run(text)).toEqual({accepted: true});
			await pod.rest();
			return pod;
		};
		let pod = await say(specOf('openai', openai.url), 'Look at @a.png, @b.gif and @c.pdf.');
		pod = await say(specOf('google', google.url), 'Again?', await closed(pod));
		const blind = {...specAt('groq', groq), model: 'llama-3.3-70b-versatile'};
		pod = await say(blind, 'Again?', await closed(pod));
		pod = await say(specOf('anthropic', anthropic.url), 'Again?', await closed(pod));
		for (const server of [openai, google, groq, anthropic]) {
			expect(server.refusals).toEqual([]);
			expect(server.requests).toHaveLength(1);
		}
		const bodies = [openai, google, groq, anthropic].map(({requests}) => requests[0]?.body ?? '');
		const has = (bytes: Buffer) => bodies.map(body => body.includes(bytes.toString('base64')));
		expect(has(image)).toEqual([true, true, false, true]);
		expect(has(gif)).toEqual([true, false, false, true]);
		expect(has(document)).toEqual([true, true, false, true]);
		expect(bodies.map(body => body.split(line).length - 1)).toEqual([0, 1, 3, 0]);
		const setups = pod.items().filter(item => item.type === 'setup');
		expect(setups.map(({settings}) => settings['input'])).toEqual([undefined, undefined, [], undefined]);
		const readMedia = mediaReader(() => pod.session.dir);
		expect(await verifyRequests(pod.items(), {readMedia})).toMatchObject({same: 4, different: 0, unmade: 0});
	});
});

function before(items: readonly Item[], body: string): readonly Item[] {
	const hash = createHash('sha256').update(body).digest('hex');
	return items.slice(
		0,
		items.findIndex(item => item.type === 'request' && item.requestHash === hash),
	);
}

function imageItem(items: readonly Item[]): Item {
	const found = items.find(item => item.type === 'message' && item.origin?.kind === 'image');
	if (found === undefined) throw new Error('there is no image');
	return found;
}
