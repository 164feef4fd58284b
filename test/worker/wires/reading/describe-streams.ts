import {describe, expect, it} from 'vitest';
import {seededRandom} from '../../../helpers/random.ts';
import {answerTo, expectedOf, framed, seenIn, type NativeCase, type NativeWire, type Seen} from './played-native.ts';
import {withOtherValues, withUnknownFields} from './unknown-fields.ts';

const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_122);
const rounds = process.env['INKPOD_TEST'] === 'long' ? 50 : 1;
const framings = [
	['LF', '\n', false],
	['CRLF, without the last newline', '\r\n', true],
	['CR', '\r', false],
] as const;

/** Reads the streams of a corpus as they are, split anywhere, and with unknown fields. */
export function describeStreams(wire: NativeWire, corpus: readonly NativeCase[]): void {
	describe(`a stream of ${wire}`, () => {
		it.each(corpus)('is read with $name', async stream => {
			expect(await seenOf(wire, framed(stream))).toEqual(expectedOf(stream));
		});

		it.each(framings)(
			`is read in any pieces with lines that end in %s (seed ${seed})`,
			async (_, lineEnd, isCut) => {
				for (let round = 0; round < rounds; round++)
					for (const stream of corpus) {
						const sizes = pieceSizes(seededRandom(seed + round));
						const answer = await seenOf(wire, framed(stream, {lineEnd, isCut, sizes}));
						expect({name: stream.name, ...answer}).toEqual({name: stream.name, ...expectedOf(stream)});
					}
			},
		);

		it(`is read with unknown fields in every object of every event (seed ${seed})`, async () => {
			for (let round = 0; round < 2 * rounds; round++)
				for (const stream of corpus) {
					const random = seededRandom(seed + round);
					const events = stream.events.map(event => withUnknownFields(event, random));
					const expected = expectedOf(stream);
					const answer = withoutUnknown(await seenOf(wire, framed({...stream, events})), expected);
					expect({events, ...answer}).toEqual({events, ...expected});
				}
		});

		it(`is never refused by the package, whatever its values are (seed ${seed})`, async () => {
			for (let round = 0; round < 4 * rounds; round++)
				for (const stream of corpus) {
					const random = seededRandom(seed + round);
					const events = stream.events.map(event => withOtherValues(event, random));
					const {errorText = ''} = seenIn(await answerTo(wire, framed({...stream, events})));
					expect({events, errorText}).toEqual({events, errorText: expect.not.stringMatching(notUnderstood)});
				}
		});
	});
}

/** The package, and not the server, ended the answer. */
const notUnderstood = /could not be understood|validation|Unsupported|Cannot read|undefined/i;

async function seenOf(wire: NativeWire, pieces: readonly Uint8Array[]): Promise<Seen> {
	const {errorText: _, ...seen} = seenIn(await answerTo(wire, pieces));
	return seen;
}

/** Removes the parts that only the unknown fields created. */
function withoutUnknown(answer: Seen, {unread}: Seen): Seen {
	return {...answer, unread: answer.unread.filter(type => unread.includes(type))};
}

function pieceSizes(random: () => number): () => number {
	return () => 1 + Math.floor(random() ** 2 * 90);
}
