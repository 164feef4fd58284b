import type {Token, TokenOf} from './token.ts';

/** Returns the characters of a token. In the result, a control string always ends with BEL. */
export function sourceOf<Type extends Token['type']>(token: TokenOf<Type>): string {
	const type: Type = token.type;
	return sources[type](token);
}

/**
Tells whether a token is a report that the terminal itself sends, possibly between the pieces of a paste. The output of
programs never contains such reports.
*/
export function isReport(token: Token): boolean {
	if (token.type === 'late') return true;
	if (token.type === 'reply') return token.kind !== 'osc' || !printedOsc.test(token.body);
	if (token.type !== 'csi') return false;
	const {body, final} = token;
	if (body === '') return final === 'I' || final === 'O';
	return (
		(body.startsWith('<') && 'Mm'.includes(final)) ||
		(body.startsWith('?') && 'cnuyRS'.includes(final)) ||
		'cnty'.includes(final) ||
		(final === 'R' && /^\d+;\d+$/.test(body))
	);
}

/**
Tells whether a token is a sequence that programs print and keyboards never send, such as a colour, an erasure, a mode,
a title or a link.
*/
export function isPrinted(token: Token): boolean {
	if (token.type === 'reply') return !isReport(token);
	if (token.type !== 'csi' || token.alt) return false;
	const {body, final} = token;
	return 'mJK'.includes(final)
		? !body.startsWith('<')
		: (/^[?>=]/.test(body) || (body !== '' && 'GLXdfhlr'.includes(final))) && !isReport(token);
}

/**
Tells whether the next bytes may belong to this token. This is the case if the token is incomplete, or if it is the
beginning of a longer sequence on some terminals. Examples are rxvt's `$`, ESC with an intermediate byte, single shifts,
and SS3 or `ESC [ [` without a letter.
*/
export function mayGoOn(token: Token): boolean {
	if (token.type === 'text') return token.alt && /^[ -/N]/.test(token.text);
	if (token.type === 'csi') return token.final === '$' || (token.body === '[' && !/[A-E]/.test(token.final));
	if (token.type === 'ss3') return !/[@-~]/.test(token.final);
	return token.type === 'fragment';
}

export type Timers = {
	now(): number;
	/** Calls `callback` once after `ms` milliseconds. The returned function cancels the call. */
	after(ms: number, callback: () => void): () => void;
};

/** Timers whose callbacks run only after the next round of input, so that bytes that arrived earlier are read first. */
export const realTimers: Timers = {
	now: () => performance.now(),
	after(ms, callback) {
		let immediate: NodeJS.Immediate | undefined;
		const timer = setTimeout(() => {
			immediate = setImmediate(callback);
		}, ms);
		return () => {
			clearTimeout(timer);
			if (immediate !== undefined) clearImmediate(immediate);
		};
	},
};

export function createSilence(timers: Timers, callback: () => void): Silence {
	let due = 0;
	let timer: {readonly at: number; readonly cancel: () => void} | undefined;

	function arm(ms: number): void {
		timer = {at: timers.now() + ms, cancel: timers.after(ms, look)};
	}

	function look(): void {
		timer = undefined;
		const left = due - timers.now();
		if (left >= 1) arm(left);
		else callback();
	}

	return {
		wait(ms) {
			due = timers.now() + ms;
			if (ms > 0 && timer !== undefined && timer.at <= due) return;
			timer?.cancel();
			timer = undefined;
			if (ms > 0) arm(ms);
		},
	};
}

/** Matches the OSC sequences that programs print: titles, directories, links, notifications, and prompt marks. */
const printedOsc = /^(?:[012789]|133|633|777|1337)(?:;|$)/;

const introducers = {osc: ']', dcs: 'P', apc: '_', pm: '^', sos: 'X'} as const;

const sources: {readonly [Type in Token['type']]: (token: TokenOf<Type>) => string} = {
	text: ({text, alt}) => escaped(alt) + text,
	control: ({code, alt}) => escaped(alt) + String.fromCharCode(code),
	csi: ({body, final, alt}) => `${escaped(alt)}\x1b[${body}${body.length === 4 && body.startsWith('M') ? '' : final}`,
	ss3: ({body, final, alt}) => `${escaped(alt)}\x1bO${body}${final}`,
	paste: ({text}) => text,
	reply: ({kind, body}) => `\x1b${introducers[kind]}${body}\x07`,
	fragment: ({text}) => text,
	late: () => '',
};

function escaped(alt: boolean): string {
	return alt ? '\x1b' : '';
}

/** Calls a function once when the wait has ended without another call of `wait`. */
type Silence = {
	/**
	Waits for `ms` milliseconds from now. 0 cancels the wait. A repeated call does not start a new timer, because a long
	paste calls `wait` for each of its thousands of reads.
	*/
	wait(ms: number): void;
};
