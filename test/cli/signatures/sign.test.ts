import {mkdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {exportBundle} from '../../../src/cli/bundle/export-bundle.ts';
import {verifyBundle} from '../../../src/cli/bundle/verify-bundle.ts';
import {sign} from '../../../src/cli/signatures/sign.ts';
import {verify} from '../../../src/cli/verify.ts';
import {idOf} from '../../../src/pod/disk/paths.ts';
import {canVerify, signingPlace, type SigningPlace} from '../../helpers/verifiers.ts';
import {storedSession, tempHome, user, type Home} from '../../pod/disk/fixture.ts';

type Io = {readonly stdout: {write: (text: string) => void}; readonly stderr: {write: (text: string) => void}};

async function captured(command: (io: Io) => Promise<number>) {
	let [out, err] = ['', ''];
	const stdout = {write: (text: string) => void (out += text)};
	const stderr = {write: (text: string) => void (err += text)};
	const code = await command({stdout, stderr});
	return {code, out, err};
}

/** A stored session, with the options of the commands about it. */
async function prepared(): Promise<{home: Home; dir: string; path: string; wanted: Wanted}> {
	const home = await tempHome();
	const {dir, path} = await storedSession(home, [[user('a', '1'), user('b', '2')]]);
	return {
		home,
		dir,
		path,
		wanted: {id: idOf(dir), env: {...home.env, PATH: process.env['PATH'] ?? ''}, cwd: home.cwd},
	};
}

type Wanted = {readonly id: string; readonly env: Readonly<Record<string, string>>; readonly cwd: string};

const signWith = async (wanted: Wanted, key?: string) =>
	captured(async io => sign({...wanted, ...(key !== undefined && {key}), ...io}));

const checked = async (wanted: Wanted, {signers}: Pick<SigningPlace, 'signers'>) =>
	captured(async io => verify({...wanted, signers, ...io}));

describe.skipIf(!canVerify)('inkpod sign', () => {
	it('signs the items of a session, which verify --signers accepts', async () => {
		const place = await signingPlace();
		const {dir, path, wanted} = await prepared();
		const before = await readFile(path);
		expect(await signWith(wanted, place.key)).toMatchObject({
			code: 0,
			out: expect.stringMatching(/^Signed 2 items of session 01\w+ with SHA256:\S+\.\n$/) as unknown,
		});
		expect((await readFile(path)).equals(before)).toBe(true);
		expect((await stat(join(dir, 'signatures.jsonl'))).mode % 0o1000).toBe(0o600);
		const unchecked = await captured(async io => verify({...wanted, ...io}));
		expect(unchecked.out).toContain('signed   1 signature, not checked (check with --signers FILE)\n');
		expect(await checked(wanted, place)).toMatchObject({
			code: 0,
			out: expect.stringMatching(/\nsigned   2 of 2 items, by me@example\.org, 20\S+\n$/) as unknown,
		});
		expect(await checked(wanted, await signingPlace())).toMatchObject({
			code: 1,
			out: expect.stringContaining('FAILURE: The session has no accepted signature.\n') as unknown,
		});
		expect(await checked(wanted, {signers: '/none'})).toMatchObject({
			code: 2,
			err: 'inkpod: The file of signers cannot be read: /none\n',
		});
	});

	it('takes the key of config.toml, and says which key is missing', async () => {
		const place = await signingPlace();
		const {home, wanted} = await prepared();
		expect(await signWith(wanted)).toMatchObject({
			code: 2,
			err: expect.stringContaining('No key is configured. Name one with --key FILE') as unknown,
		});
		await mkdir(join(home.home, '.config/inkpod'), {recursive: true});
		await writeFile(join(home.home, '.config/inkpod/config.toml'), `[record]\nkey = "${place.key}"\n`);
		expect(await signWith(wanted)).toMatchObject({code: 0, err: ''});
		expect(await signWith(wanted, '/none')).toMatchObject({
			code: 1,
			err: expect.stringContaining('ssh-keygen cannot read the key /none') as unknown,
		});
	});

	it('asks for no passphrase, and signs nothing damaged', async () => {
		const place = await signingPlace({passphrase: 'secret'});
		const {dir, path, wanted} = await prepared();
		expect(await signWith(wanted, place.key)).toMatchObject({
			code: 1,
			err: expect.stringMatching(/^inkpod: ssh-keygen did not sign with .*passphrase/) as unknown,
		});
		await writeFile(path, (await readFile(path, 'utf8')).replace('"text":"1"', '"text":"0"'));
		expect(await signWith(wanted, (await signingPlace()).key)).toMatchObject({
			code: 1,
			err: 'inkpod: The session is damaged, so it was not signed.\n',
		});
		await expect(stat(join(dir, 'signatures.jsonl'))).rejects.toThrow('ENOENT');
	});

	it('goes into bundles', async () => {
		const place = await signingPlace();
		const {home, wanted} = await prepared();
		await signWith(wanted, place.key);
		const file = join(home.cwd, 'b.tar');
		const packing = {...wanted, to: file, exact: false, force: false, version: '1'};
		expect(await captured(async ({stderr}) => exportBundle({...packing, stderr}))).toMatchObject({code: 0});
		const {env} = wanted;
		const how = {file, version: '1', env, signers: place.signers};
		expect(await captured(async io => verifyBundle({...how, ...io}))).toMatchObject({
			code: 0,
			out: expect.stringContaining('signed   2 of 2 items, by me@example.org') as unknown,
		});
		const signers = (await signingPlace()).signers;
		expect(await captured(async io => verifyBundle({...how, signers, ...io}))).toMatchObject({code: 1});
	});
});
