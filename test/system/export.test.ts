import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it, onTestFinished} from 'vitest';
import {htmlOf} from '../../src/cli/export/html.ts';
import {inReadingOrder, isMarkdown, partsOf} from '../../src/cli/export/parts.ts';
import {findProgram} from '../../src/pod/platform/programs.ts';
import {sanitize} from '../../src/text/sanitize.ts';
import {png} from '../helpers/images.ts';
import {createItems} from '../helpers/items.ts';
import {fixtureNames, fixturePath, storedItems} from '../helpers/fixtures.ts';

/** Needs the package chromium. */
const chromium = findProgram('chromium', process.env['PATH']);
const facts = {title: 'x', about: 'y', rows: [['Session', 'x']] as const};

/** Opens a page without a window, and returns its document after scripts had time to run. */
async function opened(html: string): Promise<string> {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-page-'));
	onTestFinished(async () => rm(dir, {recursive: true, force: true, maxRetries: 5}));
	const page = join(dir, 'page.html');
	await writeFile(page, html);
	const flags = [
		'--headless',
		'--no-sandbox',
		'--disable-gpu',
		`--user-data-dir=${dir}/profile`,
		'--virtual-time-budget=2000',
	];
	const {stdout} = await promisify(execFile)(chromium!, [...flags, '--dump-dom', `file://${page}`], {
		maxBuffer: 2 ** 28,
	});
	return stdout;
}

/** Returns the texts of all <pre> of a document that are not in an answer. */
function textsOf(dom: string): readonly string[] {
	const rest = dom
		.replaceAll(/<div class="prose">.*?<\/div><\/section>/gs, '</section>')
		.replaceAll(/<\/?span[^>]*>/g, '');
	return [...rest.matchAll(/<pre>([^<]*)<\/pre>/g)].map(([, text = '']) =>
		text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&nbsp;', '\u00a0').replaceAll('&amp;', '&'),
	);
}

describe.skipIf(chromium === undefined)('an exported page in Chromium', () => {
	it('shows the texts of all fixtures as they are stored', async () => {
		const sessions = await Promise.all(
			fixtureNames.map(async name => storedItems(await readFile(fixturePath(name, 'history.json'), 'utf8'))),
		);
		const parts = sessions.flatMap(items => partsOf(items));
		const dom = await opened(htmlOf(facts, parts));
		const {conversation, settings} = inReadingOrder(parts);
		expect(textsOf(dom)).toEqual(
			[...conversation, ...settings].flatMap(part =>
				isMarkdown(part) ? [] : part.sections.map(({text}) => sanitize(text)),
			),
		);
	});

	it('runs no script and sends no request, whatever the texts are', async () => {
		const requests: string[] = [];
		const server = createServer((request, response) => {
			requests.push(request.url ?? '');
			response.end();
		}).listen(0, '127.0.0.1');
		onTestFinished(() => void server.close());
		await new Promise(resolve => server.once('listening', resolve));
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const hostile = [
			`<script>document.title='ran';fetch('${url}/a')</script>`,
			`</pre></details><img src=${url}/b onerror="document.title='ran'"><svg/onload=document.title='ran'>`,
			`<link rel=stylesheet href=${url}/c><iframe src=${url}/d></iframe>`,
			`<meta http-equiv=refresh content="0;url=${url}/e">`,
			`--><style>@import url(${url}/f)</style><base href="${url}/g">`,
			`<form action=${url}/h><input autofocus onfocus=alert(1)>`,
			'&lt;script&gt;&#60;script&#62;</textarea></title></style>',
		];
		const make = createItems();
		const items = hostile.flatMap(text => [
			make.user(text),
			make.assistant(text),
			make.call('c', text, {[text]: text}),
			make.result('c', text, text),
			make.item('message', {role: 'system', text, origin: {kind: 'file', path: text}}),
			make.item('message', {role: 'system', text, origin: {kind: text}}),
		]);
		const dom = await opened(
			htmlOf(
				{
					title: hostile[1]!,
					about: hostile[0]!,
					rows: [
						['Session', hostile[1]!],
						[hostile[0]!, hostile[2]!],
					],
				},
				partsOf(items),
			),
		);
		expect(dom).toMatch(/^<!DOCTYPE html>/i);
		expect(dom).not.toMatch(/<title>ran|<(?:script|img|svg|iframe|link|form|input|base)\b/);
		expect(requests).toEqual([]);
		expect(textsOf(dom).filter(text => text === hostile[0])).toHaveLength(4);
		expect(dom).toContain('<p>&lt;script&gt;document.title=');
	});

	it('shows images of the page itself, and runs nothing in a child session', async () => {
		const requests: string[] = [];
		const server = createServer((request, response) => {
			requests.push(request.url ?? '');
			response.end();
		}).listen(0, '127.0.0.1');
		onTestFinished(() => void server.close());
		await new Promise(resolve => server.once('listening', resolve));
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const loaded = `"><img src=${url}/a onerror="document.title='ran'">`;
		const hostile = `${loaded}</summary></details><script src=${url}/b></script>`;
		const make = createItems();
		const image = make.item('message', {
			role: 'system',
			text: hostile,
			origin: {
				kind: 'image',
				path: hostile,
				bytes: 9,
				sha256: '0'.repeat(64),
				mime: 'image/png',
				width: 8,
				height: 8,
			},
		});
		const started = make.item('child_started', {
			child: hostile,
			title: hostile,
			task: hostile,
			model: hostile,
			context: 'fresh',
			scope: {pwd: hostile, writable: false},
		});
		const shown = {mime: 'image/png', width: 8, height: 8, base64: png(8, 8).toString('base64')} as const;
		const images = new Map([[image.id, shown]]);
		const own = [make.user(hostile), make.assistant(hostile)];
		const child = {items: own, images: new Map(), conversations: new Map()};
		const parts = partsOf([make.user('look'), image, started], {
			images,
			conversations: new Map([[started.id, child]]),
		});
		const dom = await opened(htmlOf(facts, parts));
		expect(dom.match(/<img /g)).toHaveLength(1);
		expect(dom).toContain(`src="data:image/png;base64,${shown.base64}"`);
		expect(dom).not.toMatch(/<title>ran|<script/);
		expect(requests).toEqual([]);
		expect(textsOf(dom).filter(text => text === hostile)).toHaveLength(3);
	});

	it('opens 2,000 turns', async () => {
		const make = createItems();
		const items = Array.from({length: 2000}, (_, n) => [
			make.user(`question ${n}`),
			make.assistant(`answer ${n}\n`.repeat(20)),
		]).flat();
		const started = performance.now();
		const dom = await opened(htmlOf(facts, partsOf(items)));
		console.log(`a page of 2,000 turns: ${Math.round(performance.now() - started)} ms`);
		expect(textsOf(dom)).toHaveLength(2000);
		expect(dom.match(/<div class="prose">/g)).toHaveLength(2000);
	});
});
