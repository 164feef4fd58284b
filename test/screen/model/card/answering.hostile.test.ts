import {describe, expect, it} from 'vitest';
import {cardKinds, cardStage} from '../../../helpers/card-stage.ts';

/**
Only an answer answers a card. The input has keys, pastes, reports and replies in every form that terminals send. It is
cut into reads at every byte, with pauses between them. `mayAllow` and `mayRefuse` compute the permitted answers from
the reads alone.
*/
const typed = [
	'y',
	'n',
	'yes',
	'no',
	'a',
	'Allow it',
	'always do that',
	'1 is wrong',
	'1x',
	'12',
	'11',
	'2nd thought',
	'10',
	'1.',
	'1)',
	'1 ',
	'x1',
	' 1',
	'1\r',
	'1\n',
	'1\t',
	'11\r',
	'y\r',
	'yes\r',
	'1 yes\r',
	'a\rb\r1\r',
	'\r1',
	'\n1',
	'\t1',
	'3\r\r',
	'1\x7f',
	'\x7f1',
	'é1',
	'日1',
	'1é',
	'１',
	'npm test\nnpm run build\n',
	'1'.repeat(200),
	`1${'x'.repeat(200)}\r`,
];
/** Each character is one byte. */
const text = typed.map(form => Buffer.from(form).toString('latin1'));
const escapes = [
	'\x1b[27u',
	'\x1b[27;1u',
	'\x1b[27;5;27~',
	'\x1b[27;1:1u',
	'\x1b[27;1:2u',
	'\x1b[27;1:3u',
	'\x1b\x1b',
	'\x1b',
];
const sequences = [
	// Keys with parameters, event types, alternates and text.
	'\x1b[A',
	'\x1b[B',
	'\x1b[C',
	'\x1b[D',
	'\x1b[H',
	'\x1b[F',
	'\x1b[Z',
	'\x1b[1;2A',
	'\x1b[1;5D',
	'\x1b[1;1:3A',
	'\x1b[1;3:2B',
	'\x1b[3~',
	'\x1b[5~',
	'\x1b[6~',
	'\x1b[11~',
	'\x1b[15;2~',
	'\x1b[200~',
	'\x1b[201~',
	'\x1b[1~',
	'\x1b[2~',
	'\x1b[[A',
	'\x1b[1;2P',
	'\x1b[2^',
	'\x1b[3$',
	'\x1b[4@',
	'\x1b[a',
	'\x1b[97;5u',
	'\x1b[49;5u',
	'\x1b[49;3u',
	'\x1b[50;9u',
	'\x1b[49;1:3u',
	'\x1b[57441;2u',
	'\x1b[57358u',
	'\x1b[27;5;49~',
	'\x1bOA',
	'\x1bOP',
	'\x1bOH',
	'\x1bO5A',
	'\x1bOa',
	'\x1b\x1b[A',
	'\x1b1',
	'\x1b2',
	'\x1ba',
	'\x1b\xc3\xa9',
	'\x1b[',
	'\x1bO',
	'\x1b]',
	'\x1bP',
	'\x1b_',
	// Reports of the mouse, focus, attributes, modes, places, colours, clipboard, versions and pictures.
	'\x1b[<0;12;1M',
	'\x1b[<35;1;2m',
	'\x1b[<64;1;1M',
	'\x1b[M !1',
	'\x1b[M121',
	'\x1b[I',
	'\x1b[O',
	'\x1b[?62;1;2c',
	'\x1b[>1;2;3c',
	'\x1b[?2026;1$y',
	'\x1b[?1u',
	'\x1b]7501;?\x1b\\',
	'\x1b[2;1R',
	'\x1b[1;2R',
	'\x1b[8;30;100t',
	'\x1b[?997;1n',
	'\x1b]11;rgb:1111/2222/3333\x07',
	'\x1b]11;rgb:1111/2222/3333\x1b\\',
	'\x1b]4;1;rgb:1/2/3\x07',
	'\x1b]52;c;MTEx\x07',
	'\x1bP>|XTerm(1)\x1b\\',
	'\x1bP1+r1=1\x1b\\',
	'\x1bP1$r1m\x1b\\',
	'\x1b_Gi=1;OK\x1b\\',
	'\x1bX1\x1b\\',
	'\x1b^1\x1b\\',
	// Broken sequences, and output of programs.
	'\x1b[1',
	'\x1b[1;',
	'\x1b[;1',
	'\x1b[1\x18',
	'\x1b[1\x1a',
	'\x1b[31m',
	'\x1b[1m',
	'\x1b[?1',
	'\x1b]1',
	'\x1bP1',
	'\x1b[<1;1',
	'\x1b[M1',
];
const enters = ['\r', '\x1b[13u', '\x1b[13;1:1u', '\x1bOM', '\x1b[57414u', '\x1b[27;1;13~'];
const pastes = [
	'\x1b[200~1\x1b[201~',
	'\x1b[200~1\r\x1b[201~',
	'\x1b[200~y\x1b[201~',
	'\x1b[200~\r\x1b[201~',
	'\x1b[200~\x1b\x1b[201~',
	'\x1b[200~1\n2\n\x1b[201~',
	'\x1b[200~\x1b[27u\x1b[201~',
	'\x1b[200~\x1b[201~',
	'\x1b[200~1',
	'\x1b[200~1\x1b[20',
	'\x1b[200~no\x1b[201~',
];
const delays = [0, 10, 60, 200, 1000];

