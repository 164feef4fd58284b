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

const refused = 'refused';

/** Returns the number of items of an intact file. */
function verdictOf(text: string): number | typeof refused {
	const decoded = decode(Buffer.from(text));
	if (!decoded.ok || !verifySession({id, decoded}).ok) return refused;
	return decoded.lines.length;
}

const [header = '', a = '', b = '', c = ''] = lines;

/** The table of changes of the page, and its verdicts: the number of items of an intact file. */
const changes: ReadonlyArray<{what: string; text: string; verdict: number | typeof refused}> = [
	{what: 'the file is cut after the header', text: header, verdict: 0},
	{what: 'the file has only a header and an end', text: `${header}\n]}\n`, verdict: 0},
	{what: 'the file is cut inside the header', text: header.slice(0, 50), verdict: refused},
	{what: 'the end is missing', text: whole.slice(0, -3), verdict: 3},
	{what: 'a byte follows the end', text: `${whole}x`, verdict: 3},
	{what: 'the last brace is missing', text: whole.slice(0, whole.lastIndexOf('}\n]')), verdict: 2},
	{what: 'the end is on the line of the last item', text: whole.replace('\n]}\n', ']}\n'), verdict: 3},
	{what: 'a comma is missing', text: whole.replace(a, a.slice(0, -1)), verdict: refused},
	{what: 'a comma is missing, and the end', text: whole.replace(a, a.slice(0, -1)).slice(0, -3), verdict: refused},
	{what: 'a comma follows the last item', text: whole.replace(c, `${c},`), verdict: refused},
	{what: 'a space follows the last item', text: whole.replace(c, `${c} `), verdict: refused},
	{what: 'a carriage return follows a comma', text: whole.replace(b, `${b}\r`), verdict: refused},
	{what: 'the end is before an item', text: [header, a, b, ']}', c, ''].join('\n'), verdict: refused},
	{what: 'a line is missing', text: [header, a, c, ']}', ''].join('\n'), verdict: refused},
];

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

	it('have a file of 0.1.0 without checks', () => {
		const [header = '', line = ''] = vector('vector-0.1.0').split('\n');
		const sum = sha256(header).slice(0, 32);
		expect(valueOf(line, 'sum')).toBe(sha256(`${sum}\n${upTo(line, 'sum')}`).slice(0, 32));
		expect(verdictOf(vector('vector-0.1.0'))).toBe(1);
	});

	it('have an interrupted file whose record ends with its last whole line', () => {
		const interrupted = vector('vector-interrupted');
		expect(whole.startsWith(interrupted.trimEnd())).toBe(true);
		const decoded = decode(Buffer.from(interrupted));
		expect(decoded).toMatchObject({closed: false, torn: true, sum: valueOf(lines[2] ?? '', 'sum')});
		expect(page).toContain(`Its record has 2 items and the head \`${valueOf(lines[2] ?? '', 'sum')}\``);
		expect(verdictOf(interrupted)).toBe(2);
	});

	it.each(changes)('have this verdict: $what', ({text, verdict}) => {
		expect(verdictOf(text)).toBe(verdict);
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

describe.skipIf(!canVerify)('the Python verifier', () => {
	it('has the same verdicts about the vectors and their changes', async () => {
		const place = await signingPlace();
		const texts = [vector('vector-0.1.0'), vector('vector-interrupted'), ...changes.map(({text}) => text)];
		const files: string[] = [];
		for (const [at, text] of texts.entries())
			files.push(await writeRecord(join(place.dir, `${at}`, id), Buffer.from(text)));
		const verdicts = await pythonVerdicts(files, place, false);
		const counts = verdicts.map(one => (isRefusal(one) ? refused : Number(/^intact, (\d+) items/.exec(one)?.[1])));
		expect(counts).toEqual([1, 2, ...changes.map(({verdict}) => verdict)]);
		expect(verdicts[1]).toContain('history.json: the end is unfinished');
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
		expect(await pythonVerdicts([file], place)).toEqual([vector('output').replace(/^history\.json: |\n$/g, '')]);
		const redacted = whole.replace(`${lines[3] ?? ''}\n`, vector('vector-redaction'));
		await writeRecord(dir, Buffer.from(redacted));
		const [unsigned = ''] = await pythonVerdicts([file], place, false);
		expect(unsigned).toContain('line 4: redacted, its text is not proven');
		const [signed = ''] = await pythonVerdicts([file], place);
		expect(isRefusal(signed)).toBe(true);
	});
});
