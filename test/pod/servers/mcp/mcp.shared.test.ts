import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../src/pod/protocol.ts';
import {allowed, testPod} from '../../../helpers/pod.ts';
import {configure, everything, writtenServer} from '../../../helpers/mcp-server.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, says, eventModel} from '../../../helpers/event-model.ts';

const yes = answer(says('Yes.'));
const systemItems = (items: readonly Item[]) =>
	items.flatMap(item => (item.type === 'message' && item.role === 'system' ? [item] : []));
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function withEverything() {
	const project = await tempProject();
	await configure(project, {everything: {command: process.execPath, args: [everything, 'stdio']}});
	const model = eventModel(yes, yes, yes);
	const told = await testPod(project, {model, ...allowed});
	return {project, model, told};
}

/** A server with resources and prompts. */
const sharing = `
	capabilities.resources = {listChanged: true};
	capabilities.prompts = {listChanged: true};
	const rest = {
		'resources/list': () => ({resources: [{uri: 'note:1', name: 'n'}]}),
		'resources/read': ({uri}) => uri === 'note:binary'
			? {contents: [{uri, mimeType: 'image/png', blob: 'AAAA'}]}
			: uri === 'note:big'
				? {contents: [{uri, text: 'x'.repeat(3_000_000)}]}
				: {contents: [{uri, mimeType: 'text/\\u001b[31mplain', text: 'read \\u001b[2J ' + uri}]},
		'prompts/list': () => ({prompts: [
			{name: 'one', arguments: [{name: 'topic', required: true}]},
			{name: 'two', description: 'Two \\u001b[31mthings', arguments: [{name: 'a', required: true}, {name: 'b'}]},
		]}),
		'prompts/get': ({name, arguments: args}) => ({messages: [
			{role: 'user', content: {type: 'text', text: name + ' ' + JSON.stringify(args)}},
			...(name === 'two' ? [{role: 'assistant', content: {type: 'text', text: 'and'}}] : []),
		]}),
	};
	process.stdin.on('data', text => {
		for (const line of String(text).split('\\n').filter(Boolean)) {
			const {id, method, params} = JSON.parse(line);
			if (rest[method] !== undefined) answer(id, rest[method](params));
		}
	});`;

async function withSharing() {
	const project = await tempProject();
	await configure(project, {'my notes': await writtenServer(project, sharing)});
	const told = await testPod(project, {model: eventModel(yes, yes, yes), ...allowed});
	return {project, told};
}

describe('a resource of the published server', () => {
	it('is offered by the popup, and sent with its address, type, bytes and hash', async () => {
		const {told, model} = await withEverything();
		const {matches} = await told.pod.complete({kind: 'path', text: 'everything:', limit: 50});
		const paths = matches.flatMap(match => (match.type === 'path' ? [match.path] : []));
		expect(paths.length).toBeGreaterThan(3);
		const [path = ''] = paths.filter(each => each.startsWith('everything:demo://'));
		const forecast = await told.pod.preflight([{type: 'text', text: `read @${path} please`}]);
		expect(forecast.refs).toMatchObject([{ok: true, kind: 'resource', ref: {path}}]);
		await told.run(`read @${path}, please`);
		await told.rest();
		const [item] = systemItems(told.items());
		const body = item!.text.replace(/^[^\n]*\n/, '');
		expect(item!.text).toMatch(new RegExp(`^\\[File: ${path.replaceAll(/[.*+?/]/g, String.raw`\$&`)}\\]\n`));
		expect(item!.origin).toMatchObject({
			kind: 'resource',
			server: 'everything',
			uri: path.slice('everything:'.length),
			sha256: sha256(body),
			bytes: Buffer.byteLength(body),
			truncated: false,
		});
		expect(JSON.stringify(model.requests[0]!.messages)).toContain(JSON.stringify(body).slice(1, -1));
	});
});

describe('a prompt of the published server', () => {
	it('is offered by the popup, and its messages are in the transcript before the answer', async () => {
		const {told} = await withEverything();
		await told.run('hello');
		await told.rest();
		const {matches} = await told.pod.complete({kind: 'workflow', text: 'everything', limit: 50});
		const slugs = matches.flatMap(match => (match.type === 'workflow' ? [match.slug] : []));
		expect(slugs).toContain('everything:simple-prompt');
		await told.run('/everything:args-prompt city=Oslo state="Old Norway"');
		await told.rest();
		const [item] = systemItems(told.items());
		expect(item).toMatchObject({
			text: expect.stringMatching(/^\[Workflow: \/everything:args-prompt\]\n.*Oslo.*Old Norway/s),
			origin: {kind: 'prompt', server: 'everything', name: 'args-prompt', messages: 1},
		});
	});
});

describe('a resource', () => {
	it('is named with underscores for spaces, and its text is sent as it is', async () => {
		const {told} = await withSharing();
		await told.run('see @my_notes:note:1. Then go on');
		await told.rest();
		const [item] = systemItems(told.items());
		expect(item!.text).toBe('[File: my_notes:note:1]\nread \u001b[2J note:1');
		expect(item!.origin).toMatchObject({kind: 'resource', server: 'my_notes', uri: 'note:1'});
	});

	it.each([
		['note:binary', 'it is not text'],
		['note:big', undefined],
	])('that cannot be sent as a whole says so: %s', async (uri, problem) => {
		const {told} = await withSharing();
		await told.run(`see @my_notes:${uri}`);
		await told.rest();
		const [item] = systemItems(told.items());
		const alerts = told.events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []));
		if (problem === undefined) {
			expect(item!.origin).toMatchObject({truncated: true, totalBytes: 3_000_000});
			expect(item!.text).toMatch(/\n\[\.\.\.truncated, 3000000 bytes total\]$/);
		} else {
			expect(item).toBeUndefined();
			expect(alerts.join()).toContain(problem);
		}
	});

	it('of an unknown server is a path like any other', async () => {
		const {told} = await withSharing();
		await told.run('see @other:note:1');
		await told.rest();
		expect(systemItems(told.items())).toEqual([]);
	});
});

describe('a prompt', () => {
	it.each([
		['/my_notes:one a whole topic', 'one {"topic":"a whole topic"}'],
		['/my_notes:one topic=x', 'one {"topic":"x"}'],
		['/my_notes:two first "and more"', 'User: two {"a":"first","b":"and more"}\n\nAssistant: and'],
		['/my_notes:two b=2 first', 'User: two {"b":"2","a":"first"}\n\nAssistant: and'],
	])('gets its arguments: %s', async (text, body) => {
		const {told} = await withSharing();
		await told.run(text);
		await told.rest();
		expect(systemItems(told.items())[0]!.text.replace(/^[^\n]*\n/, '')).toBe(body);
	});

	it.each([
		['/my_notes:two', /An argument is missing. Write: \/my_notes:two a=… \[b=…\]/],
		['/my_notes:three x', /There is no prompt \/my_notes:three/],
	])('is refused with the next step: %s', async (text, sentence) => {
		const {told} = await withSharing();
		expect(await told.run(text)).toMatchObject({accepted: false, sentence: expect.stringMatching(sentence)});
		expect(told.items()).toEqual([]);
	});

	it('has an inert description in the popup', async () => {
		const {told} = await withSharing();
		await told.run('hello');
		await told.rest();
		const {matches} = await told.pod.complete({kind: 'workflow', text: 'my_notes:two', limit: 5});
		expect(matches[0]).toMatchObject({
			slug: 'my_notes:two',
			description: expect.stringMatching(/^Two [^\u001b]*things a=… \[b=…\]$/),
		});
	});
});
