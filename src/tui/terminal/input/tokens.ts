import {StringDecoder} from 'node:string_decoder';
import {createLateReports} from './late-escape.ts';
import type {LateReports} from './late-escape.ts';
import {createPasteCollector, pasteLimit} from './paste.ts';
import type {PasteCollector} from './paste.ts';

/**
What the bytes of a terminal say, before anybody asks what it means.
`text` holds printable characters only; `control` one C0 code or DEL; `csi` and `ss3` complete sequences; `paste` a
bracketed paste, whole; `reply` the body of a string that only a terminal writes; `fragment` a sequence that broke off,
or a C1 control that opens nothing. `alt`: an ESC stood before it. An old mouse report is a `csi` whose body is `M` and
its three bytes. `late`: the Escape key before was the beginning of what follows.
*/
export type Token =
	| {readonly type: 'text'; readonly text: string; readonly alt: boolean}
	| {readonly type: 'control'; readonly code: number; readonly alt: boolean}
	| {readonly type: 'csi'; readonly body: string; readonly final: string; readonly alt: boolean}
	| {readonly type: 'ss3'; readonly body: string; readonly final: string; readonly alt: boolean}
	| {readonly type: 'paste'; readonly text: string; readonly cut: boolean}
	| {readonly type: 'reply'; readonly kind: StringKind; readonly body: string}
	| {readonly type: 'fragment'; readonly text: string}
	| {readonly type: 'late'};
export type StringKind = 'osc' | 'dcs' | 'apc' | 'pm' | 'sos';

/**
What a tokenizer waits for: the rest of a lone ESC, of a string's introducer (`ESC _`, which may be Alt+_), of a
sequence or a string that has begun, the rest of a sequence that came late, or the end of a paste. The caller keeps the
time and calls `flush` when it waited long enough.
*/
export type Waiting = 'nothing' | 'escape' | 'introducer' | 'sequence' | 'late' | 'paste';

export type Tokenizer = {
	/**
	The tokens that these bytes complete, in order. Linear in the bytes; the same tokens however the stream is cut, up
	to where texts are cut. `now`: milliseconds of any epoch, to know what comes too late.
	*/
	push(bytes: Uint8Array, now?: number): Token[];
	/**
	Gives up waiting: a lone ESC is the Escape key, an introducer is an Alt key, a half sequence is dropped, a paste
	ends here.
	*/
	flush(now?: number): Token[];
	waiting(): Waiting;
};

export function createTokenizer(limits: {readonly paste: number} = {paste: pasteLimit}): Tokenizer {
	const machine: Machine = {
		state: 'ground',
		out: [],
		decoder: new StringDecoder('utf8'),
		alt: false,
		isC1: false,
		body: [],
		kind: 'osc',
		paste: createPasteCollector(limits.paste),
		late: createLateReports(),
		now: 0,
	};
	return {
		push(bytes, now = 0) {
			machine.now = now;
			const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
			const joined = machine.state === 'ground' ? machine.late.join(buffer, now) : buffer;
			if (joined !== buffer && machine.late.wasEscape()) machine.out.push({type: 'late'});
			read(machine, joined);
			return take(machine);
		},
		flush(now = 0) {
			machine.now = now;
			read(machine, machine.late.release());
			flushes[machine.state](machine);
			return take(machine);
		},
		waiting: () => (machine.late.holds() ? 'late' : waits[machine.state](machine)),
	};
}

function read(machine: Machine, bytes: Buffer): void {
	for (let at = 0; at < bytes.length;) at = states[machine.state](machine, bytes, at);
}

type State =
	| 'ground'
	| 'lead'
	| 'escape'
	| 'escape escape'
	| 'csi'
	| 'ss3'
	| 'x10'
	| 'linux'
	| 'string'
	| 'string escape'
	| 'paste';
type Machine = {
	state: State;
	out: Token[];
	readonly decoder: StringDecoder;
	/** An ESC stands before what comes. */
	alt: boolean;
	/** A C1 control began the sequence, and no ESC. */
	isC1: boolean;
	/** Bytes of the sequence or string so far, bounded. */
	body: number[];
	kind: StringKind;
	readonly paste: PasteCollector;
	readonly late: LateReports;
	now: number;
};

const ESC = 0x1b;
const BEL = 0x07;
const DEL = 0x7f;
/** The second byte of the C1 control that ends a string. */
const stringEnd = 0x9c;
const sequenceLimit = 256;
const stringLimit = 65_536;

/** Each state takes the byte at `at` and gives back where to go on. */
const states: {readonly [Name in State]: (machine: Machine, bytes: Buffer, at: number) => number} = {
	ground,
	lead,
	escape,
	'escape escape': escapeEscape,
	csi,
	ss3,
	x10,
	linux: (machine, bytes, at) => {
		emit(machine, {type: 'csi', body: '[', final: String.fromCharCode(bytes[at]!), alt: machine.alt});
		return at + 1;
	},
	string,
	'string escape': stringEscape,
	paste,
};