/** Returns a form as reads: whole, byte by byte, and cut in two at a few or all places. */
function cuts(form: string): ReadonlyArray<readonly string[]> {
	const bytes = Array.from(form);
	if (bytes.length > 40) return [[form], bytes.slice(0, 3).concat(bytes.slice(3).join(''))];
	const isAll = process.env['INKPOD_TEST'] === 'long';
	const places = bytes
		.map((_, at) => at)
		.slice(1)
		.filter(at => isAll || at <= 4 || at >= bytes.length - 2);
	return [[form], bytes, ...places.map(at => [form.slice(0, at), form.slice(at)])];
}

const isDigit = (piece: string | undefined) => piece !== undefined && /^[1-9]$/.test(piece);

/**
Checks whether the reads may approve: only a digit in its own read on an empty draft, with a pause or an Enter after it.
*/
function mayAllow(form: string, pieces: readonly string[], delay: number): boolean {
	const at = pieces.findIndex(piece => !['\t', '\x7f'].includes(piece));
	const next = pieces[at + 1];
	if (!text.includes(form) || !isDigit(pieces[at]) || (at > 0 && delay <= 12)) return false;
	return next === undefined || delay >= 400 || (next === '\r' && delay > 12);
}

/** Checks whether the reads may deny: a complete Enter or Esc in its read, or a lone ESC followed by a pause. */
function mayRefuse(form: string, pieces: readonly string[], delay: number): boolean {
	const isApart = (index: number) => index === 0 || delay > 12;
	const isLoneEscape = pieces.some(
		(piece, index) => piece === '\x1b' && isApart(index) && (index === pieces.length - 1 || delay >= 400),
	);
	const isEnter = pieces.some((piece, index) => piece === '\r' && isApart(index));
	const isKey = [...escapes, ...enters].includes(form);
	return isKey || isLoneEscape || (isEnter && text.includes(form)) || mayAllow(form, pieces, delay);
}

const forms = [...text, ...escapes, ...sequences, ...enters, ...pastes];

async function played(kind: string, pieces: readonly string[], delay: number, before = '') {
	const stage = await cardStage(cardKinds[kind]!, {kind, before});
	await stage.pass(1000);
	for (const [index, piece] of pieces.entries()) {
		if (index > 0) await stage.pass(delay);
		stage.read(piece);
	}
	await stage.pass(3000);
	return stage;
}

it('the hostile input has more than 60 forms', () => {
	expect(new Set(forms).size).toBeGreaterThanOrEqual(60);
});

describe.each(Object.keys(cardKinds))('a card of the kind %s', kind => {
	it.each(delays)('ignores input that is not an answer with %i ms between the reads', async delay => {
		const wrong: unknown[] = [];
		for (const form of kind === 'approval' || process.env['INKPOD_TEST'] === 'long'
			? forms
			: forms.filter((_, index) => index % 4 === Object.keys(cardKinds).indexOf(kind) % 4)) {
			for (const pieces of cuts(form)) {
				const {answers} = await played(kind, pieces, delay);
				const choices = answers().map(({choice}) => choice);
				const isFine = choices.every(choice => (choice === 'deny' ? mayRefuse : mayAllow)(form, pieces, delay));
				if (!isFine || choices.length > 1) wrong.push([JSON.stringify(pieces), choices]);
			}
		}
		expect(wrong).toEqual([]);
	});
});
