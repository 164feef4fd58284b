import {describe, expect, it} from 'vitest';
import {numbersFrom} from '../../../helpers/chance.ts';
import {geminiCorpus} from './corpus-native/gemini-corpus.ts';
import {messagesCorpus} from './corpus-native/messages-corpus.ts';
import {responsesCorpus} from './corpus-native/responses-corpus.ts';
import {answerTo, expectedOf, framed, seenIn, type NativeWire, type Seen} from './played-native.ts';
import {withUnknownFields} from './unknown-fields.ts';

const corpora = [
	['anthropic', messagesCorpus],
	['openai', responsesCorpus],
	['google', geminiCorpus],
] as const;

const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_122);
const rounds = process.env['INKPOD_TEST'] === 'long' ? 100 : 1;
const framings = [
	['LF', '\n', false],
	['CRLF, without the last newline', '\r\n', true],
	['CR', '\r', false],
] as const;

async function seen(wire: NativeWire, pieces: readonly Uint8Array[]): Promise<Seen> {
	const {errorText: _, ...rest} = seenIn(await answerTo(wire, pieces));
	return rest;
}

/** Without the parts that only the unknown fields made. */
function withoutUnknown(answer: Seen, {unread}: Seen): Seen {
	return {...answer, unread: answer.unread.filter(type => unread.includes(type))};
}

function pieceSizes(random: () => number): () => number {
	return () => 1 + Math.floor(random() ** 2 * 90);
}

describe.each(corpora)('a stream of %s', (wire, corpus) => {
	it.each(corpus)('is read with $name', async stream => {
		expect(await seen(wire, framed(stream))).toEqual(expectedOf(stream));
	});

	it.each(framings)(`is read in any pieces with lines that end in %s (seed ${seed})`, async (_, lineEnd, isCut) => {
		for (let round = 0; round < rounds; round++)
			for (const stream of corpus) {
				const sizes = pieceSizes(numbersFrom(seed + round));
				expect(await seen(wire, framed(stream, {lineEnd, isCut, sizes})), stream.name).toEqual(
					expectedOf(stream),
				);
			}
	});

	it(`is read with unknown fields in every object of every event (seed ${seed})`, async () => {
		for (let round = 0; round < 2 * rounds; round++)
			for (const stream of corpus) {
				const random = numbersFrom(seed + round);
				const events = stream.events.map(event => withUnknownFields(event, random));
				const expected = expectedOf(stream);
				const answer = await seen(wire, framed({...stream, events}));
				expect(withoutUnknown(answer, expected), `${stream.name} ${JSON.stringify(events)}`).toEqual(expected);
			}
	});
});
