import {hash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {decode} from '../../src/pod/disk/format/decode.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import type {Item} from '../../src/worker/index.ts';
import {historyOf} from '../pod/disk/fixture.ts';
import {anyHistory, drafts, randomHistory} from '../helpers/random-history.ts';
import {seededRandom} from '../helpers/random.ts';
import {
	canVerify,
	isIntact,
	isRefusal,
	pythonVerdicts,
	signingPlace,
	writeRecord,
	type SigningPlace,
} from '../helpers/verifiers.ts';

const long = process.env['INKPOD_TEST'] === 'long';
/** The number of signed sessions, and of damaged copies of each. */
const sessions = long ? 200 : 10;
const copies = long ? 160 : 20;
/** The number of damages that must be within what is signed. */
const covered = long ? 20_000 : 100;
const seed = 20_261_130;

const id = '01JD8XK3Q2ABCDEFGHJKMNPQRS';

/** Without python3 or ssh-keygen (Debian: python3, openssh-client) the second verifier cannot run. */
describe.skipIf(!canVerify)('inkpod and the Python verifier', () => {
	it(`agree on ${sessions} whole sessions and on any histories (seed ${seed})`, async () => {
		const place = await signingPlace();
		const whole = intactHistories(sessions);
		const files: string[] = [];
		for (const [index, items] of whole.entries()) files.push(await written(place, `w${index}`, historyOf(items)));
		expect((await pythonVerdicts(files, place, false)).filter(isRefusal)).toEqual([]);
		const any = fc.sample(anyHistory, {seed, numRuns: sessions * 10}).map(randomHistory);
		const others: string[] = [];
		for (const [index, items] of any.entries()) others.push(await written(place, `a${index}`, historyOf(items)));
		const verdicts = await pythonVerdicts(others, place, false);
		const differing = any.flatMap((items, index) => {
			const findings = failuresOf(historyOf(items));
			const isRefused = isRefusal(verdicts[index] ?? '');
			// The Python verifier passes over calls that a compaction follows.
			const isPassedOver = items.some(({type}) => type === 'compaction') && findings.every(isUnanswered);
			return isRefused === findings.length > 0 || (!isRefused && isPassedOver)
				? []
				: [{verdict: verdicts[index], findings}];
		});
		expect(differing).toEqual([]);
	});

	it(`refuse each changed byte and each new chain within what is signed (seed ${seed})`, async () => {
		const place = await signingPlace();
		const random = seededRandom(seed);
		const damages: Damaged[] = [];
		for (const [index, items] of intactHistories(sessions).entries()) {
			const signed = 1 + Math.floor(random() * items.length);
			const record = await signedRecord(place, `s${index}`, items, signed);
			damages.push(...Array.from({length: copies}, () => damage(record, random)));
		}
		expect(damages.filter(({isSigned}) => isSigned).length).toBeGreaterThanOrEqual(covered);
		const files: string[] = [];
		for (const [index, {history, signatures}] of damages.entries())
			files.push(await written(place, `d${index}`, history, signatures));
		const verdicts = await pythonVerdicts(files, place);
		for (const [index, {what, isSigned}] of damages.entries()) {
			const ours = await isIntact(dirname(files[index] ?? ''), place);
			const theirs = verdicts[index] ?? '';
			expect({what, index, theirs, isRefused: isRefusal(theirs)}).toMatchObject({isRefused: !ours});
			if (isSigned) expect({what, index, ours}).toMatchObject({ours: false});
		}
	});
});

async function written(place: SigningPlace, name: string, history: Buffer, signatures?: Buffer): Promise<string> {
	return writeRecord(join(place.dir, name, id), history, signatures);
}

function failuresOf(history: Buffer): readonly string[] {
	const decoded = decode(history);
	if (!decoded.ok) return [decoded.reason];
	return verifySession({id, decoded}).findings.flatMap(({level, sentence}) =>
		level === 'failure' ? [sentence] : [],
	);
}

function isUnanswered(sentence: string): boolean {
	return sentence.startsWith('This call was never answered');
}

/** Returns histories of all kinds of items that verify: the longest such beginnings of random ones, and plain turns. */
function intactHistories(count: number): readonly (readonly Item[])[] {
	const make = drafts();
	return fc.sample(anyHistory, {seed, numRuns: count}).map((random, index) => {
		const turns =
			index % 2 === 0 ? [...make.turn('a'), make.call('1'), make.result('1', 'é\n]}\n'), make.end()] : [];
		const items = [...randomHistory(random), ...turns];
		let end = items.length;
		while (failuresOf(historyOf(items.slice(0, end))).length > 0) end -= 1;
		return items.slice(0, end);
	});
}

/** A session whose first `signed` items are signed. */
type SignedRecord = {
	readonly items: readonly Item[];
	readonly signed: number;
	readonly history: Buffer;
	readonly signatures: Buffer;
};

async function signedRecord(
	place: SigningPlace,
	name: string,
	items: readonly Item[],
	signed: number,
): Promise<SignedRecord> {
	const history = historyOf(items);
	const dir = join(place.dir, name, id);
	await writeRecord(dir, history);
	const begin = decode(historyOf(items.slice(0, signed)));
	if (!begin.ok) throw new Error(begin.reason);
	await place.sign(dir, {session: id, count: signed, head: begin.sum});
	expect(await isIntact(dir, place)).toBe(true);
	return {items, signed, history, signatures: await readFile(join(dir, 'signatures.jsonl'))};
}

type Damaged = {
	readonly what: string;
	readonly isSigned: boolean;
	readonly history: Buffer;
	readonly signatures: Buffer;
};

/** Damages a record in one of several ways. `isSigned`: the change is within what is signed. */
function damage(record: SignedRecord, random: () => number): Damaged {
	const {items, signed, history, signatures} = record;
	const pick = (count: number) => Math.floor(random() * count);
	const way = pick(11);
	if (way === 10) {
		const [last, text] = withWrongCheck(record);
		return {what: `check of line ${last}`, isSigned: last <= signed, history: text, signatures};
	}
	if (way < 5) {
		const at = pick(way === 4 ? history.length : endOf(record));
		return {
			what: `byte ${at}`,
			isSigned: isCovered(record, at),
			history: changedAt(history, at, pick(255)),
			signatures,
		};
	}
	if (way === 5) {
		const at = pick(signatures.length);
		return {
			what: `signature byte ${at}`,
			isSigned: false,
			history,
			signatures: changedAt(signatures, at, pick(255)),
		};
	}
	if (way === 6) {
		const at = pick(history.length);
		return {what: `cut at ${at}`, isSigned: false, history: history.subarray(0, at), signatures};
	}
	const at = pick(signed);
	const others = [...items];
	const item = others[at];
	if (item === undefined) throw new Error('no item');
	if (way === 7) others.splice(at, 1);
	else if (way === 8) others.splice(at, 0, {...item, id: `${item.id}x`});
	else others[at] = {...item, at: '2026-01-01T00:00:09.999Z'};
	return {what: `new chain ${way} at ${at}`, isSigned: true, history: historyOf(others), signatures};
}

function changedAt(bytes: Buffer, at: number, by: number): Buffer {
	const changed = Buffer.from(bytes);
	changed[at] = (bytes[at] ?? 0) ^ (1 + (by % 255));
	return changed;
}

/** Returns the end of the last signed item. */
function endOf({history, signed}: SignedRecord): number {
	const decoded = decode(history);
	return decoded.ok ? (decoded.lines[signed - 1]?.end ?? 0) : 0;
}

/** Tells whether a byte belongs to the header or to a signed item, not to a comma or a newline. */
function isCovered({history, signed}: SignedRecord, at: number): boolean {
	const decoded = decode(history);
	if (!decoded.ok) throw new Error(decoded.reason);
	const headerEnd = history.indexOf('\n');
	return at < headerEnd || decoded.lines.slice(0, signed).some(({start, end}) => start <= at && at < end);
}

/** Returns a record with a new chain whose last line has a wrong check, and the number of that item. */
function withWrongCheck({items, history}: SignedRecord): readonly [number, Buffer] {
	const text = history.toString();
	const start = text.lastIndexOf('\n', text.length - 5) + 1;
	const end = text.lastIndexOf(',"check":"');
	const before = /"sum":"(\w+)"\},\n$/.exec(text.slice(0, start))?.[1];
	const sum = before ?? hash('sha256', text.slice(0, start - 1), 'hex').slice(0, 32);
	const line = `${text.slice(start, end)},"check":"00000000"`;
	const made = hash('sha256', `${sum}\n${line}}`, 'hex').slice(0, 32);
	return [items.length, Buffer.from(`${text.slice(0, start)}${line},"sum":"${made}"}\n]}\n`)];
}
