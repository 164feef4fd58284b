import {createHash, hash} from 'node:crypto';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {packBundle, tarOf, type TarEntry} from '../../src/pod/disk/bundle/tar.ts';
import {collectFiles} from '../../src/pod/disk/bundle/bundle-files.ts';
import {verifyBundle} from '../../src/cli/bundle/verify-bundle.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifySignatures} from '../../src/pod/disk/signatures/verify-signatures.ts';
import {decode} from '../../src/pod/disk/format/decode.ts';
import {historyOf, user} from '../pod/disk/fixture.ts';
import {seededRandom} from '../helpers/random.ts';
import {canVerify, isRefusal, pythonVerdicts, signingPlace, writeRecord} from '../helpers/verifiers.ts';

const id = '01JD8XK3Q2ABCDEFGHJKMNPQRS';
const long = process.env['INKPOD_TEST'] === 'long';
const rounds = long ? 2000 : 20;
const seed = 39;

const sha256 = (text: string | Buffer) => hash('sha256', text, 'hex');
const items = ['1', '2', 'secret', '4'].map((text, at) => user(`i${at}`, text));

/** The lines of a history in which the third item was redacted. `from` is the chain's sum before the redaction. */
function redacted(options: {readonly newHash?: string; readonly name?: string; readonly after?: string} = {}) {
	const lines = historyOf(items).toString().split('\n');
	const old = lines[3] ?? '';
	const sum = /"sum":"(\w+)"/.exec(old)?.[1] ?? '';
	const body = old.slice(0, old.indexOf(',"check"')).replaceAll('secret', '[redacted: text, 6 bytes]');
	const text = `${body},"redacted":true`;
	const changed = `${text},"check":"${sha256(`${text}}`).slice(0, 8)}","sum":"${sum}"}`;
	const after = /"sum":"(\w+)"/.exec(lines[2] ?? '')?.[1] ?? '';
	const marks = [{path: '/text', from: 0, bytes: 6}];
	const newHash = options.newHash ?? sha256(changed);
	const named = {id: options.name ?? 'i2', after: options.after ?? after, rule: 'text', marks, newHash};
	const head = /"sum":"(\w+)"/.exec(lines[4] ?? '')?.[1] ?? '';
	const made = chained({id: 'r', at: 'now', type: 'redaction', lines: [named], count: 1}, head);
	lines[3] = `${changed},`;
	return {text: [...lines.slice(0, 4), `${lines[4] ?? ''},`, made.line, ']}', ''].join('\n'), head: made.sum};
}

function chained(item: object, before: string): {readonly line: string; readonly sum: string} {
	const body = JSON.stringify(item).slice(0, -1);
	const text = `${body},"check":"${sha256(`${body}}`).slice(0, 8)}"`;
	const sum = sha256(`${before}\n${text}}`).slice(0, 32);
	return {line: `${text},"sum":"${sum}"}`, sum};
}

