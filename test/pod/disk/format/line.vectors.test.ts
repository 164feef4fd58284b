import {hash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {decode} from '../../../../src/pod/disk/format/decode.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import {signedBytes, type Signature} from '../../../../src/pod/disk/signatures/signature-file.ts';
import {verifySignatures} from '../../../../src/pod/disk/signatures/verify-signatures.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {projectRoot} from '../../../helpers/built.ts';
import {readExamples} from '../../../helpers/examples.ts';
import {canVerify, isRefusal, pythonVerdicts, signingPlace, writeRecord} from '../../../helpers/verifiers.ts';
import {writeFile} from 'node:fs/promises';
import {historyOf} from '../fixture.ts';

const page = readFileSync(join(projectRoot, 'docs/record-format.md'), 'utf8');
const id = '01JD8XK3Q2ABCDEFGHJKMNPQRS';

function vector(kind: string): string {
	const example = readExamples().find(one => one.page === 'docs/record-format.md' && one.kind === `text ${kind}`);
	if (example === undefined) throw new Error(`the page has no ${kind}`);
	return example.text.endsWith('\n') ? example.text : `${example.text}\n`;
}

const whole = vector('vector');
const lines = whole.split('\n');
const sha256 = (text: string) => hash('sha256', text, 'hex');
/** The text of a line up to a key, with a closing brace. */
const upTo = (line: string, key: string) => `${line.slice(0, line.lastIndexOf(`,"${key}":`))}}`;
const valueOf = (line: string, key: string) =>
	new RegExp(`"${key}":"([^"]*)"[^"]*$`).exec(line.replace(/"items".*/, ''))?.[1];

describe('the vectors of docs/record-format.md', () => {
	it('have the checks and sums that the page describes', () => {
		const [header = '', ...rest] = lines;
		expect(sha256(upTo(header, 'check')).slice(0, 8)).toBe(/"check":"(\w+)"/.exec(header)?.[1]);
		let sum = sha256(header).slice(0, 32);
		expect(page).toContain(`The hash of the header is \`${sum}\``);
		for (const line of rest.slice(0, 3)) {
			const check = /"check":"(\w+)","sum"/.exec(line)?.[1];
			expect(sha256(upTo(line, 'check')).slice(0, 8)).toBe(check);
			sum = sha256(`${sum}\n${upTo(line, 'sum')}`).slice(0, 32);
			expect(valueOf(line, 'sum')).toBe(sum);
		}
	});

	it('are what inkpod writes and reads', () => {
		const decoded = decode(Buffer.from(whole));
		if (!decoded.ok) throw new Error(decoded.reason);
		expect(verifySession({id, decoded})).toMatchObject({ok: true, findings: []});
		const items = decoded.lines.flatMap(line => ('item' in line ? [line.item] : []));
		expect(historyOf(items).toString()).toBe(whole);
	});

	it('have a redacted line that keeps its sum, and a chained item with its new hash', () => {
		const [changed = '', redaction = ''] = vector('vector-redaction').split('\n');
		const original = lines[3] ?? '';
		expect(valueOf(changed, 'sum')).toBe(valueOf(original, 'sum'));
		expect(changed).toContain(`"check":"${sha256(upTo(changed, 'check')).slice(0, 8)}"`);
		expect(redaction).toContain(`"newHash":"${sha256(changed.replace(/,$/, ''))}"`);
		const sum = sha256(`${valueOf(original, 'sum')}\n${upTo(redaction, 'sum')}`).slice(0, 32);
		expect(valueOf(redaction, 'sum')).toBe(sum);
	});

	it('have a signature of the bytes whose hash the page names', () => {
		const signature = JSON.parse(vector('vector-signature')) as Signature;
		expect(page).toContain(`\`${sha256(signedBytes(signature))}\``);
	});
});

describe.skipIf(!canVerify)('the signature of docs/record-format.md', () => {
	it('is accepted by inkpod and by the Python verifier, also after the redaction', async () => {
		const place = await signingPlace();
		const [key = ''] = /ssh-ed25519 [\w+/=]+/.exec(page) ?? [];
		await writeFile(place.signers, `vector ${key}\n`);
		const dir = join(place.dir, id);
		const file = await writeRecord(dir, Buffer.from(whole), vector('vector-signature'));
		const read = await readSession(dir);
		if (!read.ok) throw new Error(read.sentence);
		expect(await verifySignatures(read.session, place)).toMatchObject({ok: true, signed: 3});
		expect(await pythonVerdicts([file], place)).toEqual([
			expect.stringContaining('3 signed by vector, 0 not signed'),
		]);
		const redacted = whole.replace(`${lines[3] ?? ''}\n`, vector('vector-redaction'));
		await writeRecord(dir, Buffer.from(redacted));
		const [unsigned = ''] = await pythonVerdicts([file], place, false);
		expect(unsigned).toContain('line 4: redacted, its text is not proven');
		const [signed = ''] = await pythonVerdicts([file], place);
		expect(isRefusal(signed)).toBe(true);
	});
});