function ground(machine: Machine, bytes: Buffer, at: number): number {
	let end = at;
	while (end < bytes.length && isText(bytes, end)) end++;
	if (end > at) {
		emitText(machine, machine.decoder.write(bytes.subarray(at, end)));
		return end;
	}
	const code = bytes[at]!;
	if (code === c1Lead) machine.state = 'lead';
	else endText(machine);
	if (code === ESC) machine.state = 'escape';
	else if (code !== c1Lead) emit(machine, {type: 'control', code, alt: machine.alt});
	return at + 1;
}

/** The first byte of a C1 control in UTF-8, and of U+00A0 to U+00BF. In UTF-8 it has no other place. */
const c1Lead = 0xc2;

function isText(bytes: Buffer, at: number): boolean {
	const code = bytes[at]!;
	if (code === c1Lead) return at + 1 < bytes.length && !isC1Rest(bytes[at + 1]!);
	return code >= 0x20 && code !== DEL;
}

function isC1Rest(code: number): boolean {
	return code >= 0x80 && code < 0xa0;
}

/** A C1 control means the same as an ESC and the letter 0x40 below it. One that opens nothing is dropped. */
function lead(machine: Machine, bytes: Buffer, at: number): number {
	const code = bytes[at]!;
	machine.state = 'ground';
	if (!isC1Rest(code)) {
		emitText(machine, machine.decoder.write(Buffer.of(c1Lead)));
		return at;
	}
	endText(machine);
	machine.isC1 = true;
	if (!open(machine, String.fromCharCode(code - 0x40)))
		emit(machine, {type: 'fragment', text: String.fromCharCode(code)});
	return at + 1;
}

const strings: Readonly<Record<string, StringKind>> = {']': 'osc', P: 'dcs', _: 'apc', '^': 'pm', X: 'sos'};

function escape(machine: Machine, bytes: Buffer, at: number): number {
	const code = bytes[at]!;
	if (code === ESC) machine.state = 'escape escape';
	else if (!open(machine, String.fromCharCode(code))) {
		machine.state = 'ground';
		machine.alt = true;
		return at;
	}
	return at + 1;
}

/** Begins the sequence or string that an introducer opens. False: it opens none. */
function open(machine: Machine, introducer: string): boolean {
	const kind = strings[introducer];
	if (introducer === '[') machine.state = 'csi';
	else if (introducer === 'O') machine.state = 'ss3';
	else if (kind !== undefined) {
		machine.state = 'string';
		machine.kind = kind;
	} else return false;
	return true;
}

/** ESC ESC: Alt with a sequence when one follows, two Escape keys otherwise. */
function escapeEscape(machine: Machine, bytes: Buffer, at: number): number {
	const code = bytes[at]!;
	if (code === 0x5b || code === 0x4f) {
		machine.alt = true;
		machine.state = 'escape';
		return at;
	}
	emitEscape(machine);
	machine.state = 'escape';
	return at;
}

function csi(machine: Machine, bytes: Buffer, at: number): number {
	const code = bytes[at]!;
	if (code < 0x20 || code >= DEL) return abandon(machine, code, at);
	const first = machine.body.length === 0;
	if (first && code === 0x5b) {
		machine.state = 'linux';
		return at + 1;
	}
	if (first && code === 0x4d) {
		machine.state = 'x10';
		machine.body.push(code);
		return at + 1;
	}
	// rxvt ends Shift+key with a dollar sign, which elsewhere is an intermediate byte.
	const final = code >= 0x40 || (code === 0x24 && !first && machine.body.every(byte => byte >= 0x30 && byte <= 0x39));
	if (!final) {
		if (machine.body.length < sequenceLimit) machine.body.push(code);
		return at + 1;
	}
	const body = String.fromCharCode(...machine.body);
	if (code === 0x7e && body === '200') {
		reset(machine);
		machine.state = 'paste';
	} else emit(machine, {type: 'csi', body, final: String.fromCharCode(code), alt: machine.alt});
	return at + 1;
}

/** Button, column and row, each with 32 added: no controls, but for the 0 of a place that is too far. */
function x10(machine: Machine, bytes: Buffer, at: number): number {
	const code = bytes[at]!;
	if (code < 0x20 && code !== 0) return abandon(machine, code, at);
	machine.body.push(code);
	if (machine.body.length === 4)
		emit(machine, {type: 'csi', body: String.fromCharCode(...machine.body), final: 'M', alt: machine.alt});
	return at + 1;
}

function ss3(machine: Machine, bytes: Buffer, at: number): number {
	const code = bytes[at]!;
	if (code < 0x20 || code >= DEL) return abandon(machine, code, at);
	if (code >= 0x30 && code <= 0x3b && machine.body.length < sequenceLimit) machine.body.push(code);
	else
		emit(machine, {
			type: 'ss3',
			body: String.fromCharCode(...machine.body),
			final: String.fromCharCode(code),
			alt: machine.alt,
		});
	return at + 1;
}

