import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {attributeRequest} from '../../src/pod/ground/history/reader.ts';
import type {Item} from '../../src/pod/protocol.ts';
import {dialectNames} from '../../src/worker/wires/dialects.ts';
import {wireOf} from '../../src/worker/wires/load.ts';
import {seededRandom} from '../helpers/random.ts';
import {
	acts,
	holdVariedSession,
	isSummaryBody,
	readVariedMedia,
	type Act,
	type Speaker,
	type VariedSession,
} from '../helpers/varied-session.ts';
import {unlistedForms} from '../helpers/wire-forms.ts';
import {wires} from '../helpers/wire-servers/index.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_123);
const speakers: readonly Speaker[] = [...wires, ...dialectNames];

/** Sessions of ten acts. Together they have each act and each speaker, and each has another order. */
const sessions = Array.from({length: long ? 60 : 3}, (_, n) => {
	const random = seededRandom(seed + n);
	const script: Act[] = Array.from({length: 10}, (_act, k) => acts[(n * 10 + k) % acts.length] ?? 'say');
	const first = speakers[n % speakers.length] ?? 'anthropic';
	const second = speakers[Math.floor(random() * speakers.length)] ?? 'openai';
	return {n, first, second, script: ['file' as const, ...script.toSorted(() => random() - 0.5)]};
});

describe(`every byte that a server receives (seed ${seed})`, () => {
	it.each(sessions)(
		'comes from an item or a rule: session $n, $first and $second',
		async ({n, first, second, script}) => {
			const session = await holdVariedSession(script, [first, second], seed + n);
			expect(session.requests.length).toBeGreaterThan(10);
			const sent = requestsOf(session);
			for (const {body, headers} of session.requests) {
				const known = sent.get(hashOf(body));
				if (known === undefined) expect(isSummaryBody(body)).toBe(true);
				else
					await expectAttributed(
						known,
						{body, headers: Object.entries(headers).map(flat)},
						session.configured,
					);
			}
		},
	);
});

/** The wire of the latest setup. */
function wireOfSetup(items: readonly Item[]): Parameters<typeof unlistedForms>[0] {
	const setup = items.findLast(item => item.type === 'setup');
	return setup === undefined ? 'none' : (wireOf(setup.model, setup.settings) ?? 'none');
}

type Sent = {readonly items: readonly Item[]; readonly rules: ReadonlySet<string>};
type Received = {readonly body: string; readonly headers: ReadonlyArray<readonly [string, string]>};

async function expectAttributed(
	{items, rules}: Sent,
	received: Received,
	configured: readonly string[],
): Promise<void> {
	const made = await attributeRequest(items, {
		received: {...received, configured},
		readMedia: readVariedMedia,
	});
	if (!made.ok) throw new Error(made.sentence);
	const {pieces, headers, unknown} = made.attribution;
	expect({unknown, body: received.body}).toEqual({unknown: [], body: received.body});
	expect(pieces.map(({text}) => text).join('')).toBe(received.body);
	expect(unlistedForms(wireOfSetup(items), made.attribution)).toEqual([]);
	expect(headers.map(({name}) => name)).toEqual(received.headers.map(([name]) => name));
	const used = pieces.flatMap(({source}) => ('rule' in source && source.rule !== undefined ? [source.rule] : []));
	expect([...new Set(used)].filter(rule => !rules.has(rule))).toEqual([]);
}

/** Maps the hash of each recorded request to the items before it, and to the rules that it names. */
function requestsOf({histories}: VariedSession): ReadonlyMap<string, Sent> {
	return new Map(
		histories.flatMap(items =>
			items.flatMap((item, index): ReadonlyArray<readonly [string, Sent]> => {
				if (item.type !== 'request') return [];
				const rules = new Set(item.rewrites?.map(({rule}) => rule));
				return [[item.requestHash, {items: items.slice(0, index), rules}]];
			}),
		),
	);
}

function hashOf(body: string): string {
	return createHash('sha256').update(body).digest('hex');
}

function flat([name, value]: readonly [string, string | string[] | undefined]): readonly [string, string] {
	return [name, [value].flat().join(',')];
}
