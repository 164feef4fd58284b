import type {Row} from '../screen/row.ts';

/** A piece of a row's text, in code units, that stands out: by reverse video, so that it does without colours. */
export type Mark = {readonly from: number; readonly to: number; readonly look: Look};

/** `current` is the match that the person stands on. */
export type Look = 'selection' | 'match' | 'current';

/** A row's `ansi` with marks on its text. Where two lie on each other the later one is seen. A marked row without text shows one cell. */
export function paintMarks({ansi, lead, text}: Row, marks: readonly Mark[]): string {
	if (text === '') return `${ansi}${looks.selection} ${reset}`;
	const looksAt = Array.from<Look | undefined>({length: text.length});
	for (const {from, to, look} of marks) looksAt.fill(look, from, to);
	let painted = ansi.slice(0, lead);
	/** What the row itself has said of its looks up to here: it is said again behind a mark. */
	let own = (painted.match(sequences) ?? []).join('');
	let look: Look | undefined;
	let unit = 0;
	for (let at = lead; at < ansi.length; ) {
		const sequence = ansi.charCodeAt(at) === escape ? sequenceAt(ansi, at) : undefined;
		if (sequence !== undefined) {
			own += sequence;
			painted += look === undefined ? sequence : sequence + looks[look];
			at += sequence.length;
			continue;
		}
		const next = looksAt[unit];
		if (next !== look) painted += (look === undefined ? '' : reset + own) + (next === undefined ? '' : looks[next]);
		look = next;
		painted += ansi[at];
		at++;
		unit++;
	}
	return look === undefined ? painted : painted + reset;
}

const escape = 0x1b;
const reset = '\x1b[0m';
const looks: {readonly [Name in Look]: string} = {selection: '\x1b[7m', match: '\x1b[7m', current: '\x1b[1;4;7m'};
const sequences = /\x1b\[[\d;]*m/g;
const sequence = /\x1b\[[\d;]*m/y;

function sequenceAt(ansi: string, at: number): string | undefined {
	sequence.lastIndex = at;
	return sequence.exec(ansi)?.[0];
}