/**
A terminal's replies are printable: any other control byte is a key, so Ctrl-C is heard inside a string that never ends.
*/
function string(machine: Machine, bytes: Buffer, at: number): number {
	const code = bytes[at]!;
	if (code === ESC) machine.state = 'string escape';
	else if (code === BEL) emitReply(machine);
	else if (code === stringEnd && machine.body.at(-1) === c1Lead) {
		machine.body.pop();
		emitReply(machine);
	} else if (code < 0x20 || code === DEL) return abandon(machine, code, at);
	else if (machine.body.length < stringLimit) machine.body.push(code);
	return at + 1;
}

function stringEscape(machine: Machine, bytes: Buffer, at: number): number {
	if (bytes[at] === 0x5c) {
		emitReply(machine);
		return at + 1;
	}
	breakOff(machine);
	machine.state = 'escape';
	return at;
}

function paste(machine: Machine, bytes: Buffer, at: number): number {
	const {taken, ended} = machine.paste.push(bytes.subarray(at));
	if (ended) emitPaste(machine);
	return at + taken;
}

function emitPaste(machine: Machine): void {
	emit(machine, {type: 'paste', ...machine.paste.finish()});
}

function emitReply(machine: Machine): void {
	emit(machine, {type: 'reply', kind: machine.kind, body: Buffer.from(machine.body).toString('utf8')});
}

function emitEscape(machine: Machine): void {
	machine.out.push({type: 'control', code: ESC, alt: false});
}

/** The first character takes the Alt. */
function emitText(machine: Machine, text: string): void {
	if (text === '') return;
	if (!machine.alt) {
		machine.out.push({type: 'text', text, alt: false});
		return;
	}
	const first = String.fromCodePoint(text.codePointAt(0)!);
	machine.out.push({type: 'text', text: first, alt: true});
	if (first.length < text.length) machine.out.push({type: 'text', text: text.slice(first.length), alt: false});
	machine.alt = false;
}

/** A character that was cut short by a control byte is shown as U+FFFD. */
function endText(machine: Machine): void {
	emitText(machine, machine.decoder.end());
}

/** A byte that cannot stand in the sequence ends it: the byte is read anew, unless it is one that cancels. */
function abandon(machine: Machine, code: number, at: number): number {
	breakOff(machine);
	return code === 0x18 || code === 0x1a ? at + 1 : at;
}

function breakOff(machine: Machine): void {
	emit(machine, {type: 'fragment', text: begun(machine)});
}

/** The characters of a sequence up to now. */
function begun({state, alt, kind, body}: Machine): string {
	return `${alt ? '\x1b' : ''}\x1b${introducerOf(state, kind)}${Buffer.from(body).toString('utf8')}`;
}

function introducerOf(state: State, kind: StringKind): string {
	if (state === 'linux') return '[[';
	if (state === 'ss3') return 'O';
	return state === 'csi' || state === 'x10' ? '[' : Object.keys(strings).find(key => strings[key] === kind)!;
}

function emit(machine: Machine, token: Token): void {
	machine.out.push(token);
	reset(machine);
}

function reset(machine: Machine): void {
	machine.state = 'ground';
	machine.alt = false;
	machine.isC1 = false;
	if (machine.body.length > 0) machine.body = [];
}

function take(machine: Machine): Token[] {
	const tokens = machine.out;
	machine.out = [];
	return tokens;
}

const flushes: {readonly [Name in State]: (machine: Machine) => void} = {
	ground: () => {},
	lead: () => {},
	escape(machine) {
		emitEscape(machine);
		reset(machine);
		machine.late.gaveUp('\x1b', machine.now);
	},
	'escape escape'(machine) {
		emitEscape(machine);
		emitEscape(machine);
		reset(machine);
	},
	csi: flushSequence,
	ss3: flushSequence,
	x10: breakOff,
	linux: breakOff,
	string: flushSequence,
	'string escape': breakOff,
	paste: emitPaste,
};

/**
An introducer alone was an Alt key, unless it was a C1 control. A string that has begun is no more waited for, a
sequence may still end.
*/
function flushSequence(machine: Machine): void {
	const {body, alt} = machine;
	const text = begun(machine);
	if (isIntroducer(machine)) emit(machine, {type: 'text', text: text.at(-1)!, alt: true});
	else breakOff(machine);
	if (!alt && (body.length === 0 || text.startsWith('\x1b['))) machine.late.gaveUp(text, machine.now);
}

function isIntroducer({body, isC1}: Machine): boolean {
	return body.length === 0 && !isC1;
}

const bodyless = (machine: Machine): Waiting => (isIntroducer(machine) ? 'introducer' : 'sequence');

const waits: {readonly [Name in State]: (machine: Machine) => Waiting} = {
	ground: () => 'nothing',
	lead: () => 'nothing',
	escape: () => 'escape',
	'escape escape': () => 'escape',
	csi: () => 'sequence',
	ss3: () => 'sequence',
	x10: () => 'sequence',
	linux: () => 'sequence',
	string: bodyless,
	'string escape': () => 'sequence',
	paste: () => 'paste',
};
