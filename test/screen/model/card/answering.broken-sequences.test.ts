import {describe, expect, it} from 'vitest';
import {cardKinds, cardStage} from '../../../helpers/card-stage.ts';

/**
A broken sequence of any grammar, with a digit after it and in up to four reads, never answers a card. A later key still
works.
*/
const isLong = process.env['INKPOD_TEST'] === 'long';

/** Each C1 control that opens a sequence, as ESC with a letter and as UTF-8. */
const openers = {
	csi: ['\x1b[', '\xc2\x9b'],
	ss3: ['\x1bO', '\xc2\x8f'],
	string: ['\x1b]', '\x1bP', '\x1b_', '\x1b^', '\x1bX', '\xc2\x9d', '\xc2\x90', '\xc2\x9f', '\xc2\x9e', '\xc2\x98'],
};
const parameters = ['', '1', '1;', '1:2', '?1', '<0;1', '>', '=1', '[', '3', '23'];
const intermediates = ['', '$', ' ', '!', '/', '"$', '$1', '$$'];
const bodies = ['', '1', '1;', '52;c;', '>|', 'G', '1\x1b'];
const others = [
	'\x1b(',
	'\x1b#',
	'\x1b%',
	'\x1b ',
	'\x1b)',
	'\x1bN',
	'\xc2\x8e',
	'\xc2\x84',
	'\xc2\x9c',
	'\x9b',
	'\x9b1',
	'\x8f',
	'\x90',
	'\xc2',
	'\xe2\x82',
	'\x1b[1\r',
	'\x1b[1\t',
	'\x1b[1\x18',
	'\x1bO\x1a',
	'\x1bO<',
	'\x1bO ',
	'\x1b[M !',
	'\x1b[1\xc2\x9b',
	'\x1b\xc2\x9b',
	'\x1b\x1b[1$',
	'\x1b\x1bO',
];
const forms = [
	...openers.csi.flatMap(opener =>
		parameters.flatMap(before => intermediates.map(between => opener + before + between)),
	),
	...openers.ss3.flatMap(opener => ['', '1', '5;', ' ', '$', '?', '<'].map(before => opener + before)),
	...openers.string.flatMap(opener => bodies.map(body => opener + body)),
	...others,
].map(form => `${form}1`);
const delays = [13, 60, 200, 450, 1000];

/** Returns all ways to cut a form into one to four reads. */
function cuts(form: string): readonly (readonly string[])[] {
	const places = Array.from({length: form.length - 1}, (_, index) => index + 1);
	const upTo = (count: number, from: number): readonly (readonly number[])[] =>
		count === 0
			? [[]]
			: [
					[],
					...places
						.filter(place => place > from)
						.flatMap(place => upTo(count - 1, place).map(rest => [place, ...rest])),
				];
	return upTo(3, 0).map(at => [0, ...at].map((place, index) => form.slice(place, at[index])));
}

/** An ESC followed by nothing for 400 ms is the Escape key. */
function isEscapeKey(pieces: readonly string[], delay: number): boolean {
	return delay >= 400 && pieces.some(piece => piece === '\x1b');
}

async function played(pieces: readonly string[], delay: number) {
	const stage = await cardStage(cardKinds['approval']!, {kind: 'approval'});
	await stage.pass(1000);
	for (const [index, piece] of pieces.entries()) {
		if (index > 0) await stage.pass(delay);
		stage.read(piece);
	}
	await stage.pass(4500);
	return stage;
}

describe('a card', () => {
	it('does not accept %j, %i ms apart, as an answer', () => {
		expect(new Set(forms).size).toBeGreaterThan(200);
	});

	it.each(
		delays.flatMap(delay =>
			[
				['\x1b[1', '$', '1'],
				['\xc2\x9b', '1'],
				['\xc2', '\x9b', '1'],
			].map(pieces => [pieces, delay] as const),
		),
	)(
		'does not accept a broken sequence in up to four reads, %i ms apart, as an answer, and loses no later key',
		async (pieces, delay) => {
			expect((await played(pieces, delay)).answers()).toEqual([]);
		},
	);

	it.each(delays)(
		'does not take a broken sequence in up to four reads, %i ms apart, as an answer, and loses no later key',
		async delay => {
			const wrong: unknown[] = [];
			for (const [index, form] of forms.entries()) {
				for (const pieces of cuts(form).filter((_, cut) => isLong || (cut + index) % 12 === 0)) {
					const stage = await played(pieces, delay);
					const early = stage.answers();
					const isFine =
						early.length === 0 ||
						(isEscapeKey(pieces, delay) && early.every(({choice}) => choice === 'deny'));
					const before = stage.text();
					stage.read('1');
					await stage.pass(500);
					const isHeard =
						early.length > 0 ||
						stage.text() === `${before}1` ||
						stage.answers().some(({choice}) => choice === 'allow');
					if (!isFine || !isHeard) wrong.push([JSON.stringify(pieces), early, stage.text()]);
				}
			}
			expect(wrong).toEqual([]);
		},
	);
});