describe.skipIf(!canVerify)('the Python verifier', () => {
	it('passes a redacted line only with a later chained item that names it as it is', async () => {
		const place = await signingPlace();
		const right = redacted().text;
		const wrong = [
			redacted({newHash: '0'.repeat(64)}).text,
			redacted({name: 'i1'}).text,
			redacted({after: '0'.repeat(32)}).text,
			right.replace(/\n\{"id":"i1".*\n/, '\n'),
			right.replace('[redacted: text', '[redacted: test'),
			right.replace('"redacted":true', '"redacted":null'),
			right.replace(/\n\{"id":"r".*\n/, '\n').replace(/,\n\]/, '\n]'),
			right.replace('"count":1', '"count":2'),
		];
		const files = [];
		for (const [at, text] of [right, ...wrong].entries())
			files.push(await writeRecord(join(place.dir, `${at}`, id), Buffer.from(text)));
		const [passes, ...refused] = await pythonVerdicts(files, place, false);
		expect(passes).toContain('history.json, line 4: redacted, its text is not proven');
		expect(refused.map(isRefusal)).toEqual(wrong.map(() => true));
		const own = [right, ...wrong].map(text => {
			const decoded = decode(Buffer.from(text));
			return decoded.ok && verifySession({id: decoded.header.session, decoded}).ok;
		});
		expect(own).toEqual([true, ...wrong.map(() => false)]);
	});

	it('wants a signature that covers the redaction of a signed line', async () => {
		const place = await signingPlace();
		const dir = join(place.dir, id);
		const decoded = decode(historyOf(items));
		const file = await writeRecord(dir, Buffer.from(redacted().text));
		await place.sign(dir, {session: id, count: 4, head: decoded.ok ? decoded.sum : ''});
		expect(await pythonVerdicts([file], place)).toEqual([
			expect.stringContaining('no accepted signature covers the redaction') as unknown,
		]);
		const own = async () => {
			const read = await readSession(dir);
			if (!read.ok) throw new Error(read.sentence);
			return verifySignatures(read.session, place);
		};
		expect(await own()).toMatchObject({ok: false});
		await place.sign(dir, {session: id, count: 5, head: redacted().head});
		expect(await pythonVerdicts([file], place)).toEqual([
			expect.stringContaining('5 signed by me@example.org, 0 not signed') as unknown,
		]);
		expect(await own()).toMatchObject({ok: true, signed: 5});
	});

	it('is bounded on hostile input', async () => {
		const place = await signingPlace();
		const [header = ''] = historyOf([]).toString().split('\n');
		const first = createHash('sha256').update(header).digest('hex').slice(0, 32);
		const record = (line: string) => Buffer.from(`${header}\n${line}\n]}\n`);
		const deep = `{"id":"a","at":"x","type":"title","title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
		const hostile = {
			deep: record(chainedText(deep, first)),
			wide: record(
				chainedText(`{"id":"a","at":"x","type":"title","title":[${'[],'.repeat(1_000_000)}0]}`, first),
			),
			digits: record(chainedText(`{"id":${'9'.repeat(100_000)},"at":"x","type":"title"}`, first)),
			header: Buffer.from(`{"format":"${'x'.repeat(100_000)}`),
			empty: Buffer.alloc(0),
			constant: record(chainedText('{"id":"a","at":"x","type":"title","title":NaN}', first)),
			half: record(chainedText(String.raw`{"id":"a","at":"x","type":"title","title":"\ud800"}`, first)),
		};
		const files = [];
		for (const [name, bytes] of Object.entries(hostile))
			files.push(await writeRecord(join(place.dir, name, id), bytes));
		const bomb = join(place.dir, 'bomb.tgz');
		await writeFile(bomb, gzipSync(Buffer.alloc(60_000_000)));
		const verdicts = await pythonVerdicts([...files, bomb], place, false);
		expect(verdicts.map(isRefusal)).toEqual(verdicts.map(() => true));
	});

	it('refuses a manifest of another version, and one that names a file twice, as inkpod does', async () => {
		const place = await signingPlace();
		const history = historyOf(items);
		const file = {name: 'history.json', bytes: history.length, sha256: sha256(history)};
		const right = {format: 'inkpod-bundle', version: 1, inkpod: '1', language: 'xx', session: id, screens: []};
		const manifests = [
			{...right, files: [file]},
			{...right, version: 2, files: [file]},
			{...right, format: 'another', files: [file]},
			{...right, files: [file, file]},
			{...right, session: 'short', files: [file]},
		];
		const paths: string[] = [];
		for (const [at, manifest] of manifests.entries()) {
			const path = join(place.dir, `m${at}.tar`);
			await writeFile(path, await tarWith(history, manifest));
			paths.push(path);
		}
		const wanted = [false, true, true, true, true];
		expect((await pythonVerdicts(paths, place, false)).map(isRefusal)).toEqual(wanted);
		const io = {write: () => {}};
		const how = {version: '1', env: {}, stdout: io, stderr: io};
		const own: boolean[] = [];
		for (const path of paths) own.push((await verifyBundle({...how, file: path})) !== 0);
		expect(own).toEqual(wanted);
	});

	it(`agrees about bundles with a changed byte (seed ${seed})`, async () => {
		const place = await signingPlace();
		const dir = join(place.dir, id);
		await writeRecord(dir, historyOf(items));
		const decoded = decode(historyOf(items));
		await place.sign(dir, {session: id, count: 4, head: decoded.ok ? decoded.sum : ''});
		const facts = {inkpod: '1', language: 'xx', session: id, screens: []};
		const pieces: Uint8Array[] = [];
		const files = await collectFiles(dir);
		for await (const piece of packBundle({files, facts, isZipped: false})) pieces.push(piece);
		const bundle = Buffer.concat(pieces);
		const random = seededRandom(seed);
		const paths = [join(place.dir, 'whole.tar'), join(place.dir, 'whole.tgz')];
		await writeFile(paths[0] ?? '', bundle);
		await writeFile(paths[1] ?? '', gzipSync(bundle));
		for (let round = 0; round < rounds; round++) {
			const changed = Buffer.from(bundle);
			const at = Math.floor(random() * changed.length);
			changed[at] = (changed[at] ?? 0) ^ (1 + Math.floor(random() * 255));
			const path = join(place.dir, `${round}-${at}.tar`);
			await writeFile(path, changed);
			paths.push(path);
		}
		const verdicts = await pythonVerdicts(paths, place);
		const io = {write: () => {}};
		const how = {
			version: '1',
			env: {PATH: process.env['PATH'] ?? ''},
			signers: place.signers,
			stdout: io,
			stderr: io,
		};
		for (const [at, file] of paths.entries()) {
			const isRefused = (await verifyBundle({...how, file})) !== 0;
			expect({file, verdict: verdicts[at], isRefused}).toMatchObject({isRefused: isRefusal(verdicts[at] ?? '')});
		}
		expect(verdicts.slice(0, 2).map(isRefusal)).toEqual([false, false]);
		expect(verdicts.slice(2).filter(isRefusal)).toHaveLength(rounds);
		expect((await readFile(paths[0] ?? '')).length).toBe(bundle.length);
	});
});

async function tarWith(history: Buffer, manifest: {readonly session: string}): Promise<Buffer> {
	const bytes = Buffer.from(JSON.stringify(manifest));
	async function* entries(): AsyncGenerator<TarEntry> {
		yield {name: `${manifest.session}/history.json`, bytes: history};
		yield {name: `${manifest.session}/manifest.json`, bytes};
		yield {name: `${manifest.session}/manifest.sha256`, bytes: Buffer.from(`${sha256(bytes)}  manifest.json\n`)};
	}
	const pieces: Buffer[] = [];
	for await (const piece of tarOf(entries())) pieces.push(piece);
	return Buffer.concat(pieces);
}

/** Adds the check and the sum to an item that need not be JSON. */
function chainedText(item: string, before: string): string {
	const text = `${item.slice(0, -1)},"check":"${sha256(item).slice(0, 8)}"`;
	return `${text},"sum":"${sha256(`${before}\n${text}}`).slice(0, 32)}"}`;
}
