import {readdirSync} from 'node:fs';
import {copyFile, mkdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {verify} from '../../src/cli/verify.ts';
import {readHeader} from '../../src/pod/disk/format/line.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {isDamageNotice} from '../../src/pod/disk/log/notices.ts';
import {historyFile, idOf, sessionDir, sessionsRoot} from '../../src/pod/disk/paths.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifyRequests} from '../../src/pod/disk/check/verify-requests.ts';
import type {Item} from '../../src/pod/protocol.ts';
import {plainText} from '../../src/screen/spans/row.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {systemClock, type Answer} from '../../src/worker/index.ts';
import {answering, opened} from '../helpers/conversation.ts';
import {cleanEnvironment} from '../helpers/pty.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {startServer, wires} from '../helpers/wire-servers/index.ts';
import type {Ledger} from '../helpers/wire-servers/ledger.ts';
import {modelAt} from '../worker/wires/wire-model.ts';

const folder = join(import.meta.dirname, 'sessions');
const kindsOf = (version: string) =>
	readdirSync(join(folder, version), {withFileTypes: true}).flatMap(entry =>
		entry.isDirectory() ? [`${version}/${entry.name}`] : [],
	);
const kinds = kindsOf('0.1.0');

const isLong = process.env['INKPOD_TEST'] === 'long';

/** The servers that signed these thoughts are gone. */
const anySignature: Ledger = {
	sign: text => Buffer.from(text).toString('base64'),
	owe() {},
	refuse: () => undefined,
	missing: () => undefined,
};
const answers: readonly Answer[] = [[{type: 'text', text: 'Still here.'}]];

/** Stores a session of this kind in the home of a new project. Returns its folder. */
async function stored(project: TempProject, kind: string): Promise<string> {
	const file = join(folder, kind, 'history.json');
	const [line = ''] = (await readFile(file, 'utf8')).split('\n', 1);
	const read = readHeader(line);
	if (!read.ok) throw new Error(`${kind}: ${read.reason}`);
	const dir = sessionDir(sessionsRoot(environment(project)), read.header.cwd, read.header.session);
	await mkdir(dir, {recursive: true, mode: 0o700});
	await copyFile(file, historyFile(dir));
	return dir;
}

function environment(project: TempProject): Record<string, string> {
	return cleanEnvironment(join(project.dir, '..'));
}

async function itemsOf(dir: string): Promise<readonly Item[]> {
	const read = await readSession(dir);
	if (!read.ok) throw new Error(read.sentence);
	return read.session.items;
}

/** Returns the rows of a restored session as one text. */
function shownText(items: readonly Item[]): string {
	const store = createTranscriptStore({columns: 80, view: 'normal'});
	const scope = {pwd: '/', writable: true, readRoots: []};
	const status = {kind: 'idle', asks: [], queue: []} as const;
	store.dispatch({type: 'snapshot', session: {id: 's', model: 'm', scope}, items, tail: [], status});
	const rows = Array.from({length: store.count()}, (_, index) => store.rows(index)).flat();
	store.dispose();
	return rows.map(plainText).join('\n');
}

describe.each([...kinds, ...kindsOf('rules-2')])('a session of %s', kind => {
	it('is intact, and all its requests can be made again', async () => {
		const project = await tempProject();
		const dir = await stored(project, kind);
		const items = await itemsOf(dir);
		const requests = items.filter(item => item.type === 'request' && item.requestHash !== '').length;
		expect(requests).toBeGreaterThan(0);
		expect(await verifyRequests(items)).toMatchObject({same: requests, different: 0, unmade: 0, unchecked: 0});
		let out = '';
		const output = {write: (text: string) => (out += text)};
		const place = {id: idOf(dir), env: environment(project), cwd: project.dir};
		expect([await verify({...place, requests: true, stdout: output, stderr: output}), out]).toEqual([0, out]);
	});
});

describe.each(kinds)('a session of %s', kind => {
	it('shows all messages of the user, and no damage', async () => {
		const items = await itemsOf(await stored(await tempProject(), kind));
		const text = shownText(items);
		const words = items.flatMap(item => (item.type === 'message' && item.role === 'user' ? [item.text] : []));
		expect(words.map(word => text.includes(word.split(' ', 3).join(' ')))).toEqual(words.map(() => true));
		expect(items.filter(isDamageNotice)).toEqual([]);
	});

	it.each(isLong ? wires : [wires[kinds.indexOf(kind) % wires.length]!])(
		'continues over the %s wire with a request that a strict server accepts',
		async wire => {
			const project = await tempProject();
			await using server = await startServer(wire, answers, {ledger: anySignature});
			const found = await openSession(await stored(project, kind), systemClock());
			if (!found.ok) throw new Error(found.sentence);
			const pod = await answering(await opened(project, await modelAt(wire, server), found.session));
			expect(await pod.run('And now?')).toEqual({accepted: true});
			await pod.rest();
			expect([server.refusals, server.requests.length]).toEqual([[], 1]);
			expect(pod.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
			expect(await verifyRequests(pod.items())).toMatchObject({different: 0, unmade: 0, unchecked: 0});
		},
	);
});
