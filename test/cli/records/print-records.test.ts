import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {printRecords} from '../../../src/cli/records/print-records.ts';
import {historyFile, sessionDir} from '../../../src/pod/disk/paths.ts';
import {historyOf, tempHome, user, type Home} from '../../pod/disk/fixture.ts';

const ids = ['01JD8XK3Q2AAAAAAAAAAAAAAAA', '01JD8XK3Q2BBBBBBBBBBBBBBBB'] as const;
const hostile = '\u001b]52;c;eA==\u0007\u009b31m\u202e\u{e0041}\u2028';

type Options = Parameters<typeof printRecords>[0];

async function run(home: Home, options: Partial<Options> = {}) {
	let out = '';
	let err = '';
	const code = await printRecords({
		kind: 'messages',
		all: false,
		env: home.env,
		cwd: home.cwd,
		exit: new AbortController().signal,
		stdout: {
			write(text, done) {
				out += text;
				done();
			},
		},
		stderr: {write: text => (err += text)},
		...options,
	});
	return {
		code,
		err,
		out,
		records: out
			.split('\n')
			.filter(Boolean)
			.map(line => JSON.parse(line) as object),
	};
}

async function stored(home: Home, id: string, text: string, cwd = home.cwd): Promise<string> {
	const dir = sessionDir(home.root, cwd, id);
	await mkdir(dir, {recursive: true});
	const header = {session: id, cwd, created: '2026-01-01T00:00:00.000Z'};
	await writeFile(historyFile(dir), historyOf([user('a', text)], header));
	return dir;
}

describe('inkpod records', () => {
	it('prints a line for each record, the oldest session first', async () => {
		const home = await tempHome();
		await stored(home, ids[1], 'two');
		await stored(home, ids[0], 'one');
		expect(await run(home)).toMatchObject({
			code: 0,
			err: '',
			records: [
				{session: ids[0], text: 'one'},
				{session: ids[1], text: 'two'},
			],
		});
	});

	it('prints those of another directory, or of all', async () => {
		const home = await tempHome();
		await mkdir(`${home.home}/other`);
		await stored(home, ids[0], 'one');
		await stored(home, ids[1], 'two', `${home.home}/other`);
		expect((await run(home)).records).toHaveLength(1);
		expect((await run(home, {cwd: `${home.home}/other`})).records).toMatchObject([{text: 'two'}]);
		expect((await run(home, {all: true})).records).toHaveLength(2);
	});

	it('prints sessions as their list does', async () => {
		const home = await tempHome();
		await stored(home, ids[0], 'one');
		const {records} = await run(home, {kind: 'sessions'});
		expect(records).toMatchObject([{session: ids[0], cwd: home.cwd, words: 'one'}]);
		expect((await run(home, {kind: 'sessions', since: '2999-01-01T00:00:00.000Z'})).records).toEqual([]);
	});

	it('escapes what a terminal may act on', async () => {
		const home = await tempHome();
		await stored(home, ids[0], hostile);
		const {out, records} = await run(home);
		expect(out).toMatch(/^[\u0020-\u007e\n]*$/);
		expect(records).toMatchObject([{text: hostile}]);
	});

	it('prints what is readable, names a damaged session, and exits with 1', async () => {
		const home = await tempHome();
		const dir = await stored(home, ids[0], 'one');
		await stored(home, ids[1], 'two');
		await writeFile(historyFile(dir), (await readFile(historyFile(dir), 'utf8')).replace('"one"', '"One"'));
		const {code, err, records} = await run(home);
		expect([code, err]).toEqual([
			1,
			`inkpod: ${historyFile(dir)} is damaged. Its readable records were printed.\n`,
		]);
		expect(records).toMatchObject([{text: 'two'}]);
	});

	it('ends when nobody reads its output', async () => {
		const home = await tempHome();
		await stored(home, ids[0], 'x'.repeat(100_000));
		await stored(home, ids[1], 'two');
		const exit = new AbortController();
		let writes = 0;
		const write = (_: string, done: () => void) => {
			writes += 1;
			exit.abort('SIGPIPE');
			done();
		};
		expect(await run(home, {exit: exit.signal, stdout: {write}})).toMatchObject({code: 141, err: ''});
		expect(writes).toBe(1);
	});

	it('prints nothing if there are no sessions', async () => {
		expect(await run(await tempHome())).toMatchObject({code: 0, out: '', err: ''});
	});
});
