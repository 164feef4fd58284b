import {appendFile, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {decode} from '../../../../src/pod/disk/format/decode.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {addSignature, readSignatures, signedBytes} from '../../../../src/pod/disk/signatures/signature-file.ts';
import {verifySignatures} from '../../../../src/pod/disk/signatures/verify-signatures.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {canVerify, signingPlace, writeRecord, type SigningPlace} from '../../../helpers/verifiers.ts';
import {historyOf, tempHome, user} from '../fixture.ts';

const id = '01JD8XK3Q2ABCDEFGHJKMNPQRS';
const items = ['1', '2', '3', '4'].map(text => user(`i${text}`, text));

/** Writes a session in a folder of its own, and signs its first items for each count. */
async function signed(place: SigningPlace, list: readonly Item[], ...counts: readonly number[]): Promise<string> {
	const dir = join(place.dir, 'session', id);
	await writeRecord(dir, historyOf(list));
	for (const count of counts) await place.sign(dir, {session: id, count, head: headOf(list.slice(0, count))});
	return dir;
}

function headOf(list: readonly Item[]): string {
	const decoded = decode(historyOf(list));
	return decoded.ok ? decoded.sum : '';
}

async function verdict(dir: string, place: SigningPlace, signers = place.signers) {
	const read = await readSession(dir);
	if (!read.ok) throw new Error(read.sentence);
	return verifySignatures(read.session, {...place, signers});
}

describe('signedBytes', () => {
	it('are the bytes that docs/record-format.md describes', () => {
		expect(signedBytes({session: id, count: 3, head: 'ab'})).toBe(`inkpod.record/1\n${id}\n3\nab\n`);
	});
});

describe.skipIf(!canVerify)('the signatures of a session', () => {
	it('cover everything up to the last accepted one, whatever the order of the lines', async () => {
		const place = await signingPlace();
		const dir = await signed(place, items, 1, 3, 2);
		expect(await verdict(dir, place)).toEqual({
			ok: true,
			signed: 3,
			items: 4,
			by: {name: 'me@example.org', at: '2026-01-01T00:00:00.000Z'},
			findings: [],
		});
	});

	it('fail if none is accepted, because there is none or the key is of somebody else', async () => {
		const place = await signingPlace();
		const other = await signingPlace();
		const dir = await signed(place, items);
		const none = {level: 'failure', sentence: 'The session has no accepted signature.'};
		expect(await verdict(dir, place)).toMatchObject({ok: false, signed: 0, findings: [none]});
		await place.sign(dir, {session: id, count: 2, head: headOf(items.slice(0, 2))});
		const unknown = {level: 'note', sentence: 'Signatures that are not accepted: 1.'};
		expect(await verdict(dir, place, other.signers)).toMatchObject({ok: false, findings: [none, unknown]});
	});

	it('fail if the history was changed or has fewer items than an accepted one covers', async () => {
		const place = await signingPlace();
		const dir = await signed(place, items, 2, 4);
		await writeRecord(dir, historyOf(items.slice(0, 3)));
		const fewer = {level: 'failure', sentence: '4 items were signed, but the history has only 3.'};
		expect(await verdict(dir, place)).toMatchObject({ok: false, signed: 2, findings: [fewer]});
		await writeRecord(dir, historyOf([...items.slice(0, 3), user('i4', 'other')]));
		const changed = {
			level: 'failure',
			sentence: 'The history was changed: its first 4 items are not those that were signed.',
		};
		expect(await verdict(dir, place)).toMatchObject({ok: false, signed: 2, findings: [changed]});
	});

	it('ignore lines that are incomplete, or of another session or namespace', async () => {
		const place = await signingPlace();
		const dir = await signed(place, items, 2);
		const path = join(dir, 'signatures.jsonl');
		await appendFile(path, '{"at":"2026-');
		await place.sign(dir, {session: id.replace('S', 'T'), count: 4, head: headOf(items)});
		const others = {level: 'note', sentence: 'Lines that are not signatures of this session: 2.'};
		expect(await verdict(dir, place)).toMatchObject({ok: true, signed: 2, findings: [others]});
		const [first = ''] = (await readFile(path, 'utf8')).split('\n');
		const moved = {...(JSON.parse(first) as object), count: 4, head: headOf(items)};
		await writeFile(path, `${JSON.stringify(moved)}\n`);
		expect(await verdict(dir, place)).toMatchObject({ok: false, signed: 0});
	});

	it('fail if their file is no file', async () => {
		const place = await signingPlace();
		const dir = await signed(place, items);
		await mkdir(join(dir, 'signatures.jsonl'));
		expect(await readSignatures(dir, id)).toMatchObject({signatures: [], problem: expect.any(String) as unknown});
		expect(await verdict(dir, place)).toMatchObject({ok: false});
	});
});

describe('addSignature', () => {
	it('begins a new line after an incomplete one', async () => {
		const place = join((await tempHome()).home, id);
		await writeRecord(place, historyOf(items), '{"at":');
		const signature = '-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n';
		await addSignature(place, {at: 'now', session: id, count: 1, head: 'a'.repeat(32), signature});
		expect(await readSignatures(place, id)).toMatchObject({signatures: [{count: 1}], others: 1});
	});
});
